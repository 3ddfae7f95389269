/* `holdout import responses`, `import votes` of single votes, `export responses`: what people of an earlier study ticked becomes
 * answers to CLASSIFY tasks, and objects, scores and files follow; wrong rows are refused with their place. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { must, newProject, wholeFile } from '../http/lib.mjs';
import { copyOf, fails, put, says, sql } from './tools.mjs';

const whole = wholeFile();
const WNIDS = ['n00000001', 'n00000002', 'n00000003', 'n00000004'];
const IMAGES = ['a', 'b'];
let dir;

before(async () => {
  dir = await newProject(whole);
  await must(['import', 'classes', dir, put(whole, 'c.csv', `cid,wnid,synset,gloss,wikipedia\n${WNIDS.map((w, i) => `${i},${w},thing ${i},,\n`).join('')}`)]);
  await must(['import', 'set', dir, 'val', put(whole, 's.csv', `image,wnid\n${IMAGES.map((n) => `${n},${WNIDS[0]}\n`).join('')}`), '--role', 'original']);
  await must(['import', 'predictions', dir, '--model', 'm', put(whole, 'm.csv', 'image,p1\na,2\nb,1\n')]);
});

/* Image a shows 0 or 1, and 2; of b four people say 1. */
const RESPONSES = ['a,0,ann,0,0+2', 'a,1,bob,1,1+2', 'a,2,cy,0,0+2', 'a,3,dee,0,0+2', 'a,4,eve,1,1+2', 'b,0,ann,1,1', 'b,1,bob,1,1', 'b,2,cy,1,1', 'b,3,dee,1,1'];
const FILE = `image,response,worker,main,selected\n${RESPONSES.map((r) => `${r}\n`).join('')}`;
const ORDER = 'image,label,candidate_order\na,0,2+1+0+3\nb,0,1+0\n';

test('responses come in once, come out as they were, and are a label source', async (t) => {
  const at = copyOf(t, dir);
  const file = put(t, 'r.csv', FILE), order = put(t, 'o.csv', ORDER);
  await says(['import', 'responses', at, file, '--order', order, '--dry-run'], /2 tasks and 9 answers read, 0 and 0 of them new \(dry run\)/);
  await says(['import', 'responses', at, file, '--order', order], /2 and 9 of them new/);
  await says(['import', 'responses', at, file, '--order', order], /0 and 0 of them new/);
  await must(['check', at]);
  const text = (...more) => must(['export', 'responses', at, '--numbers', ...more]);
  assert.equal(await text('--format', 'order'), ORDER);
  assert.equal((await text()).replaceAll('2+0', '0+2').replaceAll('2+1', '1+2'), FILE);
  assert.equal((await text('--without-workers')).split('\n')[0], 'image,response,main,selected');
  /* Whatever the shape, it comes in again as the same. */
  const want = await text();
  for (const shape of ['csv', 'jsonl', 'votes']) {
    const again = copyOf(t, dir);
    await must(['import', 'responses', again, put(t, shape, await text('--format', shape)), '--order', order]);
    assert.equal(await must(['export', 'responses', again, '--numbers']), want, shape);
  }
  /* Objects of the project are those of the files; b has too few. */
  const files = await must(['objects', put(t, 'out.csv', want), '--order', put(t, 'order.csv', ORDER)]);
  const [head, a] = files.trimEnd().split('\n').map((line) => line.split(','));
  const own = (await must(['export', 'labels', at, 'classify@default', '--format', 'objects', '--numbers'])).trimEnd().split('\n').map((line) => line.split(','));
  for (const name of ['num_objects', 'main_label', 'objects', 'object_labels', 'main_object']) {
    assert.equal(own[1][own[0].indexOf(name)], a[head.indexOf(name)], name);
  }
  const right = async (rule) => (await must(['score', at, '--set', 'val', '--labels', `classify@default:${rule}`])).trimEnd().split('\n').map((line) => line.split(','));
  for (const [rule, k] of [['main', '0'], ['objects', '1'], ['any', '1']]) {
    const [names, row] = await right(rule);
    assert.deepEqual([row[names.indexOf('top1_correct')], row[names.indexOf('n')]], [k, '1'], rule);
  }
  /* Experts can be asked about what people ticked; of b too few answered. */
  await says(['label-review', 'create', at, 'ticked', '--set', 'val', '--sources', 'classify@default', '--dry-run'], /ticked 3 in CLASSIFY tasks; 0 are of other/);
  /* A version is an event: it stays when answers leave. */
  const version = (await must(['labels', at])).split('\n')[1].split(',')[1];
  await must(['decide', at, '--out', '--people', put(t, 'people', 'ann\n'), '--campaign', 'classify', '--reason', 'test']);
  assert.match(await must(['labels', at]), /^classify@default,\d+,objects,"objects,main,any",0,0,/m);
  assert.doesNotMatch(await must(['export', 'responses', at]), /,ann,/);
  assert.match(await must(['export', 'labels', at, `classify@default/${version}`, '--numbers']), /^a,2,\d,0,\d,5/m);
});

test('who has no id is somebody else each time', async (t) => {
  const at = copyOf(t, dir);
  const text = 'image,response,main,selected\na,0,0,0+1\na,1,1,1\nb,0,0,0\n';
  await must(['import', 'responses', at, put(t, 'r.csv', text)]);
  assert.equal(await must(['export', 'responses', at, '--numbers', '--without-workers']), text);
  assert.match(await must(['export', 'responses', at, '--numbers']), /^a,0,,0,0\+1$/m);
  assert.equal((await sql(at, 'SELECT count(DISTINCT person) FROM assignment')).trim(), '3');
});

test('wrong rows are refused with their place, and nothing is stored', async (t) => {
  const at = copyOf(t, dir);
  const wrong = [
    ['image,response,main,selected\nx,0,0,0\n', /:2: image x is not in the project/],
    ['image,response,main,selected\na,0,9,9\n', /:2: label 9 is no class of the project/],
    ['image,response,main,selected\na,0,1,0\n', /:2: .*main/],
    ['image,response,worker,main,selected\na,0,=1,0,0\n', /:2: the worker =1/],
  ];
  for (const [text, message] of wrong) {
    await fails(['import', 'responses', at, put(t, 'r.csv', text)], message);
  }
  await fails(['import', 'responses', at, put(t, 'r.csv', FILE), '--order', put(t, 'o.csv', 'image,candidate_order\na,0+0\n')], /:2: label 0 appears twice/);
  assert.equal((await sql(at, 'SELECT (SELECT count(*) FROM campaign) + (SELECT count(*) FROM grid) + (SELECT count(*) FROM answer)')).trim(), '0');
  /* What is there already holds. */
  await must(['import', 'responses', at, put(t, 'r.csv', FILE)]);
  await fails(['import', 'responses', at, put(t, 'r.csv', FILE.replace('a,0,ann,0,0+2', 'a,0,ann,2,0+2'))], /:2: .*already/);
  await fails(['import', 'votes', at, put(t, 'v.csv', `task,worker,label\na:${WNIDS[0]},ann,1\n`), '--campaign', 'classify'], /has answers to the task CLASSIFY/);
});

test('single votes come in and out', async (t) => {
  const at = copyOf(t, dir);
  const votes = `task,worker,label\n${['a', 'b'].flatMap((image) => ['ann', 'bob'].map((who, i) => `${image}:${WNIDS[1]},${who},${i}\n`)).join('')}`;
  await says(['import', 'votes', at, put(t, 'v.csv', votes)], /2 tasks and 4 answers read, 2 and 4 of them new/);
  assert.equal(await must(['export', 'votes', at, '--format', 'long']), votes);
  assert.match(await must(['export', 'frequencies', at]), new RegExp(`^a,${WNIDS[1]},2,1$`, 'm'));
  await must(['check', at]);
  await fails(['import', 'votes', at, put(t, 'v.csv', 'task,worker,label\na:n00000009,ann,1\n')], /:2: class n00000009 is not in the project/);
  await fails(['import', 'votes', at, put(t, 'v.csv', `task,worker,label\na:${WNIDS[0]},ann,1\na:${WNIDS[0]},ann,0\n`)], /:3: worker ann has a row/);
  await fails(['import', 'votes', at, put(t, 'v.csv', 'task,worker,label\na,ann,cat\n')], /label "cat" is neither 1 nor 0/);
});
