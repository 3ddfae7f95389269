/* notebook.mjs - docs/analysis.ipynb against a running server: its code cells, in order, in one python3. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { must, root } from './lib.mjs';

const NOTEBOOK = path.join(root, 'docs', 'analysis.ipynb');
const RUN = `import json, sys
space = {"__name__": "__main__"}
for i, cell in enumerate(json.load(open(sys.argv[1], encoding="utf-8"))["cells"]):
    if cell["cell_type"] == "code":
        exec(compile("".join(cell["source"]), f"cell {i + 1}", "exec"), space)
`;

/* What it prints; it fails where a number of its own is not the server's. */
export async function runNotebook(dir, server) {
  const { cells, nbformat } = JSON.parse(fs.readFileSync(NOTEBOOK, 'utf8'));
  assert.equal(nbformat, 4);
  for (const cell of cells) assert.ok(cell.cell_type === 'markdown' || (cell.outputs.length === 0 && cell.execution_count === null), 'it is kept without outputs');
  const token = (await must(['token', 'create', dir, '--login', 'admin', '--name', 'notebook', '--role', 'expert'])).trim();
  const env = { PATH: process.env.PATH, HOLDOUT_URL: server.url, HOLDOUT_TOKEN: token, PYTHONIOENCODING: 'utf-8' };
  const { stdout } = await promisify(execFile)('/usr/bin/python3', ['-I', '-c', RUN, NOTEBOOK], { env, maxBuffer: 1 << 24 });
  return stdout;
}
