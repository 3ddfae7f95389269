/* picked.mjs - which tests there are and which of them something runs, without running them: a file that a wildcard
 * no longer finds is seen here. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { root } from '../http/lib.mjs';

/* What make would run, from its own variables. */
function variables(...list) {
  const rule = `net-nothing:;@:${list.map((v) => `$(info ${v} $(${v}))`).join('')}`;
  const env = { ...process.env };
  for (const name of ['MAKEFLAGS', 'MFLAGS', 'MAKELEVEL', 'MAKEOVERRIDES', 'LD_PRELOAD']) delete env[name];
  const text = execFileSync('make', ['-s', '-n', `--eval=${rule}`, 'net-nothing'], { cwd: root, encoding: 'utf8', env });
  return Object.fromEntries(list.map((v) => [v, (new RegExp(`^${v} (.*)$`, 'm').exec(text)?.[1] ?? '').split(' ').filter(Boolean).sort()]));
}

const matches = (file, pattern) => (fs.readFileSync(path.join(root, file), 'utf8').match(pattern) ?? []).length;

export function picked(out) {
  const all = fs.readdirSync(path.join(root, 'tests'), { recursive: true, withFileTypes: true })
    .filter((f) => f.isFile()).map((f) => path.relative(root, path.join(f.parentPath ?? f.path, f.name)))
    .filter((f) => !f.includes('node_modules')).sort();
  const { UNIT_SRC, UNIT_FAULT_SRC, UNIT_HELP, FUZZ_SRC, SRC, ASSETS } = variables('UNIT_SRC', 'UNIT_FAULT_SRC', 'UNIT_HELP', 'FUZZ_SRC', 'SRC', 'ASSETS');
  /* As tests/run finds them. */
  const node = ['http', 'cli', 'golden', 'browser', 'nightly', 'peer'].flatMap((s) => fs.readdirSync(path.join(root, 'tests', s)).filter((f) => f.endsWith('.test.mjs')).sort().map((f) => `tests/${s}/${f}`));
  const unit = UNIT_SRC.map((f) => [f, matches(f, /^(?:PROJECT_)?TEST\(/gm)]);
  const http = node.map((f) => [f, matches(f, /^\s*(?:await\s+)?(?:t\.)?test\(/gm)]);
  const sum = (list) => `${list.map(([f, n]) => `${String(n).padStart(4)} ${f}\n`).join('')}${list.reduce((a, [, n]) => a + n, 0)} in ${list.length} files\n`;
  out.put('unit.txt', sum(unit));
  out.put('unit_with_hooks.txt', `${UNIT_FAULT_SRC.join('\n')}\n`);
  out.put('node.txt', sum(http));
  out.put('fuzz.txt', sum(FUZZ_SRC.map((f) => [f, fs.readdirSync(path.join(root, `tests/fuzz/corpus/${/fuzz_(.*)\.c/.exec(f)[1]}`)).length])));
  out.put('built_sources.txt', `${SRC.length} files\n${SRC.map((f) => path.basename(f)).sort().join('\n')}\n`);
  out.put('assets.txt', `${ASSETS.join('\n')}\n`);
  const runs = new Set([...UNIT_SRC, ...UNIT_HELP, ...FUZZ_SRC, ...node]);
  const tests = (f) => /_test\.c$|\.test\.mjs$|fuzz_\w+\.c$/.test(f);
  out.put('nobody_runs.txt', all.filter((f) => tests(f) && !runs.has(f)).map((f) => `${f}\n`).join(''));
  out.put('files.txt', all.filter((f) => !f.startsWith('tests/fuzz/corpus/')).map((f) => `${f}\n`).join(''));
}
