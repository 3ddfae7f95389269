/* `holdout objects`: what is refused, which responses count, and what is written. The published results are in
 * tests/golden. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { must, wholeFile } from '../http/lib.mjs';
import { fails, put, says } from './tools.mjs';

const whole = wholeFile();
/* A ball (30) and a terrier that is called 10 by some and 20 by others; 40 was chosen alone. */
const RESPONSES = ['image,response,worker,main,selected', 'park,0,ada,10,30+10', 'park,1,ben,30,30+20', 'park,2,cy,10,10+30',
  'park,3,dee,20,30+20', 'park,4,eve,40,40', 'sea,0,ada,7,7'];
const ORDER = ['image,label,candidate_order', 'park,10,30+10+20+40', 'gone,1,1'];
const file = (name, rows) => put(whole, name, `${rows.join('\n')}\n`);
const responses = file('r.csv', RESPONSES), order = file('order.csv', ORDER);
const rowsOf = (out) => {
  const [head, ...rows] = out.trimEnd().split('\n').map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i]])));
};

test('labels become objects, and what too few people say is left open', async () => {
  const r = await says(['objects', responses, '--order', order], /1 images have fewer than 5 responses/);
  const [park, sea] = rowsOf(r.out);
  assert.deepEqual(park, { image: 'park', label: '10', num_responses: '5', num_objects: '2', num_objects_tied: '0', main_label: '10', main_tied: '0',
    candidate_order: '30+10+20', dropped: '40', within_cost: '0', n_optimal: '1', objects: '10:2+20:2|30:4', object_labels: '10|30',
    main_object: '0', main_votes: '3|1', label_object: '0' });
  assert.deepEqual([sea.num_responses, sea.num_objects, sea.main_label, sea.objects, sea.n_optimal], ['1', '', '', '', '']);
  const [, one] = rowsOf(await must(['objects', responses, '--least', '1', '--quiet']));
  assert.deepEqual([one.label, one.num_objects, one.objects, one.label_object], ['', '1', '7:1', '']);
});

test('as JSON lines, with shares and stability', async () => {
  const [park, sea] = (await must(['objects', responses, '--order', order, '--json', '--leave-out', '2', '--quiet'])).trimEnd().split('\n').map(JSON.parse);
  assert.deepEqual(park.objects[0], { label: '10', selections: 4, main_votes: 3,
    labels: [{ label: '10', selected: 2, share: 0.5, frequency: 0.4 }, { label: '20', selected: 2, share: 0.5, frequency: 0.4 }] });
  assert.deepEqual([park.main_agreement, park.unassigned, park.stability.kept, park.stability.subsets], [0.4, ['40'], 3, 10]);
  assert.deepEqual([sea.num_objects, sea.objects, sea.stability.subsets], [null, [], null]);
  const few = JSON.parse((await must(['objects', responses, '--json', '--leave-out', '2', '--draws', '4', '--quiet'])).split('\n')[0]);
  assert.equal(few.stability.subsets, 4);
});

test('the first or random responses', async () => {
  const ask = (...more) => must(['objects', responses, '--least', '1', '--quiet', ...more]);
  const [first] = rowsOf(await ask('--first', '2'));
  assert.deepEqual([first.num_responses, first.objects], ['2', '30:2|10:1+20:1']);
  const random = [];
  for (const seed of ['1', '2', '3', '4']) {
    random.push(await ask('--random', '2', '--seed', seed));
    assert.equal(random.at(-1), await ask('--random', '2', '--seed', seed));
    assert.equal(rowsOf(random.at(-1))[0].num_responses, '2');
  }
  assert.ok(new Set(random).size > 1);
});

test('distributions of labels, and the responses with and without who gave them', async () => {
  const ask = async (format, ...more) => (await must(['objects', responses, '--least', '1', '--quiet', '--format', format, ...more])).trimEnd().split('\n');
  const soft = await ask('soft');
  assert.equal(soft[0], 'image,label,selected,responses,frequency,share,main');
  assert.equal(soft.length, 6);
  assert.ok(soft.includes('park,30,4,5,0.8,0.4444444444444444,0.2'));
  const [park] = (await ask('soft-jsonl')).map(JSON.parse);
  assert.ok(Math.abs(Object.values(park.share).reduce((a, b) => a + b) - 1) < 1e-12);
  assert.deepEqual(park.main, { 10: 0.4, 20: 0.2, 30: 0.2, 40: 0.2 });
  assert.deepEqual(await ask('responses'), RESPONSES.map((row) => row));
  assert.deepEqual((await ask('responses', '--without-workers'))[1], 'park,0,10,30+10');
  assert.deepEqual((await ask('votes')).slice(0, 3), ['task,worker,label,main', 'park,ada,30,0', 'park,ada,10,1']);
  assert.deepEqual((await ask('votes', '--without-workers'))[1], 'park,response 0,30,0');
  assert.deepEqual(JSON.parse((await ask('responses-jsonl'))[0]), { image: 'park', response: 0, worker: 'ada', main: '10', selected: ['30', '10'] });
});

test('what is wrong is named by file and line, and nothing is written', async () => {
  const refused = async (rows, message, ...more) => {
    const r = await fails(['objects', file('bad.csv', rows), ...more], message);
    assert.equal(r.out, '');
  };
  const [head, first] = RESPONSES;
  await refused([head, first, 'park,1,ben,20,30+10'], /bad\.csv:3: the main label 20 is not among those selected/);
  await refused([head, first, 'park,1,ben,30,'], /bad\.csv:3: no label is selected/);
  await refused([head, first, 'park,1,ada,30,30'], /bad\.csv:3: worker ada has answered about image park before/);
  await refused([head, first], /bad\.csv:2: 2 labels are selected; expected at most 1/, '--most', '1');
  await refused([head, first], /bad\.csv:2: label 10 is not among the classes of .*classes\.csv/, '--classes', file('classes.csv', ['class,wnid', '30,n30']));
  await refused(['image,main,selected', ...Array.from({ length: 6 }, (_, i) => `park,${12 * i},${Array.from({ length: 12 }, (_, k) => 12 * i + k).join('+')}`)],
    /image park has more than 64 different labels/);
  await refused([head, first], /order2\.csv:3: image park has a row already/, '--order', file('order2.csv', [...ORDER.slice(0, 2), 'park,1,1']));
  await refused([head, first], /order3\.csv:2: label 30 appears twice/, '--order', file('order3.csv', [ORDER[0], 'park,10,30+30']));
  await refused([head, first], /classes2\.csv:3: class 1 has a row already/, '--classes', file('classes2.csv', ['class', '1', '1']));
  await fails(['objects', responses, '--format', 'xml'], /--format must be csv, jsonl, soft/, { code: 2 });
  await fails(['objects', responses, '--first', '2', '--random', '2'], /not both/, { code: 2 });
  await fails(['objects', responses, '--leave-out', '1', '--format', 'soft'], /--leave-out goes with/, { code: 2 });
  await fails(['objects', 'nowhere.csv'], /nowhere\.csv/);
});
