/* confined.mjs - a program under the restrictions of the shipped systemd unit, as far as a process can set them
 * for itself (tests/shim/confine.c). What the unit says is what is set: whoever adds a line to it, adds it here. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { buildTools, root } from '../load/tools.mjs';

/* Settings of [Service] as a list of [name, value]; systemd joins some names' values. */
export const settings = (unit) => unit.split('\n').map((l) => l.match(/^(\w+)=(.*)$/)).filter(Boolean).map(([, name, value]) => [name, value]);

const groups = new Map(fs.readFileSync(path.join(root, 'tests', 'data', 'syscalls.txt'), 'utf8').split('\n')
  .filter((l) => l.startsWith('@')).map((l) => l.split(' ')).map(([name, ...calls]) => [name, calls]));
const expand = (words) => words.flatMap((w) => {
  if (!w.startsWith('@')) return [w];
  assert.ok(groups.has(w), `${w} is no group of system calls`);
  return groups.get(w);
});

/* SystemCallFilter=: the first line says whether names are allowed or refused; further ones add and take away. What
 * systemd itself needs to start a program (@default) is always allowed. */
function allowedCalls(lines) {
  const calls = new Set(groups.get('@default'));
  assert.ok(!lines[0].startsWith('~'), 'a list of what is allowed comes first');
  for (const line of lines) {
    const refused = line.startsWith('~');
    for (const call of expand(line.replace(/^~/, '').split(/\s+/).filter(Boolean))) {
      if (refused) calls.delete(call);
      else calls.add(call);
    }
  }
  return [...calls];
}

const yes = (value) => ['yes', 'true', 'on', '1'].includes(value);

/* A script that starts `program` like the unit does; its path. */
export function confined(dir, unit, program) {
  buildTools();
  const all = settings(unit);
  const last = (name) => all.filter(([n]) => n === name).at(-1)?.[1];
  const options = [];
  if (yes(last('NoNewPrivileges'))) options.push('nnp=1');
  if (yes(last('MemoryDenyWriteExecute'))) options.push('mdwe=1');
  if (last('LimitNOFILE')) options.push(`nofile=${last('LimitNOFILE')}`);
  if (last('RestrictAddressFamilies')) options.push(`families=${last('RestrictAddressFamilies').split(/\s+/).join(',')}`);
  const filters = all.filter(([n]) => n === 'SystemCallFilter').map(([, value]) => value);
  if (filters.length) {
    const file = path.join(dir, 'calls');
    fs.writeFileSync(file, allowedCalls(filters).join('\n'));
    options.push(`syscalls=${file}`);
  }
  const script = path.join(dir, 'confined');
  fs.writeFileSync(script, `#!/bin/sh\numask ${last('UMask') ?? '022'}\nexec '${path.join(root, 'build', 'confine')}' ${options.map((o) => `'${o}'`).join(' ')} -- '${program}' "$@"\n`, { mode: 0o755 });
  return { script, options };
}
