/* commands.mjs - what commands print and write: help and mistakes of every one, all that only read with all their options,
 * and a sequence of those that write. */
import fs from 'node:fs';
import path from 'node:path';

import { PASSWORD, holdout, tempDir } from '../http/lib.mjs';
import { DEMO_WRITES, FILES, IMAGES, READS, WRITES } from './command_lines.mjs';
import { slug } from './out.mjs';

const LIMIT = { limit: 120000 };

async function names() {
  const { out } = await holdout(['help']);
  return [...out.matchAll(/^ {2}((?:export|import|model|set|token|user|worker) [a-z-]+|[a-z-]+) /gm)].map((m) => m[1]);
}

/* The options that a command's help names and no line of the tables gives: nothing is known of these. */
function unasked(name, text) {
  const lines = [READS, IMAGES, WRITES, DEMO_WRITES].join('').split('\n').filter((l) => `${l} `.startsWith(`${name} `));
  const all = ['json', 'quiet', 'verbose', 'dry-run', 'help', 'set'];
  const named = [...text.matchAll(/^ {2}--([a-z-]+)/gm)].map((m) => m[1]).filter((o) => !all.includes(o));
  const not = named.filter((o) => !lines.some((l) => `${l} `.includes(`--${o} `))).map((o) => ` --${o}`).join('');
  return not || !lines.length ? `${name}${lines.length ? '' : ' (not run)'}${not}\n` : '';
}

export async function help(out) {
  let not = '';
  const run = async (args, options) => out.command(`${slug(args.join(' ') || 'nothing')}.txt`, args, await holdout(args, options));
  for (const args of [[], ['help'], ['--help'], ['version', '--routes'], ['nonsense'], ['help', 'nonsense'], ['export'], ['set', 'nonsense']]) await run(args);
  for (const name of await names()) {
    const words = name.split(' ');
    if (name === 'version') continue; /* of libraries; --routes is asked above */
    await run([...words, '--help']);
    not += unasked(name, (await holdout([...words, '--help'])).out);
    await run(words);
    await run([...words, '--nonsense']);
    await run([...words, '/dev/null/project']);
    await run([...words, '/dev/null/project', 'b', 'c', 'd', 'e', 'f']);
  }
  out.put('not-asked.txt', not);
}

/* One line of the tables of command_lines.mjs: each SET and CAMPAIGN in turn, once more with --json. */
async function lines(out, t, table, words, { cwd, each = {} } = {}) {
  let n = 0, found = '';
  for (const line of table.trim().split('\n')) {
    const [name] = Object.keys(each).filter((word) => line.split(' ').includes(word));
    for (const value of name ? each[name] : ['']) {
      for (const json of words.once ? [[]] : [[], ['--json']]) {
        const folder = tempDir(t);
        const made = { FILE: path.join(folder, 'file'), FOLDER: path.join(folder, 'folder') };
        const args = [...line.split(' ').map((w) => (w === name ? value : w === 'FOUND' ? found : words[w] ?? made[w] ?? w)), ...json];
        const number = String(++n).padStart(3, '0');
        const said = slug(`${line.replace(name, value)} ${json}`);
        const r = await holdout(args, { cwd, ...LIMIT });
        found = [...`${r.out}${r.err}`.matchAll(/\d+/g)].at(-1)?.[0] ?? '';
        out.command(`${words.as}/${number}-${said}.txt`, args, r);
        if (fs.readdirSync(folder).length) out.tree(`${words.as}/${number}-files.txt`, folder);
      }
    }
  }
}

export async function demoCommands(out, t, dir) {
  const each = { SET: ['originals', 'pilot-best', 'matched/0', 'matched'], CAMPAIGN: ['pilot', 'pictures'] };
  await lines(out, t, READS, { as: 'reads', DIR: dir }, { each });
  const folder = path.join(dir, 'demo-images/original');
  const [first] = fs.readdirSync(folder, { recursive: true }).filter((f) => f.endsWith('.jpg')).sort();
  await lines(out, t, IMAGES, { as: 'images', IMAGE: path.join(folder, first), once: true });
}

export async function demoWrites(out, t, dir) {
  const work = tempDir(t);
  fs.writeFileSync(path.join(work, 'people.txt'), 'sim-001\nsim-002\n');
  fs.writeFileSync(path.join(work, 'pay.csv'), 'participant_id,decision,bonus,reason\nsim-003,reject,,no answers\nsim-004,approve,1.25,good\n');
  await lines(out, t, DEMO_WRITES, { as: 'writes', once: true, DIR: dir, TARGET: path.join(work, 'backups') }, { cwd: work });
  await out.tables(dir, 'rows-after');
}

export async function studyCommands(out, t, dir) {
  const work = tempDir(t);
  for (const [file, text] of Object.entries({ ...FILES, password: `${PASSWORD}\n` })) fs.writeFileSync(path.join(work, file), text);
  const at = (name) => path.join(work, name);
  const words = { as: 'writes', once: true, DIR: dir, PASSWORD: at('password'), TARGET: at('backups'), RESTORED: at('restored'), GENERATED: at('generated') };
  await holdout(['init', at('generated'), '--admin-password-file', at('password')]);
  await lines(out, t, WRITES, words, { cwd: work });
}
