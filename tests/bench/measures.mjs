/* measures.mjs - pages of numbers with many models: node measures.mjs PROGRAM FOLDER MODELS ORIGINALS NEW ROUNDS. FOLDER is
 * an empty one. Makes a project with a set of originals, a new one, and five predictions of every model about every image
 * of both; then prints a line of JSON for each round, of a server that just began: milliseconds until it has counted
 * what models predicted, and of each page after that, when nothing changed. */
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const [program, folder, ...numbers] = process.argv.slice(2);
const [models, originals, fresh, rounds] = numbers.map(Number);
const PASSWORD = 'correct horse battery staple';
const CLASSES = 1000;
const PAGES = ['/models', '/measures', '/measures/fit?scale=probit', '/api/v1/measures', '/api/v1/measures/fit'];
const AGAIN = 9;
const wnid = (c) => `n${String(c % CLASSES).padStart(8, '0')}`;
const at = (...names) => path.join(folder, ...names);
const project = at('project');
const holdout = (...args) => execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
const put = (name, lines) => {
  fs.writeFileSync(at(name), `${lines.join('\n')}\n`);
  return at(name);
};

/* A model is wrong about an image by a hash of both, the more often the later it comes in the list. */
function predictions(model, names) {
  return names.map((image, i) => {
    const hash = (Math.imul(i + 1, 2654435761) ^ Math.imul(model + 1, 40503)) >>> 0;
    const shift = hash % 100 < 80 - (model % 40) ? 0 : 1 + (hash % 7);
    const five = shift % 2 ? [shift, 0, 8, 9, 10] : [shift, 8, 9, 10, 11];
    return `{"image":"${image}","labels":["${five.map((by) => wnid(i + by)).join('","')}"]}`;
  });
}

function prepare() {
  const names = { original: [], candidate: [] };
  for (let i = 0; i < originals; i++) names.original.push(`val-${i}`);
  for (let i = 0; i < fresh; i++) names.candidate.push(`new-${i}`);
  fs.writeFileSync(at('password'), `${PASSWORD}\n`);
  holdout('init', project, '--admin-password-file', at('password'));
  holdout('import', 'classes', project, put('classes.csv', ['cid,wnid,synset,gloss,wikipedia',
    ...Array.from({ length: CLASSES }, (_, c) => `${c},${wnid(c)},thing ${c},a thing,`)]));
  const kinds = [['original', 'val'], ['candidate', 'cand']];
  holdout('import', 'image-list', project, put('images.csv', ['image,wnid,kind',
    ...kinds.flatMap(([role, kind]) => names[role].map((name, i) => `${name},${wnid(i)},${kind}`))]));
  for (const [set, role] of [['originals', 'original'], ['fresh', 'candidate']]) {
    holdout('import', 'set', project, set, put(`${set}.csv`, ['image,wnid', ...names[role].map((name, i) => `${name},${wnid(i)}`)]),
      ...(role === 'original' ? ['--role', role] : []));
  }
  for (let m = 0; m < models; m++) {
    const list = put('predictions.jsonl', [...predictions(m, names.original), ...predictions(m, names.candidate)]);
    holdout('import', 'predictions', project, list, '--model', `model-${m}`);
  }
}

async function signedIn(url) {
  const r = await fetch(`${url}/login`, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ login: 'admin', password: PASSWORD }) });
  return r.headers.getSetCookie().map((c) => c.split(';')[0]).join('; ');
}

async function timed(url, cookie, page) {
  const begun = performance.now();
  const r = await fetch(url + page, { headers: { cookie } });
  await r.arrayBuffer();
  if (r.status !== 200) throw new Error(`${page}: ${r.status}`);
  return performance.now() - begun;
}

const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];

async function round() {
  const server = spawn(program, ['serve', project, '--port', '0'], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const url = await new Promise((resolve, reject) => {
      server.stdout.on('data', (text) => {
        const found = /http:\/\/\S+/.exec(text);
        if (found) resolve(found[0]);
      });
      server.on('exit', reject);
    });
    const cookie = await signedIn(url);
    const result = { first: await timed(url, cookie, '/api/v1/measures') };
    for (const page of PAGES) {
      await timed(url, cookie, page);
      const list = [];
      for (let i = 0; i < AGAIN; i++) list.push(await timed(url, cookie, page));
      result[page] = median(list);
    }
    console.log(JSON.stringify(result));
  } finally {
    server.removeAllListeners('exit');
    server.kill();
    await new Promise((resolve) => { server.on('exit', resolve); });
  }
}

prepare();
for (let i = 0; i < rounds; i++) await round();
