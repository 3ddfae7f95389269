/* sealed_images.mjs - whether anything says what models answer about images of sealed revisions, in a project that is
 * served: every page of such an image, every model on every set, and what they link to, as every role. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { sqlite } from '../load/tools.mjs';
import { crawl } from './crawl.mjs';
import { Client, PASSWORD, must } from './lib.mjs';

const FOLLOWED = 150;

const rows = async (dir, sql) => (await sqlite(path.join(dir, 'holdout.db'), sql)).trim().split('\n').filter(Boolean);

/* Every object in it that names a sealed image and says something of it; but for what people saw in it. */
function leaks(value, names) {
  if (Array.isArray(value)) return value.flatMap((v) => leaks(v, names));
  if (!value || typeof value !== 'object') return [];
  const named = Object.values(value).some((v) => typeof v === 'string' && names.has(v));
  const says = ['labels', 'scores', 'said', 'probability', 'prediction', 'predictions'].some((k) => value[k] !== undefined && value[k] !== null);
  const people = /^classify@/.test(value.source ?? '');
  return [...(named && says && !people ? [JSON.stringify(value)] : []), ...Object.values(value).flatMap((v) => leaks(v, names))];
}

/* `clients`: by role, signed in. The number of images that are sealed and predicted in an open set. */
export async function noneSays(dir, clients) {
  const sealed = await rows(dir, 'SELECT DISTINCT i.id, i.name FROM sealed_revision q JOIN set_list_image m ON m.list = q.list JOIN image i ON i.id = m.image;');
  const ids = new Set(sealed.map((line) => line.split('|')[0])), names = new Set(sealed.map((line) => line.split('|')[1]));
  const open = await rows(dir, "SELECT s.name || '/' || r.number FROM revision r JOIN image_set s ON s.id = r.image_set WHERE r.id NOT IN (SELECT id FROM sealed_revision);");
  const models = await rows(dir, 'SELECT name FROM model;');
  const list = ['/', '/models', '/sets', ...[...ids].map((id) => `/images/${id}`),
    ...models.flatMap((m) => open.flatMap((set) => [`/models/${m}?set=${set}`, `/api/v1/models/${m}/predictions?set=${set}&limit=1000`]))];
  for (const [role, client] of Object.entries(clients)) {
    for (const [at, text] of await crawl(list, client, { follow: role === 'admin' ? FOLLOWED : 0 })) {
      const image = /^\/images\/(\d+)$/.exec(at);
      if (image && ids.has(image[1])) assert.doesNotMatch(text, /id="said-table"|id="each-model"/, `${role}: ${at}`);
      const cards = text.split('id="mistakes-head"')[1]?.split('</section>')[0] ?? '';
      for (const m of cards.matchAll(/href="\/images\/(\d+)"/g)) assert.ok(!ids.has(m[1]), `${role}: ${at} shows image ${m[1]}`);
      if (text.startsWith('{') && at.startsWith('/api/')) assert.deepEqual(leaks(JSON.parse(text), names), [], `${role}: ${at}`);
    }
  }
  const both = await rows(dir, 'SELECT count(DISTINCT m.image) FROM sealed_revision q JOIN set_list_image m ON m.list = q.list JOIN set_list_image o ON o.image = m.image JOIN revision r ON r.list = o.list WHERE r.id NOT IN (SELECT id FROM sealed_revision);');
  return Number(both[0]);
}

/* Accounts of every role, signed in; `admin` is there already. */
export async function everyRole(dir, url, admin, folder) {
  const clients = { admin };
  const file = path.join(folder, 'password');
  fs.writeFileSync(file, `${PASSWORD}\n`);
  for (const role of ['worker', 'expert', 'lead']) {
    await must(['user', 'add', dir, `crawl-${role}`, '--role', role, '--password-file', file]);
    clients[role] = await new Client(url).login(`crawl-${role}`);
  }
  return clients;
}
