/* measures_world.mjs - six classes whose every vote is known, a set of originals, a new set in three revisions, models
 * with predictions; and what must come out of them, counted here. */
import path from 'node:path';

import { sqlite } from '../load/tools.mjs';
import { linesIn, must, tempDir } from './lib.mjs';

const range = (n) => Array.from({ length: n }, (_, i) => i);
const CLASSES = 6;
const VOTES = 10;
export const wnid = (c) => `n${String(c + 1).padStart(8, '0')}`;

/* One grid a class shows 28 candidates and 20 originals; `late` ones are in no grid. Of ten votes about image i,
 * i * 7 % 11 selected it. */
const images = range(CLASSES).flatMap((c) => [
  ...range(28).map((i) => ({ image: `cand-${c}-${i}`, c, kind: 'cand', selected: (i * 7) % 11 })),
  ...range(20).map((i) => ({ image: `val-${c}-${i}`, c, kind: 'val', selected: (i * 7) % 11 })),
  { image: `cand-${c}-late`, c, kind: 'cand', selected: null },
  { image: `val-${c}-late`, c, kind: 'val', selected: null },
]).map((one, idx) => ({ ...one, idx, wnid: wnid(one.c) }));

const nth = ({ image }) => Number(image.split('-')[2]);
/* The new set begins with candidates 0 to 19 of each class; then 4 are taken out and 2 added; then a late one comes. */
export const SETS = {
  old: images.filter(({ kind }) => kind === 'val'),
  'fresh/0': images.filter((one) => one.kind === 'cand' && nth(one) < 20),
  'fresh/1': images.filter((one) => one.kind === 'cand' && nth(one) >= 4 && nth(one) < 22),
  'fresh/2': images.filter((one) => one.kind === 'cand' && !(nth(one) < 4 || nth(one) >= 22)),
};
/* A model is wrong about every so manieth image, and then has the label second or nowhere. "shallow" says one label. */
export const MODELS = { large: 7, middle: 4, shallow: 5, small: 3 };
export const deep = (model) => model !== 'shallow';
const place = ({ idx }, wrong) => (idx % wrong ? 1 : idx % 2 ? 2 : 0);

export const bin = (one) => (one.selected === null ? null : Math.min(4, Math.floor((5 * one.selected) / VOTES)));
/* Right answers of a model among images. */
export const right = (list, model, top) => list.filter((one) => {
  const at = place(one, MODELS[model]);
  return at >= 1 && at <= top;
}).length;

export function labels(one, model) {
  const others = range(CLASSES).filter((c) => c !== one.c).map(wnid);
  const five = [others, [one.wnid, ...others], [others[0], one.wnid, ...others.slice(1)]][place(one, MODELS[model])];
  return five.slice(0, deep(model) ? 5 : 1);
}

const pairs = (list) => list.map((one) => [one.image, one.wnid]);

/* A line of the published history of "fresh". */
function revision(number) {
  const [is, was] = [SETS[`fresh/${number}`], SETS[`fresh/${number - 1}`] ?? []];
  const [added, removed] = [is.filter((one) => !was.includes(one)), was.filter((one) => !is.includes(one))];
  return JSON.stringify({ name: `fresh-${number}`, parent: number ? `fresh-${number - 1}` : null, size: is.length, is_valid: true,
    sampling_function: 'wnid_histogram', target_size: is.length, add: pairs(added), remove: removed.map(({ image }) => image) });
}

/* Into a project without classes; `sets`, `models`, `votes` false: without these. */
export async function addMeasuresWorld(t, dir, { sets = true, models = true, votes = true } = {}) {
  const write = linesIn(tempDir(t));
  const masks = images.reduce((all, one) => all.set(one.c, [...all.get(one.c) ?? [], ...(one.selected === null ? [] : [one])]), new Map());
  const hits = [...masks].map(([c, shown]) => {
    const of = (kind) => shown.filter((one) => one.kind === kind).map(({ idx }) => idx);
    return { hit: c, uuid: `hit-${c}`, wnid: wnid(c), time: '2018-10-01 00:00:00', source_file: 'f', excluded: '',
      label: of('cand'), pos: of('val'), neg: [], all: shown.map(({ idx }) => idx) };
  });
  const lines = [...masks].flatMap(([c, shown]) => range(VOTES).map((v) => {
    const mask = shown.reduce((m, one, bit) => (v < one.selected ? m | 1n << BigInt(bit) : m), 0n);
    return `${c * VOTES + v},${c},w${v},A,1538352000,60,${mask.toString(16).padStart(12, '0')}`;
  }));
  await must(['import', 'classes', dir, write('classes.csv', ['cid,wnid,synset,gloss,wikipedia', ...range(CLASSES).map((c) => `${c},${wnid(c)},thing ${c},a thing,`)])]);
  await must(['import', 'image-list', dir, write('images.csv', ['idx,image,wnid,kind,source_id,date_taken', ...images.map((i) => `${i.idx},${i.image},${i.wnid},${i.kind},,`)])]);
  if (votes) {
    await must(['import', 'hits', dir, write('hits.jsonl', hits.map((h) => JSON.stringify(h)))]);
    await must(['import', 'votes', dir, write('votes.csv', ['assignment,hit,worker,status,accept_time,duration_s,mask_hex', ...lines])]);
  }
  if (sets) {
    await must(['import', 'set', dir, 'old', write('old.csv', ['image,wnid', ...pairs(SETS.old).map((pair) => pair.join())]), '--role', 'original']);
    await must(['import', 'sets', dir, write('fresh.jsonl', [0, 1, 2].map(revision))]);
  }
  for (const name of models ? Object.keys(MODELS) : []) await predict(t, dir, name, images, name);
}

/* A model says what another of MODELS would of some images. */
async function predict(t, dir, name, list, as) {
  const said = list.map((one) => JSON.stringify({ image: one.image, labels: labels(one, as) }));
  await must(['import', 'predictions', dir, linesIn(tempDir(t))('said.jsonl', said), '--model', name]);
}

/* Superclasses: the classes 0 to 2 are below one synset, the others below another, and both below a third. */
export const high = (c) => `high-${c < 3 ? 0 : 1}`;
export const HIGH = 'high-0%2Bhigh-1';
export const addHierarchy = (dir) => sqlite(path.join(dir, 'holdout.db'), [
  "INSERT INTO synset (id, wnid, words, gloss) VALUES (2000000000, 'top', 'top', ''), (2000000001, 'high-0', 'high 0|low', ''), (2000000002, 'high-1', 'high 1', '');",
  'INSERT INTO hypernym (child, parent) VALUES (2000000001, 2000000000), (2000000002, 2000000000);',
  ...range(CLASSES).map((c) => `INSERT INTO synset (id, wnid, words, gloss) VALUES (${2000000010 + c}, '${wnid(c)}', 'thing ${c}', '');
    INSERT INTO hypernym (child, parent) VALUES (${2000000010 + c}, ${c < 3 ? 2000000001 : 2000000002});`)].join('\n'));

/* A model that says what "small" does, of the originals and of the last revision of the new set alone. */
export const addLateModel = (t, dir) => predict(t, dir, 'late', [...SETS.old, ...SETS['fresh/2']], 'small');
/* One that says it of the new set alone. */
export const addHalfModel = (t, dir) => predict(t, dir, 'half', SETS['fresh/2'], 'small');
