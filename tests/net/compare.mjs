/* compare.mjs - what differs between two recordings. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const SHOWN = 40;  /* files of which lines are shown */
const LINES = 12;  /* of each */
const WIDTH = 240; /* of a line */

const filesOf = (folder) => (fs.existsSync(folder)
  ? fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((f) => f.isFile())
    .map((f) => path.relative(folder, path.join(f.parentPath ?? f.path, f.name))).sort() : []);

/* A long line from shortly before where it differs from the one that it stands beside. */
function shown(line, other) {
  let at = 1;
  while (other && at < line.length && line[at] === other[at]) at++;
  const from = Math.max(1, at - WIDTH / 3);
  const text = line.length <= WIDTH ? line.slice(1) : `${from > 1 ? '... ' : ''}${line.slice(from, from + WIDTH)} ...`;
  return `    ${line[0]}${text}`;
}

function lines(a, b) {
  const r = spawnSync('diff', ['-U0', '--text', a, b], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const list = r.stdout.split('\n').slice(2).filter((l) => /^[-+]/.test(l));
  const [gone, come] = ['-', '+'].map((sign) => list.filter((l) => l[0] === sign));
  const beside = (l) => (l[0] === '-' ? come[gone.indexOf(l)] : gone[come.indexOf(l)]);
  for (const l of list.slice(0, LINES)) console.log(shown(l, gone.length === come.length ? beside(l) : null));
  if (list.length > LINES) console.log(`    ... and ${list.length - LINES} more lines`);
}

/* Prints what differs in these parts; true: nothing does. */
export function compare(before, after, parts) {
  let shown = 0, wrong = 0, equal = 0;
  const say = (what, part, file) => {
    wrong++;
    if (wrong <= 10 * SHOWN) console.log(`${what.padEnd(8)}${part}/${file}`);
  };
  for (const part of parts) {
    const [a, b] = [before, after].map((f) => path.join(f, part));
    const [was, is] = [filesOf(a), filesOf(b)];
    if (!was.length) say('missing ', part, '(the whole part, in the first recording)');
    const here = new Set(is), there = new Set(was);
    for (const file of was.filter((f) => !here.has(f))) say('gone', part, file);
    for (const file of is.filter((f) => !there.has(f))) say('new', part, file);
    for (const file of is.filter((f) => there.has(f))) {
      if (fs.readFileSync(path.join(a, file)).equals(fs.readFileSync(path.join(b, file)))) {
        equal++;
        continue;
      }
      say('differs', part, file);
      if (shown++ < SHOWN) lines(path.join(a, file), path.join(b, file));
    }
  }
  console.log(wrong ? `${wrong} answers differ, ${equal} are equal` : `all ${equal} answers are equal`);
  return wrong === 0;
}
