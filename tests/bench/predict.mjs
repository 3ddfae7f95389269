/* predict.mjs - `holdout predict` on JPEG files beside the same model on numbers that are there already: what
 * reading, decoding and resizing photographs costs. node predict.mjs FOLDER [--rounds N] [--images N] [--threads N]
 * makes a project in FOLDER and prints a JSON line a round. Needs the resnet50 that tests/peer exports, and says
 * why when there is none. Called by tests/bench/run. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { median, models, program } from '../peer/peer.mjs';
import { png } from './png.mjs';

const { values, positionals: [folder] } = parseArgs({ allowPositionals: true, options: {
  rounds: { type: 'string', default: '3' },
  images: { type: 'string', default: '384' }, /* so many that putting the weights in order is little of it */
  threads: { type: 'string', default: '1' },
} });
const [WIDTH, HEIGHT, CLASSES] = [500, 375, 1000];
const { dir: exported, missing } = models(['resnet50']);
if (missing) {
  console.error(`SKIPPED: ${missing}`);
  process.exit(0);
}
const model = path.join(exported, 'resnet50.onnx');
const holdout = (args, input) => execFileSync(program, args, { input, maxBuffer: 1 << 28, stdio: ['pipe', 'pipe', 'inherit'] });
const wnid = (i) => `n${String(i).padStart(8, '0')}`;

/* Waves, edges and a little noise: files as large as photographs of this size. */
function picture(seed) {
  const raw = Buffer.alloc((1 + 3 * WIDTH) * HEIGHT);
  let state = seed + 1;
  for (let y = 0, at = 0; y < HEIGHT; y++) {
    at++;
    for (let x = 0; x < WIDTH; x++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const noise = (state >>> 24) / 16;
      const wave = 110 + 60 * Math.sin(x * 0.02 + seed) + 40 * Math.cos(y * 0.03 - seed) + 14 * Math.sin(x * 0.7) * Math.sin(y * 0.6);
      const edge = Math.hypot(x - 250 - 9 * (seed % 13), y - 180) < 90 ? 50 : 0;
      for (let c = 0; c < 3; c++) raw[at++] = Math.max(0, Math.min(255, wave * (1 - 0.2 * c) + edge * (c - 1) + noise));
    }
  }
  return png(WIDTH, HEIGHT, raw);
}

function newProject(name) {
  const dir = path.join(folder, name);
  const password = path.join(folder, 'password');
  fs.writeFileSync(password, 'correct horse battery staple\n');
  holdout(['init', dir, '--admin-password-file', password, '--quiet']);
  const classes = Array.from({ length: CLASSES }, (_, i) => `${i},${wnid(i)},class ${i},,\n`).join('');
  holdout(['import', 'classes', dir, '-', '--quiet'], `cid,wnid,synset,gloss,wikipedia\n${classes}`);
  return dir;
}

/* The renditions that one project makes of PNG files are the JPEG originals of the other. */
function prepare() {
  const from = path.join(folder, 'png', wnid(0));
  const to = path.join(folder, 'jpeg', wnid(0));
  for (const f of [from, to]) fs.mkdirSync(f, { recursive: true });
  for (let i = 0; i < Number(values.images); i++) fs.writeFileSync(path.join(from, `${i}.png`), picture(i));
  const source = newProject('source');
  holdout(['import', 'images', source, path.dirname(from), '--quiet', '--set', `images.view_side=${WIDTH}`]);
  const images = path.join(source, 'images');
  for (const name of fs.readdirSync(images, { recursive: true }).filter((n) => String(n).endsWith('.view'))) {
    fs.copyFileSync(path.join(images, name), path.join(to, `${path.basename(name, '.view')}.jpg`));
  }
  const dir = newProject('project');
  holdout(['import', 'images', dir, path.dirname(to), '--quiet']);
  holdout(['model', 'add', dir, model, '--quiet']);
  return dir;
}

const dir = prepare();
const input = Buffer.from(new Float32Array(16 * 3 * 224 * 224).map((_, i) => ((i * 7919) % 1999) / 999.5 - 1).buffer);
const repeat = String(Math.max(2, Math.round(Number(values.images) / 16)));
const ratios = [];
/* The first round finds nothing in memory and does not count. */
for (let i = -1; i < Number(values.rounds); i++) {
  const part = path.join(folder, `part ${i}`);
  const whole = JSON.parse(holdout(['predict', dir, '--model', 'resnet50', '--threads', values.threads, '--output', part, '--json'])).images_per_second;
  const pure = JSON.parse(holdout(['infer', model, '--input', '-', '--shape', '16,3,224,224', '--output', '/dev/null',
    '--threads', values.threads, '--repeat', repeat], input)).images_per_second;
  if (i < 0) continue;
  ratios.push(whole / pure);
  console.log(JSON.stringify({ whole, pure, ratio: whole / pure }));
}
console.error(`resnet50 from JPEG files, times pure inference: ${median(ratios).toFixed(3)}`);
