/* `holdout score --by people`: people against models, counted again from the answers; what is refused. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { must, newProject, wholeFile } from '../http/lib.mjs';
import { MODELS, SETS, addMeasuresWorld, labels } from '../http/measures_world.mjs';
import { copyOf, fails, put } from './tools.mjs';

const whole = wholeFile();
const PEOPLE = ['ada', 'bob', 'eve'];
const models = Object.keys(MODELS);
let dir, asked, wnids, said;
const first = (one, name) => said[name]?.get(one.image) ?? labels(one, name)[0];
const isRight = (one, name) => first(one, name) === one.wnid;
/* What most of them say; of several the first class. */
const majority = (one, names) => {
  const times = new Map();
  for (const name of names) times.set(first(one, name), (times.get(first(one, name)) ?? 0) + 1);
  return [...times].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0][0];
};

/* What a person says of an image: by a rule, so that people differ and are right about most. */
const answer = (who, one, i) => {
  const wrong = wnids[(wnids.indexOf(one.wnid) + 1 + who) % wnids.length];
  return (i * 7 + who * 3) % (5 + who) === 0 ? wrong : one.wnid;
};

before(async () => {
  dir = await newProject(whole);
  await addMeasuresWorld(whole, dir);
  const lists = [SETS.old, SETS['fresh/2']];
  wnids = [...new Set(lists.flat().map((one) => one.wnid))].sort();
  const images = [...new Map(lists.flat().map((one) => [one.image, one])).values()];
  said = Object.fromEntries(PEOPLE.map((name, who) => [name, new Map(images.map((one, i) => [one.image, answer(who, one, i)]))]));
  for (const name of PEOPLE) {
    const lines = [...said[name]].map(([image, wnid]) => JSON.stringify({ image, labels: [wnid] }));
    await must(['import', 'predictions', dir, put(whole, `${name}.jsonl`, `${lines.join('\n')}\n`), '--model', name]);
  }
  asked = ['score', dir, '--original', 'old', '--new', 'fresh/2', '--by', 'people'];
});

test('nobody is of that group', async () => {
  await fails(asked, /nobody of the group "people" has predicted all of the images: .*holdout import model-facts/);
});

/* McNemar's exact test by plain sums, Newcombe's tenth interval as it is written. */
const choose = (n, k) => { let c = 1; for (let i = 0; i < k; i++) c = (c * (n - i)) / (i + 1); return c; };
const mcnemar = (b, c) => Math.min(1, (2 * Array.from({ length: Math.min(b, c) + 1 }, (_, i) => choose(b + c, i)).reduce((x, y) => x + y)) / 2 ** (b + c));
const Z = 1.959963984540054;
const wilson = (k, n) => {
  const p = k / n, middle = 2 * n * p + Z * Z, half = Z * Math.sqrt(Z * Z + 4 * n * p * (1 - p));
  return [(middle - half) / (2 * (n + Z * Z)), (middle + half) / (2 * (n + Z * Z))];
};
function newcombe([a, b, c, d]) {
  const n = a + b + c + d, [p, q] = [(a + b) / n, (a + c) / n], [[l, u], [k, v]] = [wilson(a + b, n), wilson(a + c, n)];
  const top = a * d - b * c, margins = (a + b) * (c + d) * (a + c) * (b + d);
  const phi = margins ? (top > 0 ? Math.max(top - n / 2, 0) : top) / Math.sqrt(margins) : 0;
  const side = (x, y) => Math.sqrt(x * x - 2 * phi * x * y + y * y);
  return [p - q, p - q - side(p - l, v - q), p - q + side(u - p, q - k)];
}
const near = (got, want, what) => assert.ok(Math.abs(Number(got) - want) < 1e-9, `${what}: ${got} for ${want}`);

test('each person against each model, majorities, means, and what changes between the sets', async (t) => {
  await must(['import', 'model-facts', dir, put(t, 'facts.csv', `model,group\n${PEOPLE.map((name) => `${name},people\n`).join('')}`)]);
  const { people } = JSON.parse(await must([...asked, '--json']));
  const lists = [SETS.old, SETS['fresh/2']], n = [PEOPLE.length, models.length];
  assert.equal(people.pairs.length, 1 + (n[0] + 1) * (n[1] + 1));
  assert.deepEqual([people.pairs[0].person, people.pairs[0].model, people.pairs[1].person, people.pairs[1].model],
    ['mean of 3', `mean of ${n[1]}`, 'majority of 3', `majority of ${n[1]}`]);
  const rightOf = (one, name) => (name.startsWith('majority') ? majority(one, name.endsWith(' 3') ? PEOPLE : models) === one.wnid : isRight(one, name));
  for (const pair of people.pairs.slice(1)) {
    const d = [];
    for (const [i, side] of ['original', 'new'].entries()) {
      const counts = [0, 0, 0, 0];
      for (const one of lists[i]) counts[(rightOf(one, pair.person) ? 0 : 2) + (rightOf(one, pair.model) ? 0 : 1)]++;
      const [both, person, model, neither] = counts, what = `${pair.person} ${pair.model} ${side}`;
      assert.deepEqual([pair[`${side}_both`], pair[`${side}_person`], pair[`${side}_model`], pair[`${side}_neither`]], [both, person, model, neither], what);
      near(pair[`${side}_p`], mcnemar(person, model), `${what} p`);
      d.push(newcombe(counts));
      ['difference', 'lo', 'hi'].forEach((name, k) => near(pair[`${side}_${name}`], d[i][k], `${what} ${name}`));
    }
    const [o, f] = d;
    near(pair.change, f[0] - o[0], 'change');
    near(pair.change_lo, f[0] - o[0] - Math.hypot(f[0] - f[1], o[2] - o[0]), 'change_lo');
    near(pair.change_hi, f[0] - o[0] + Math.hypot(f[2] - f[0], o[0] - o[1]), 'change_hi');
  }
  const share = (list, names) => list.flatMap((one) => names.map((name) => isRight(one, name))).filter(Boolean).length / list.length / names.length;
  near(people.pairs[0].new_difference, share(lists[1], PEOPLE) - share(lists[1], models), 'means');
  assert.ok(people.pairs[0].new_lo < people.pairs[0].new_difference && people.pairs[0].new_difference < people.pairs[0].new_hi);
  for (const [i, set] of people.sets.entries()) {
    const missed = (names) => lists[i].filter((one) => !names.some((name) => isRight(one, name))).length;
    assert.deepEqual([set.set, set.images, set.unanswered, set.sealed, set.people_missed, set.models_missed, set.all_missed],
      [['old/0', 'fresh/2'][i], lists[i].length, 0, 0, missed(PEOPLE), missed(models), missed([...PEOPLE, ...models])]);
    assert.ok(set.people_alpha_lo < set.people_alpha && set.people_alpha < set.people_alpha_hi && set.people_alpha_hi <= 1);
  }
  /* Krippendorff's alpha of three people, from the pairs of answers. */
  const of = {}; let alike = 0, all = 0;
  for (const one of lists[1]) {
    const three = PEOPLE.map((name) => first(one, name));
    for (const [i, a] of three.entries()) { of[a] = (of[a] ?? 0) + 1; all++; for (const [j, b] of three.entries()) alike += i !== j && a === b ? 1 / 2 : 0; }
  }
  const chance = Object.values(of).reduce((sum, k) => sum + (k * (k - 1)) / (all * (all - 1)), 0);
  near(people.sets[1].people_alpha, (alike / all - chance) / (1 - chance), 'alpha');
  const csv = (await must(asked)).trimEnd().split('\n');
  assert.equal(csv.length, 1 + people.pairs.length);
  assert.match(csv[0], /^person,model,original_both,/);
});

test('what may not be asked', async (t) => {
  await fails([...asked, '--top', '5'], /first answers: leave --top out/, { code: 2 });
  await fails([...asked, '--model', PEOPLE.join(',')], /no model has predicted all of the images/);
  /* Who has not answered all images is left out. */
  const other = copyOf(t, dir);
  await must(['import', 'predictions', other, put(t, 'some.jsonl', `${JSON.stringify({ image: SETS.old[0].image, labels: [SETS.old[0].wnid] })}\n`), '--model', 'kim']);
  await must(['import', 'model-facts', other, put(t, 'kim.csv', 'model,group\nkim,people\n')]);
  const got = JSON.parse(await must([asked[0], other, ...asked.slice(2), '--json']));
  assert.deepEqual([got.people.pairs[0].person, got.left_out.map(({ model }) => model)], ['mean of 3', ['kim']]);
});
