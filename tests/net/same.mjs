/* same.mjs - what differs between two runs of one build although clock and randomness stand still, made equal. */
import os from 'node:os';

const literal = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/* Of every text: projects lie in folders with names of their own, and servers take a free port. */
const PLACES = [
  [new RegExp(`${literal(os.tmpdir())}/holdout-test-\\w{6}`, 'g'), 'TMP'],
  [new RegExp(literal(os.tmpdir()), 'g'), 'TMP'],
  [/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT'],
];

/* Of some: [the request or command line, what is found, what stands there instead]. */
const SOMEWHERE = [
  /* How often what happened, how long it took, memory, threads: the names are enough. */
  [/^GET \/metrics/, /^([a-z][^#\n]*?) [-+.\de]+$/gm, '$1 N'],
  /* How many jobs wait is counted by the runner's thread, a moment after one was asked for. */
  [/^(GET|POST|DELETE) \//, /(data-area-count="\/jobs">)(<span class="badge[^]*?<\/span><\/span>)?(<\/span>)/g, '$1N$3'],
  /* The clock that measures goes on; what a job did in the end stands in its row and on its page. */
  [/^holdout |\/jobs\/\d|^rows of job$/, /\b\d+(\.\d+)? (ms|s|seconds?|images\/s|images a second|MB\/s)\b/g, 'N $2'],
];

/* Headers that say when, over what connection or how much. */
const LEFT_OUT = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']);

const moved = (text) => PLACES.reduce((t, [pattern, instead]) => t.replace(pattern, instead), text);

/* `what` is the request or command line that `text` answers. */
export const same = (what, text) => SOMEWHERE.filter(([where]) => where.test(what))
  .reduce((t, [, pattern, instead]) => t.replace(pattern, instead), moved(text));

/* Headers of a reply whose body is `body`; that of one that names a place, or says how fast a job was, has a hash of its own each time. */
export const sameHead = (what, headers, body) => [...headers]
  .filter(([name]) => !LEFT_OUT.has(name) && !(name === 'etag' && (moved(body) !== body || /\/jobs\/\d/.test(what))))
  .map(([name, value]) => `${name}: ${moved(value)}\n`).sort().join('');
