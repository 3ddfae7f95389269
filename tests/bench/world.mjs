/* world.mjs - what benches of pages share: a project of images, sets and predictions of many models, made by commands, and
 * its server. */
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const PASSWORD = 'correct horse battery staple';
const CLASSES = 1000;

export const wnid = (c) => `n${String(c % CLASSES).padStart(8, '0')}`;
export const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];

/* A model is wrong about an image by a hash of both, the more often the later it comes in the list; in one of `ways`. */
export function predictions(model, names, ways) {
  return names.map((image, i) => {
    const hash = (Math.imul(i + 1, 2654435761) ^ Math.imul(model + 1, 40503)) >>> 0;
    const shift = hash % 100 < 80 - (model % 40) ? 0 : 1 + (hash % ways);
    const five = shift % 2 ? [shift, 0, 8, 9, 10] : [shift, 8, 9, 10, 11];
    return `{"image":"${image}","labels":["${five.map((by) => wnid(i + by)).join('","')}"]}`;
  });
}

/* In an empty folder: `kinds` are lists of images with role, kind and set; their labels are the classes in turn. */
export class World {
  constructor(program, folder, kinds) {
    this.program = program;
    this.folder = folder;
    this.project = path.join(folder, 'project');
    fs.writeFileSync(path.join(folder, 'password'), `${PASSWORD}\n`);
    this.holdout('init', this.project, '--admin-password-file', path.join(folder, 'password'));
    this.holdout('import', 'classes', this.project, this.put('classes.csv', ['cid,wnid,synset,gloss,wikipedia',
      ...Array.from({ length: CLASSES }, (_, c) => `${c},${wnid(c)},thing ${c},a thing,`)]));
    this.holdout('import', 'image-list', this.project, this.put('images.csv', ['image,wnid,kind',
      ...kinds.flatMap(({ names, kind }) => names.map((name, i) => `${name},${wnid(i)},${kind}`))]));
    for (const { names, set, role } of kinds) {
      this.holdout('import', 'set', this.project, set, this.put(`${set}.csv`, ['image,wnid', ...names.map((name, i) => `${name},${wnid(i)}`)]),
        ...(role ? ['--role', role] : []));
    }
  }

  holdout(...args) { return execFileSync(this.program, args, { stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 }); }

  put(name, lines) {
    const file = path.join(this.folder, name);
    fs.writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  }

  predict(models, lines) {
    for (let m = 0; m < models; m++) {
      this.holdout('import', 'predictions', this.project, this.put('predictions.jsonl', lines(m)), '--model', `model-${m}`);
    }
  }

  /* A server for as long as `what` takes; it is given a function that asks for an address and says how many milliseconds
   * that took. `headers`: more of them. */
  async serve(what) {
    const server = spawn(this.program, ['serve', this.project, '--port', '0'], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const url = await new Promise((resolve, reject) => {
        server.stdout.on('data', (text) => {
          const found = /http:\/\/\S+/.exec(text);
          if (found) resolve(found[0]);
        });
        server.on('exit', reject);
      });
      await what(async (page, options = {}) => {
        const begun = performance.now();
        const r = await fetch(url + page, { redirect: 'manual', ...options });
        const body = await r.text();
        const ms = performance.now() - begun;
        if (r.status >= 400) throw new Error(`${page}: ${r.status} ${body.slice(0, 300)}`);
        return { ms, body, to: r.headers.get('location'), cookies: r.headers.getSetCookie().map((c) => c.split(';')[0]).join('; ') };
      });
    } finally {
      server.removeAllListeners('exit');
      server.kill();
      await new Promise((resolve) => { server.on('exit', resolve); });
    }
  }

  async signedIn(ask, login = 'admin') {
    return (await ask('/login', { method: 'POST', body: new URLSearchParams({ login, password: PASSWORD }) })).cookies;
  }
}
