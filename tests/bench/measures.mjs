/* measures.mjs - pages of numbers with many models: node measures.mjs PROGRAM FOLDER MODELS ORIGINALS NEW ROUNDS. FOLDER is
 * an empty one. Makes a project with a set of originals, a new one, and five predictions of every model about every image
 * of both; then prints a line of JSON for each round, of a server that just began: milliseconds until it has counted
 * what models predicted, and of each page after that, when nothing changed. */
import { World, median, predictions } from './world.mjs';

const [program, folder, ...numbers] = process.argv.slice(2);
const [models, originals, fresh, rounds] = numbers.map(Number);
const PAGES = ['/models', '/measures', '/measures/fit?scale=probit', '/api/v1/measures', '/api/v1/measures/fit'];
const AGAIN = 9;
const old = Array.from({ length: originals }, (_, i) => `val-${i}`);
const more = Array.from({ length: fresh }, (_, i) => `new-${i}`);

async function round(ask, world) {
  const headers = { cookie: await world.signedIn(ask) };
  const timed = async (page) => (await ask(page, { headers })).ms;
  const result = { first: await timed('/api/v1/measures') };
  for (const page of PAGES) {
    await timed(page);
    const list = [];
    for (let i = 0; i < AGAIN; i++) list.push(await timed(page));
    result[page] = median(list);
  }
  console.log(JSON.stringify(result));
}

const world = new World(program, folder, [{ names: old, kind: 'val', set: 'originals', role: 'original' },
  { names: more, kind: 'cand', set: 'fresh' }]);
world.predict(models, (m) => [...predictions(m, old, 7), ...predictions(m, more, 7)]);
for (let i = 0; i < rounds; i++) await world.serve((ask) => round(ask, world));
