/* demo_objects.mjs - objects of the demo's images against its truth, printed and bounded: from what its own people ticked, and
 * from people of a fixed skill who choose among the same labels; each by how many answers count, beside a majority for each
 * label by itself. An image is recovered when the names of its objects are the classes that are plainly there.
 *
 * The world's rules (demo/scene.h): classes of one image are taken for one another in few images. People of a fixed skill see
 * each thing nine times in ten and call one thing in five by its rival; all images of two or three classes count, whoever
 * stands beside whom. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { must } from '../http/lib.mjs';

const ANSWERS = 9, RIVAL = 0.2, SEES = 0.9, SEEDS = [1, 2, 3, 4, 5], SCENE = 360 * 270, PLAIN = 0.25;
const table = (csv) => {
  const [head, ...lines] = csv.trimEnd().split('\n').map((line) => line.split(','));
  return lines.map((line) => Object.fromEntries(head.map((name, i) => [name, line[i]])));
};
const same = (a, b) => a.length === b.length && a.every((one) => b.includes(one));
const percent = (k, n) => `${(100 * k / n).toFixed(1)} %`;

/* How plainly a thing is shown, as the demo's people see it. */
function plainness(thing, image) {
  const size = Math.min(1, Math.sqrt(thing.box[2] * thing.box[3] / SCENE) / 0.4);
  return thing.visibility < 0.08 ? 0 : size * (0.4 + 0.6 * thing.visibility) * (thing.tinted ? 0.75 : 1) * (image.gray ? 0.85 : 1);
}

/* Images of two or three classes that are plainly there: name to classes. */
function severalObjects(truth) {
  const all = truth.filter((t) => !t.drawing).map((t) => [t.image, [...new Set(t.objects.filter((o) => plainness(o, t) >= PLAIN).map((o) => o.class))]]);
  return new Map(all.filter(([, classes]) => classes.length === 2 || classes.length === 3));
}

/* Of the images that count: how many are recovered by objects, and by labels that more than half of the first n ticked. */
async function recovered(files, want, n) {
  const objects = table(await must(['objects', files.responses, '--order', files.order, '--first', String(n), '--least', '1', '--quiet']));
  const ticks = new Map();
  for (const row of table(fs.readFileSync(files.responses, 'utf8'))) ticks.set(row.image, [...(ticks.get(row.image) ?? []), row.selected.split('+')]);
  const result = { images: 0, objects: 0, majority: 0 };
  for (const row of objects.filter((one) => want.has(one.image))) {
    const first = ticks.get(row.image).slice(0, n);
    const often = [...new Set(first.flat())].filter((label) => 2 * first.filter((one) => one.includes(label)).length > first.length);
    result.images++;
    result.objects += same(row.object_labels.split('|'), want.get(row.image));
    result.majority += same(often, want.get(row.image));
  }
  return result;
}
const told = (r) => `${percent(r.objects, r.images)} by objects, ${percent(r.majority, r.images)} by a majority for each label, of ${r.images} images`;

/* Numbers from 0 to 1 (mulberry32). */
function chances(seed) {
  let state = seed;
  return () => {
    state = state + 0x6D2B79F5 | 0;
    let x = Math.imul(state ^ state >>> 15, 1 | state);
    x = x + Math.imul(x ^ x >>> 7, 61 | x) ^ x;
    return ((x ^ x >>> 14) >>> 0) / 2 ** 32;
  };
}

/* Nine people for each image: each sees each thing that often and calls it by its rival one time in five. Who sees nothing
 * says the first. */
function drawn(dir, want, rivals, sees, seed) {
  const chance = chances(seed);
  const responses = ['image,response,main,selected'], order = ['image,label,candidate_order'];
  for (const [image, classes] of want) {
    order.push(`${image},${classes[0]},${[...new Set([...classes, ...classes.map((one) => rivals.get(one))])].join('+')}`);
    for (let i = 0; i < ANSWERS; i++) {
      const seen = classes.filter(() => chance() < sees).map((one) => (chance() < RIVAL ? rivals.get(one) : one));
      const said = [...new Set(seen.length ? seen : classes.slice(0, 1))];
      responses.push(`${image},${i},${said[0]},${said.join('+')}`);
    }
  }
  const files = { responses: path.join(dir, 'skill.csv'), order: path.join(dir, 'skill-order.csv') };
  fs.writeFileSync(files.responses, `${responses.join('\n')}\n`);
  fs.writeFileSync(files.order, `${order.join('\n')}\n`);
  return files;
}

export async function objectsAgain(t, dir, temp) {
  const truth = fs.readFileSync(path.join(dir, 'demo-images', 'truth.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  const want = severalObjects(truth);
  const files = { responses: path.join(temp, 'responses.csv'), order: path.join(temp, 'order.csv') };
  fs.writeFileSync(files.responses, await must(['export', 'responses', dir, '--campaign', 'objects']));
  fs.writeFileSync(files.order, await must(['export', 'responses', dir, '--campaign', 'objects', '--format', 'order']));
  const candidates = table(fs.readFileSync(files.order, 'utf8')).map((row) => [row.image, row.candidate_order.split('+')]);
  for (const [image, labels] of candidates.filter(([image]) => want.has(image))) {
    assert.ok(want.get(image).every((one) => labels.includes(one)), `${image}: what is there is a candidate`);
  }

  /* The demo's own people overlook what is hardly shown: objects are what most of them see. */
  const own = [];
  for (let n = 1; n <= ANSWERS; n++) {
    own.push(await recovered(files, want, n));
    t.diagnostic(`the demo's people, first ${n}: ${told(own.at(-1))}`);
  }
  assert.ok(own.at(-1).images > 50 && own.at(-1).objects > 0.4 * own.at(-1).images, told(own.at(-1)));
  assert.ok(own.at(-1).objects > own[0].objects, 'nine people know more than one');

  /* People of a fixed skill, of whatever images there are; which of them are beside a rival is only printed. */
  const rivals = new Map(candidates.filter(([, labels]) => labels.length === 2).map(([, [one, other]]) => [one, other]));
  const beside = new Map([...want].filter(([, classes]) => classes.some((one) => classes.includes(rivals.get(one)))));
  t.diagnostic(`${want.size} images of two or three classes, ${beside.size} of them with a class beside its rival`);
  assert.ok(want.size > 50 && beside.size > 0 && beside.size < 0.15 * want.size, 'rivals are rarely side by side');
  for (const sees of [1, 0.8]) t.diagnostic(`${percent(sees, 1)} of things seen: ${told(await recovered(drawn(temp, want, rivals, sees, SEEDS[0]), want, ANSWERS))}`);
  const all = { images: 0, objects: 0, majority: 0 };
  for (const seed of SEEDS) {
    const files = drawn(temp, want, rivals, SEES, seed), curve = [];
    for (let n = 1; n <= ANSWERS; n++) {
      curve.push(await recovered(files, want, n));
      t.diagnostic(`90 % seen, seed ${seed}, first ${n}: ${told(curve.at(-1))}`);
    }
    t.diagnostic(`90 % seen, seed ${seed}, with a rival beside: ${told(await recovered(files, beside, ANSWERS))}`);
    const last = curve.at(-1);
    for (const name of Object.keys(all)) all[name] += last[name];
    assert.ok(last.objects >= 0.85 * last.images && last.objects > last.majority, `seed ${seed}: ${told(last)}`);
    assert.ok(last.objects > curve[0].objects && last.objects > curve[2].objects, 'more people, more objects');
  }
  /* How far both are apart differs by a few points from seed to seed: over all of them. */
  t.diagnostic(`90 % seen, all seeds: ${told(all)}`);
  assert.ok(all.objects >= 0.85 * all.images && all.objects - all.majority >= 0.05 * all.images, told(all));
}
