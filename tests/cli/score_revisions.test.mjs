/* `holdout score --revisions`: models on every revision of a set, what each changed, and what is refused. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { holdout, must, newProject, wholeFile } from '../http/lib.mjs';
import { MODELS, SETS, addMeasuresWorld, deep, right } from '../http/measures_world.mjs';
import { copyOf, fails, put, says } from './tools.mjs';

const whole = wholeFile();
let dir;

before(async () => {
  dir = await newProject(whole);
  await addMeasuresWorld(whole, dir);
});

const rows = (csv) => {
  const [head, ...lines] = csv.trimEnd().split('\n').map((line) => line.split(','));
  return lines.map((line) => Object.fromEntries(head.map((name, i) => [name, line[i]])));
};
const score = (...more) => ['score', dir, '--set', 'fresh', '--revisions', ...more];

test('every model on every revision, and what each changed', async () => {
  const got = rows(await must(score()));
  assert.equal(got.length, 3 * Object.keys(MODELS).length);
  for (const row of got) {
    const list = SETS[row.set], before_ = SETS[`fresh/${row.number - 1}`];
    const names = new Set(list.map(({ image }) => image));
    const lost = (before_ ?? []).filter(({ image }) => !names.has(image)).length;
    const changes = before_ ? [String(list.length - before_.length + lost), String(lost)] : ['', ''];
    assert.deepEqual([row.added, row.removed, row.parent], [...changes, before_ ? `fresh/${row.number - 1}` : ''], row.set);
    assert.deepEqual([row.name, Number(row.images), Number(row.n)], [row.set.replace('/', '-'), list.length, list.length]);
    assert.equal(Number(row.top1_correct), right(list, row.model, 1));
    assert.equal(row.top5_correct, deep(row.model) ? String(right(list, row.model, 5)) : '');
    assert.equal(Number(row.top1), right(list, row.model, 1) / list.length);
    assert.ok(Number(row.top1_lo) < Number(row.top1) && Number(row.top1) < Number(row.top1_hi));
  }
  assert.deepEqual(rows(await must(score('--model', 'small'))), got.filter(({ model }) => model === 'small'));
  assert.deepEqual(rows(await must(score('--model', 'small,large'))).map(({ model }) => model), ['small', 'small', 'small', 'large', 'large', 'large']);
  const json = JSON.parse(await must(score('--json', '--model', 'large')));
  assert.deepEqual(json.revisions.map((r) => r.top1_correct), got.filter(({ model }) => model === 'large').map((r) => Number(r.top1_correct)));
  assert.deepEqual([json.left_out, json.sealed, json.revisions[0].added], [[], 0, null]);
});

test('as printed tables', async () => {
  const [first, second] = rows(await must(score('--model', 'small'))), percent = (v) => (100 * Number(v)).toFixed(1);
  const printed = (await must(score('--model', 'small', '--format', 'markdown'))).split('\n');
  assert.equal(printed[0], '| Model | Revision | Images | Added | Removed | Top-1 | Top-5 |');
  for (const [row, line] of [[first, printed[2]], [second, printed[3]]]) {
    const top1 = `${percent(row.top1)} [${percent(row.top1_lo)}, ${percent(row.top1_hi)}]`;
    assert.ok(line.startsWith(`| small | ${row.name} | ${row.images} | ${row.added || '–'} | ${row.removed || '–'} | ${top1} |`), line);
  }
  assert.match(await must(score('--format', 'latex')), /^Model & Revision & .*\n[^]*^% \\caption\{Accuracy in percent by revision/m);
  await fails(score('--format', 'excel'), /--format must be csv, markdown or latex/, { code: 2 });
});

test('a revision without all predictions is left out, and so is a sealed one', async (t) => {
  const other = copyOf(t, dir);
  const said = SETS['fresh/1'].map((one) => JSON.stringify({ image: one.image, labels: [one.wnid] })).join('\n');
  await must(['import', 'predictions', other, put(t, 'said.jsonl', `${said}\n`), '--model', 'part']);
  const list = put(t, 'next.csv', ['image,wnid', ...SETS['fresh/0'].slice(0, 9).map((one) => `${one.image},${one.wnid}`)].join('\n'));
  await must(['import', 'set', other, 'fresh', list, '--sealed']);
  const r = await says(['score', other, '--set', 'fresh', '--revisions', '--model', 'part'],
    /Left out: part on fresh-0 \(predictions about \d+ of 120 images\)\.[^]*1 revision is sealed/);
  assert.deepEqual(rows(r.out).map(({ set, top1 }) => [set, top1]), [['fresh/1', '1.0']]);
  const json = JSON.parse(await must(['score', other, '--set', 'fresh', '--revisions', '--model', 'part', '--json']));
  assert.deepEqual([json.revisions.length, json.left_out.map(({ set }) => set), json.sealed], [1, ['fresh/0', 'fresh/2'], 1]);
});

test('what may not be asked', async () => {
  await fails(score('--model', 'none'), /There is no model none/);
  await fails(['score', dir, '--set', 'fresh', '--model', 'small'], /--model is for --by and --revisions/, { code: 2 });
  await fails(score('--top', '1'), /--revisions is about one --set/, { code: 2 });
  await fails(['score', dir, '--original', 'old', '--new', 'fresh', '--revisions'], /--revisions is about one --set/, { code: 2 });
  const bare = await holdout(['score', dir, '--set', 'old', '--revisions', '--subset', 'near-duplicates']);
  assert.deepEqual([bare.code, bare.out.split('\n').length], [0, 2]);
  assert.match(bare.err, /No model has predictions about all images of a revision/);
});
