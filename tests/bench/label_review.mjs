/* label_review.mjs - a label review of many images by what many models say: node label_review.mjs PROGRAM FOLDER MODELS IMAGES
 * ROUNDS. FOLDER is an empty one. Experts have reviewed nearly all of it in an earlier session; then one reviews on, through
 * pages as a browser does, and after each save a lead looks at what models make of it. Prints a line of JSON for each round,
 * of a server that just began: medians in milliseconds, and the worst. */
import path from 'node:path';
import { World, median, predictions, wnid } from './world.mjs';

const [program, folder, ...numbers] = process.argv.slice(2);
const [models, images, rounds] = numbers.map(Number);
const WAYS = 4; /* and the right one: five labels of an image */
const SAVES = 15;
const LIST = '/labels/dogs';
const API = '/api/v1/label-reviews/dogs';
const names = Array.from({ length: images }, (_, i) => `val-${i}`);
const says = ['correct', 'wrong', 'wrong', 'unclear', 'wrong'];

function prepare() {
  const world = new World(program, folder, [{ names, kind: 'val', set: 'originals', role: 'original' }]);
  world.predict(models, (m) => predictions(m, names, WAYS));
  for (const login of ['ada', 'grace']) world.holdout('user', 'add', world.project, login, '--role', 'expert', '--password-file', path.join(folder, 'password'));
  world.holdout('label-review', 'create', world.project, 'dogs', '--set', 'originals', '--by', 'disagreement', '--random', String(Math.ceil(images / 10)),
    '--reviewers', '1', '--repeats', '5', '--seed', '19', '--experts', 'ada,grace');
  const queue = world.holdout('label-review', 'queue', world.project, 'dogs').toString().trim().split('\n').slice(1).map((line) => line.split(','));
  const done = queue.slice(0, Math.floor(images * 0.9)).map((row) => Number(row[0].slice('val-'.length)));
  world.holdout('label-review', 'import', world.project, 'dogs', world.put('verdicts.csv', ['image,wnid,verdict',
    ...done.flatMap((i) => says.map((verdict, k) => `val-${i},${wnid(i + k)},${verdict}`))]), '--by', 'grace');
  return [world, queue.reduce((n, row) => n + Number(row[2]), 0)];
}

/* The fields of the form as the page has them, the verdicts chosen. */
function filled(page) {
  const token = /name="csrf" value="([^"]+)"/.exec(page)[1];
  const rows = [...page.matchAll(/name="say-(n\d+)" value="unreviewed"/g)].map((m) => m[1]);
  return new URLSearchParams([['csrf', token], ['do', 'save'], ...rows.map((label, i) => [`say-${label}`, says[i % says.length]])]);
}

async function round(ask, world, unique) {
  const ada = { cookie: await world.signedIn(ask, 'ada') };
  const lead = { cookie: await world.signedIn(ask) };
  const t = { queue: [], item: [], saved: [], scores: [], list: [] };
  const first = (await ask(API, { headers: lead })).ms;
  for (let i = 0; i < SAVES; i++) {
    for (const at of [0, i, images >> 1, images - 1 - i]) t.item.push((await ask(`${LIST}/${at}`, { headers: ada })).ms);
    const next = await ask(`${LIST}/next`, { headers: ada });
    t.queue.push(next.ms);
    const page = await ask(next.to, { headers: ada });
    t.item.push(page.ms);
    const begun = performance.now();
    const saved = await ask(next.to.split('?')[0], { method: 'POST', headers: ada, body: filled(page.body) });
    const to = await ask(saved.to, { headers: ada });
    await ask(to.to, { headers: ada });
    t.saved.push(performance.now() - begun);
    t.scores.push((await ask(API, { headers: lead })).ms);
    t.list.push((await ask(LIST, { headers: lead })).ms);
  }
  const result = { unique, first };
  for (const [name, list] of Object.entries(t)) {
    result[`${name}_worst`] = Math.max(...list);
    result[name] = median(list);
  }
  console.log(JSON.stringify(result));
}

const [world, unique] = prepare();
for (let i = 0; i < rounds; i++) await world.serve((ask) => round(ask, world, unique));
