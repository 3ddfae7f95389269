/* Scores of a part of the images: near-duplicates of training images, a class with what is below it; the same numbers
 * on command line, page, API and chart, and nothing that a sealed set has. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { Client, holdout, must, tempDir, wholeFile } from './lib.mjs';
import { MODELS, SETS, WNIDS, addModels, importModel, importSet, predictions, writer } from './model_world.mjs';
import { startStudy } from './study.mjs';
import { sqlite } from '../load/tools.mjs';

const LEARNT = SETS.originals.filter((_, i) => i % 3 === 0).map(({ image }) => image);
const t = wholeFile();
let dir, lead, file;

/* Right answers of a model over a part of a set. */
const right = (model, set, has) =>
  predictions(SETS[set], MODELS[model][set]).filter((p, i) => has(SETS[set][i]) && p.labels[0] === SETS[set][i].wnid).length;
const parts = {
  'near-duplicates': ({ image }) => LEARNT.includes(image),
  'without-near-duplicates': ({ image }) => !LEARNT.includes(image),
  [`class:${WNIDS[1]}`]: ({ wnid }) => wnid === WNIDS[1],
};
const rows = (csv) => {
  const [head, ...lines] = csv.trimEnd().split('\n').map((line) => line.split(','));
  return lines.map((line) => Object.fromEntries(head.map((name, i) => [name, line[i]])));
};

before(async () => {
  const study = await startStudy(t);
  ({ dir } = study);
  file = writer(tempDir(t));
  await addModels(dir, file);
  await must(['import', 'image-list', dir, file('training.csv', `image,wnid,kind\nt-0,${WNIDS[0]},training\n`)]);
  lead = await new Client(study.server.url).login('lead');
});

test('a project without near-duplicates has none, and says which subsets there are', async () => {
  const body = (await lead.json('GET', '/api/v1/duplicates')).body;
  assert.deepEqual(body.accuracy, []);
  assert.doesNotMatch(await lead.page('/duplicates/quality'), /add to top-1 accuracy/);
  const odd = await lead.json('GET', '/api/v1/scores?subset=odd');
  assert.deepEqual([odd.status, odd.body.code], [400, 'subset']);
  assert.match(odd.body.detail, /near-duplicates, without-near-duplicates, problematic/);
  const none = await lead.json('GET', '/api/v1/scores?subset=class:n7');
  assert.deepEqual([none.status, none.body.code], [404, 'no-class']);
  const empty = await holdout(['score', dir, '--set', 'originals', '--subset', 'near-duplicates']);
  assert.equal(empty.code, 0);
  assert.match(empty.err, /none of its images is in the subset/);
  assert.equal((await holdout(['score', dir, '--set', 'originals', '--subset', 'class:n7'])).code, 1);
});

test('the accuracy of a part is that of its images, everywhere', async () => {
  await must(['import', 'near-duplicates', dir, file('pairs.csv', `a,b\n${LEARNT.map((name) => `${name},t-0\n`).join('')}`)]);
  for (const [name, has] of Object.entries(parts)) {
    const n = SETS.originals.filter(has).length, fresh = SETS.fresh.filter(has).length;
    const alone = rows(await must(['score', dir, '--set', 'originals', '--subset', name]));
    for (const model of Object.keys(MODELS)) {
      const own = alone.find((r) => r.model === model);
      assert.deepEqual([Number(own.n), Number(own.top1_correct)], [n, right(model, 'originals', has)], `${name}: ${model}`);
    }
    const scores = (await lead.json('GET', `/api/v1/scores?subset=${name}`)).body;
    assert.equal(scores.subset, name);
    const pair = await must(['score', dir, '--original', 'originals', '--new', 'fresh', '--subset', name, '--common']);
    assert.equal(await (await lead.get(`/api/v1/scores.csv?subset=${name}&common=1`)).text(), pair);
    if (fresh === 0) {
      assert.deepEqual(scores.items, [], 'no new image is one');
      continue;
    }
    for (const item of scores.items) {
      const counts = [item.orig_correct, item.orig_n, item.new_correct, item.new_n];
      assert.deepEqual(counts, [right(item.model, 'originals', has), n, right(item.model, 'fresh', has), fresh], name);
      const chart = (await lead.json('GET', `/charts/models-scatter/json?subset=${name}`)).body;
      assert.ok(JSON.stringify(chart).includes(String(item.new_correct / item.new_n)), 'the chart is of the same images');
    }
    assert.equal(scores.items.length, 2);
    assert.match(await lead.page(`/models?subset=${name}`), new RegExp(`option\\s+value="${name}" selected`));
  }
});

test('what near-duplicates add: as in the paper, accuracy is a mean of both parts', async () => {
  const { accuracy } = (await lead.json('GET', '/api/v1/duplicates')).body;
  assert.equal(accuracy.length, 2);
  for (const a of accuracy) {
    const share = a.duplicates / a.images;
    assert.deepEqual([a.images, a.duplicates], [SETS.originals.length, LEARNT.length]);
    assert.equal(a.on_duplicates, right(a.model, 'originals', parts['near-duplicates']) / LEARNT.length);
    assert.ok(Math.abs(a.accuracy - ((1 - share) * a.without_duplicates + share * a.on_duplicates)) < 1e-12);
    assert.ok(Math.abs(a.change - (a.without_duplicates - a.accuracy)) < 1e-12);
  }
  assert.match(await lead.page('/duplicates/quality'), /add to top-1 accuracy/);
});

test('of a part, answers about images of a sealed set never count', async () => {
  const mixed = [...SETS.originals.slice(0, 6), ...SETS.closed.slice(0, 4)];
  await importSet(dir, file, 'mixed', [], mixed);
  SETS.mixed = mixed;
  MODELS.sharp.mixed = 4;
  await importModel(dir, file, 'sharp', 'mixed', 4);
  const [all] = rows(await must(['score', dir, '--set', 'mixed']));
  assert.equal(Number(all.n), mixed.length);
  const [part] = rows(await must(['score', dir, '--set', 'mixed', '--subset', `class:${WNIDS[0]}`]));
  assert.equal(Number(part.n), 6, 'the same images, but for those of the sealed set');
});

test('superclasses under a name: by page and command, in versions, wherever classes are grouped', async () => {
  const list = (a, b) => `class,superclass\n${WNIDS[0]},${a}\n${WNIDS[1]},"${b}"\n`;
  const store = async (fields) => {
    const page = await lead.page('/measures/superclasses');
    const [, seen] = /name="seen" value="(\d+)"/.exec(page);
    return lead.post('/measures/superclasses', { seen, ...fields });
  };
  const refused = async (fields, message, status = 400) => {
    const r = await store(fields);
    assert.equal(r.status, status);
    assert.match((await r.text()).replaceAll('&quot;', '"'), message);
  };
  await refused({ name: '.odd', list: list('stone', 'pome') }, /must not begin with a dot/);
  await refused({ name: 'kinds', list: 'class\nn1\n' }, /list:1: the columns class and superclass are needed/);
  await refused({ name: 'kinds', list: 'class,superclass\nn7,stone\n' }, /list:2: there is no such class: "n7"/);
  await refused({ name: 'kinds', list: `${list('stone', 'pome')}${WNIDS[0]},stone\n` }, /list:4: the class has a superclass already/);
  await refused({ name: 'kinds', list: list('', 'pome') }, /list:2: a superclass needs a name/);
  await refused({ name: 'kinds', list: list('pome', 'pome') }, /at least two superclasses/);
  assert.deepEqual((await lead.json('GET', '/api/v1/superclasses')).body.items, []);

  const first = await store({ name: 'kinds', list: list('stone', 'pome, or <apple>'), note: 'ours' });
  assert.equal(first.status, 303);
  const late = await lead.post('/measures/superclasses', { name: 'kinds', list: list('a', 'b'), seen: '0' });
  assert.deepEqual([late.status, /Somebody else has stored/.test(await late.text())], [409, true]);
  assert.equal(await lead.page('/api/v1/superclasses/kinds/file.csv'), await must(['superclasses', dir, 'kinds']));
  const cids = file('cids.csv', 'class,superclass\n0,stone\n1,"pome, or <apple>"\n');
  assert.match((await holdout(['superclasses', dir, 'kinds', cids])).err, /This is already @kinds\/1/);
  await must(['superclasses', dir, 'kinds', file('other.csv', `wnid,superclass\n${WNIDS[0]},x\n${WNIDS[1]},y\n`)]);
  assert.deepEqual((await lead.json('GET', '/api/v1/superclasses')).body.items.map((s) => [s.groups, s.superclasses, s.classes, s.newest]), [['@kinds/2', 2, 2, true]]);
  assert.equal((await holdout(['superclasses', dir, 'kinds', file('bad.csv', 'class,superclass\n9,x\n')])).code, 1);

  const { body } = await lead.json('GET', '/api/v1/measures/confusions?set=originals&groups=%40kinds/1');
  assert.deepEqual([body.groups, body.superclasses.map((g) => g.wnid)], ['@kinds/1', ['pome, or <apple>', 'stone']]);
  assert.deepEqual(body.items.map((i) => [i.wnid, i.said]), [['pome, or <apple>', 'stone'], ['stone', 'pome, or <apple>']].slice(0, body.items.length));
  const page = await lead.page('/measures/confusions?set=originals&groups=%40kinds');
  assert.match(page, /<option\s+value="@kinds\/2" selected>kinds \(2\)/);
  const inside = /href="(\/measures\/confusions\?[^"]*row=[^"]*)"/.exec(await lead.page('/measures/confusions?set=originals&groups=%40kinds/1'))[1].replaceAll('&amp;', '&');
  assert.match(await lead.page(inside), /n0000000/);
  assert.equal((await lead.json('GET', '/api/v1/measures/confusions?groups=%40none')).body.code, 'no-superclasses');
  assert.match(JSON.stringify((await lead.json('GET', '/api/v1/history?limit=500')).body), /stored the superclasses kinds\/1: ours/);

  await must(['check', dir]);
  await sqlite(`${dir}/holdout.db`, "UPDATE superclass_member SET superclass = 'z' WHERE superclass = 'x';");
  const found = await holdout(['check', dir]);
  assert.deepEqual([found.code, /@kinds\/2 says does not match its digest/.test(found.out + found.err)], [1, true]);
});
