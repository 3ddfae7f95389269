/* demo_numbers.mjs - the main numbers of the demo once more, from its exports alone (lists of sets, predictions,
 * frequencies), in JavaScript: drop, ranks, the gap on common classes, bins by frequency, revisions, the line. They must be
 * what commands print and what the API says. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { Client, must, startServer } from '../http/lib.mjs';
import { copyOf } from './tools.mjs';

const [OLD, FRESH] = ['originals', 'matched'];
const table = (csv) => {
  const [head, ...lines] = csv.trimEnd().split('\n').map((line) => line.split(','));
  return lines.map((line) => Object.fromEntries(head.map((name, i) => [name, line[i]])));
};
const near = (got, want, where) => assert.ok(got !== '' && Math.abs(Number(got) - want) < 1e-9, `${where}: ${got}, not ${want}`);
const sum = (list, of = (x) => x) => list.reduce((s, x) => s + of(x), 0);
const share = (list, of) => sum(list, (x) => Number(of(x))) / list.length;

/* What the exports say: images of each revision with their labels, what models say first, votes by image and class. */
async function exported(dir, revisions) {
  const said = new Map(), lists = {}, models = new Set();
  for (const set of revisions) {
    lists[set] = table(await must(['export', 'set', dir, set, '--format', 'list']));
    for (const row of table(await must(['export', 'predictions', dir, '--set', set]))) {
      said.set(`${row.model} ${row.image}`, [row.label1, row.label2, row.label3, row.label4, row.label5]);
      models.add(row.model);
    }
  }
  const votes = new Map(table(await must(['export', 'frequencies', dir])).map((row) => [`${row.image} ${row.wnid}`, [Number(row.n_selected), Number(row.n_assignments)]]));
  return { lists, models: [...models].sort(), votes, right: (model, one, top) => said.get(`${model} ${one.image}`).slice(0, top).includes(one.wnid) };
}

function binOf(votes, one) {
  const [selected, shown] = votes.get(`${one.image} ${one.wnid}`) ?? [0, 0];
  return shown ? Math.min(4, Math.floor(5 * selected / shown)) : null;
}

/* Accuracy of both sides with the originals' shares of the classes that both have. */
function onCommon({ lists, right }, model, fresh) {
  const of = (set, wnid) => lists[set].filter((one) => one.wnid === wnid);
  const common = [...new Set(lists[OLD].map((one) => one.wnid))].filter((wnid) => of(fresh, wnid).length);
  const all = sum(common, (wnid) => of(OLD, wnid).length);
  const side = (set) => sum(common, (wnid) => of(OLD, wnid).length / all * share(of(set, wnid), (one) => right(model, one, 1)));
  return { gap: 100 * (side(OLD) - side(fresh)), classes: common.length };
}

function scores(of, printed, fresh) {
  assert.deepEqual(printed.map((row) => row.model).sort(), of.models);
  for (const row of printed) {
    const [old, now] = [OLD, fresh].map((set) => 100 * share(of.lists[set], (one) => of.right(row.model, one, 1)));
    for (const [name, want] of [['orig_acc', old], ['new_acc', now], ['gap', old - now], ['common_gap', onCommon(of, row.model, fresh).gap]]) near(row[name], want, `${row.model} ${name}`);
    assert.equal(Number(row.common_classes), onCommon(of, row.model, fresh).classes);
  }
  /* Models with as many right answers may stand in any order. */
  for (const [rank, set] of [['orig_rank', OLD], ['new_rank', fresh]]) {
    const counts = [...printed].sort((a, b) => a[rank] - b[rank]).map(({ model }) => sum(of.lists[set], (one) => Number(of.right(model, one, 1))));
    assert.deepEqual(printed.map((row) => Number(row[rank])).sort((a, b) => a - b), printed.map((_, i) => i + 1));
    assert.deepEqual(counts, [...counts].sort((a, b) => b - a), rank);
  }
}

function bins(of, rows, set) {
  for (const row of rows) {
    const own = of.lists[set].filter((one) => binOf(of.votes, one) === Number(row.bin));
    const right = (top) => sum(own, (one) => Number(of.right(row.model, one, top)));
    assert.deepEqual([row.n, row.top1_correct, row.top5_correct].map(Number), [own.length, right(1), right(5)], `${set} ${row.model} ${row.bin}`);
    if (row.top1 !== undefined && own.length) near(row.top1, right(1) / own.length, 'top1');
  }
  assert.equal(rows.length, 5 * of.models.length);
}

function revisions(of, rows) {
  for (const row of rows) {
    const list = of.lists[row.set], names = (l) => new Set(l.map((one) => one.image));
    near(row.top1, share(list, (one) => of.right(row.model, one, 1)), `${row.set} ${row.model}`);
    if (row.parent) {
      const [now, before] = [names(list), names(of.lists[row.parent])];
      assert.deepEqual([row.added, row.removed].map(Number), [[...now].filter((x) => !before.has(x)).length, [...before].filter((x) => !now.has(x)).length]);
    }
  }
}

function line(of, fit, fresh) {
  const points = of.models.map((model) => [OLD, fresh].map((set) => 100 * share(of.lists[set], (one) => of.right(model, one, 1))));
  const [mx, my] = [0, 1].map((i) => sum(points, (p) => p[i]) / points.length);
  const slope = sum(points, ([x, y]) => (x - mx) * (y - my)) / sum(points, ([x]) => (x - mx) ** 2);
  near(fit.slope, slope, 'slope');
  near(fit.offset, my - slope * mx, 'offset');
  assert.equal(fit.n_models, points.length);
}

/* Of a copy whose sealed set is opened and has predictions of every model. */
export async function numbersAgain(t, demo) {
  const dir = copyOf(t, demo);
  await must(['set', 'unseal', dir, FRESH, '--reason', 'to compute its numbers again']);
  const all = table(await must(['set', 'list', dir, '--quiet'])).filter(({ set }) => set === FRESH).map(({ set, revision }) => `${set}/${revision}`);
  assert.ok(all.length >= 2, 'it has revisions');
  for (const model of new Set(table(await must(['export', 'predictions', dir, '--set', OLD])).map((row) => row.model))) {
    for (const set of all) await must(['predict', dir, '--model', model, '--set', set, '--quiet']);
  }
  const of = await exported(dir, [OLD, ...all]), fresh = all.at(-1), pair = ['--original', OLD, '--new', fresh];
  scores(of, table(await must(['score', dir, ...pair, '--common', '--quiet'])), fresh);
  for (const set of [OLD, fresh]) bins(of, table(await must(['bins', dir, '--set', set, '--quiet'])), set);
  revisions(of, table(await must(['score', dir, '--set', FRESH, '--revisions', '--quiet'])));
  line(of, JSON.parse(await must(['fit', dir, ...pair, '--resamples', '100', '--quiet'])), fresh);

  const server = await startServer(t, dir), [login, password] = fs.readFileSync(path.join(dir, 'demo-login.txt'), 'utf8').split('\n');
  const lead = await new Client(server.url).login(login, password);
  const get = async (at) => (await lead.json('GET', `/api/v1/${at}?original=${OLD}&new=${fresh}&models=${of.models.join()}`)).body;
  const measures = await get('measures'), scored = await get('scores');
  bins(of, measures.original_by_frequency.models, `${OLD}`);
  bins(of, measures.new_by_frequency.models, fresh);
  assert.equal(measures.revisions.length, all.length * of.models.length);
  revisions(of, measures.revisions);
  near(measures.change_top1.mean, sum(of.models, (m) => 100 * (share(of.lists[fresh], (one) => of.right(m, one, 1)) - share(of.lists[OLD], (one) => of.right(m, one, 1)))) / of.models.length, 'drop');
  near(measures.change_common.mean, -sum(of.models, (m) => onCommon(of, m, fresh).gap) / of.models.length, 'common');
  line(of, { ...(await get('measures/fit')).fit }, fresh);
  scores(of, scored.items.map((row) => ({ ...row, common_classes: scored.gaps.common_classes })), fresh);
}
