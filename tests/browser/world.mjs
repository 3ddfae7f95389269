/* world.mjs - projects that the pages are looked at with: nothing in it, the demo's drawn JPEGs, rows
 * without end, and everything that is too long, missing or over. All are served by the program with
 * the fault hooks, which refuses a page whose data lacks a name. */
import fs from 'node:fs';
import path from 'node:path';

import { PASSWORD, faultBin, must, newProject, oncePer, startServer, tempDir } from '../http/lib.mjs';

export const ROLES = ['worker', 'expert', 'lead', 'admin'];

/* Tests sign in and join more often than one address may. */
const WIDE = {
  HOLDOUT_LIMITS_LOGINS_PER_ADDRESS_HOUR: '1000000',
  HOLDOUT_LIMITS_PLACES_PER_ADDRESS_HOUR: '1000000',
};

/* The accounts worker, expert, lead and boss (an administrator), all with PASSWORD. */
export async function addAccounts(t, dir) {
  const file = path.join(tempDir(t), 'password');
  fs.writeFileSync(file, `${PASSWORD}\n`);
  for (const role of ROLES) {
    const login = role === 'admin' ? 'boss' : role;
    await must(['user', 'add', dir, login, '--role', role, '--password-file', file]);
  }
}

async function serve(t, dir, options = {}) {
  await addAccounts(t, dir);
  const server = await startServer(t, dir, { binary: faultBin, env: WIDE, ...options });
  return { dir, url: server.url, server };
}

/* Nothing imported. */
export async function emptySite(t) {
  return serve(t, await newProject(t));
}

/* `holdout demo` in its small size: six classes of drawn JPEGs and the open campaign "pictures", which
 * nobody has answered. Further campaigns are lists of options of `holdout grids`. */
export async function demoSite(t, campaigns = []) {
  const dir = path.join(tempDir(t), 'demo');
  await oncePer('small demo', dir, () => must(['demo', dir, '--size', 'small', '--no-answers']));
  for (const options of campaigns) await must(['grids', dir, '--open', '--max-share', '1', ...options]);
  return serve(t, dir);
}

/* More classes and grids than a page shows, with votes. */
export async function bigSite(t) {
  const dir = await newProject(t);
  await must(['generate', dir, '--images', '5460', '--classes', '130', '--votes', String(48 * 400)]);
  return serve(t, dir);
}

const WORDS = 'hammerhead, hammerhead shark, bonnethead, smooth hammerhead, winghead and all their kin'.split(', ');
const UNBROKEN = 'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft';

function oddClasses() {
  const rows = [
    { wnid: 'n00000001', synset: [...WORDS, UNBROKEN, '<b>"R&D"</b>'], gloss: `${'a fish that is long in the telling; '.repeat(12)}and ${UNBROKEN}`,
      wikipedia: [`https://en.wikipedia.org/wiki/${UNBROKEN}`, 'https://en.wikipedia.org/wiki/Shark'] },
    { wnid: 'n00000002', synset: ['one'], gloss: 'a class with one image' },
    { wnid: 'n00000003', synset: ['many'], gloss: 'more images than a page shows', similar: ['n00000003', 'n00000002'] },
    { wnid: 'n00000004', synset: ['none'], gloss: '' },
  ];
  return rows.map((row, cid) => `${JSON.stringify({ cid, ...row })}\n`).join('');
}

/* Images that are known by name only: n per class and kind. */
function oddImages() {
  const lines = ['idx,image,wnid,kind,source_id,date_taken'];
  const add = (n, wnid, kind) => {
    for (let i = 0; i < n; i++) lines.push(`${lines.length - 1},${kind}-${wnid}-${i}-${i === 7 ? UNBROKEN : 'photo'},${wnid},${kind},,`);
  };
  add(42, 'n00000001', 'cand');
  add(3, 'n00000001', 'val');
  add(1, 'n00000002', 'cand');
  add(126, 'n00000003', 'cand');
  add(3, 'n00000003', 'val');
  return `${lines.join('\n')}\n`;
}

/* One grid of an earlier study over the first 45 images, and ten answers to it. */
function oddHit() {
  const range = (from, n) => Array.from({ length: n }, (_, i) => from + i);
  return `${JSON.stringify({
    hit: 0, uuid: '3c7987e5-737d-4f07-9905-35b1d76c181a', wnid: 'n00000001', time: '2018-08-17 16:11:23',
    label: range(0, 42), pos: range(42, 3), neg: [], all: range(0, 45),
  })}\n`;
}

function oddVotes() {
  const lines = ['assignment,hit,worker,status,accept_time,duration_s,mask_hex'];
  for (let i = 0; i < 10; i++) lines.push(`${i},0,w${i},A,1535546579,120,${(0xfffff >> i).toString(16)}`);
  return `${lines.join('\n')}\n`;
}

/* Two sets with names as long as may be and one that is sealed; a model and a person about all of both, one about a part. */
async function oddModels(dir, file) {
  const list = (wnid, kind, n) => Array.from({ length: n }, (_, i) =>
    ({ image: `${kind}-${wnid}-${i}-${i === 7 ? UNBROKEN : 'photo'}`, wnid }));
  const original = [...list('n00000001', 'val', 3), ...list('n00000003', 'val', 3)];
  const fresh = [...list('n00000001', 'cand', 42), ...list('n00000003', 'cand', 60)];
  const csv = (images) => `image,wnid\n${images.map((i) => `${i.image},${i.wnid}\n`).join('')}`;
  await must(['import', 'set', dir, 'o'.repeat(63), file('originals.csv', csv(original)), '--role', 'original']);
  await must(['import', 'set', dir, 's'.repeat(63), file('new.csv', csv(fresh))]);
  await must(['import', 'labels', dir, file('labels.csv', csv(original)), '--name', 'l'.repeat(63)]);
  const confused = original.map(({ image }) => ({ image, wnid: 'n00000003' }));
  await must(['import', 'labels', dir, file('main.csv', csv(confused)), '--kind', 'main', '--name', 'm'.repeat(63)]);
  const reviews = original.map(({ image, wnid }, i) => `${image},${wnid},${i === 5 ? 'unclear' : 'correct'}\n`).join('');
  await must(['subset', dir, 's'.repeat(63), `${'problematic,'.repeat(8)}without-near-duplicates`, '--note', 'a note '.repeat(60).trim()]);
  await must(['import', 'labels', dir, file('reviews.csv', `image,label,verdict\n${reviews}`), '--name', 'reviewed']);
  await must(['import', 'set', dir, 'under-construction', file('sealed.csv', csv(fresh.slice(50))), '--sealed']);
  const said = (images, wrong) => images.map(({ image, wnid }, i) => `${JSON.stringify(
    { image, labels: [i % wrong ? wnid : 'n00000002', 'n00000004'], scores: [0.9 - i / 200, 0.01] })}\n`).join('');
  for (const [name, images, wrong] of [['m'.repeat(63), [...original, ...fresh], 4], ['partial', fresh.slice(0, 30), 3], ['p'.repeat(63), [...original, ...fresh], 5]]) {
    await must(['import', 'predictions', dir, file(`${name}.jsonl`, said(images, wrong)), '--model', name]);
  }
  await must(['import', 'model-facts', dir, file('facts.csv', `model,group\n${'p'.repeat(63)},people\n`)]);
  const words = ['n00000001', `${UNBROKEN.repeat(8)} <b>`, '', `It shows ${'very much, '.repeat(40)}I think.`];
  await must(['import', 'texts', dir, file(`${UNBROKEN}.jsonl`, fresh.map(({ image }, i) => `${JSON.stringify({ image, text: words[i % 4] })}\n`).join('')),
    '--model', 'speaker', '--set', 's'.repeat(63), '--recipe', JSON.stringify({ answers: 'wnids', system: 'Answer with one class. '.repeat(20) })]);
  await must(['map-texts', dir, '--model', 'speaker', '--mapping', 'by_wnid']);
  await must(['map-texts', dir, '--model', 'speaker', '--mapping', 'w'.repeat(31), '--first', 'scores']);
  await must(['potential', 'freeze', dir, '--name', 'p'.repeat(63), '--set', 'o'.repeat(63), '--models', `${'m'.repeat(63)},${'p'.repeat(63)}`]);
  await must(['candidates', 'freeze', dir, '--name', 'c'.repeat(63), '--potential', 'p'.repeat(63), '--view', 'default', '--least', '1']);
}

/* Long names, missing files, nothing, one and too many; campaigns in every state. */
export async function oddSite(t) {
  const dir = await newProject(t);
  const work = tempDir(t);
  const file = (name, text) => {
    fs.writeFileSync(path.join(work, name), text);
    return path.join(work, name);
  };
  await must(['import', 'classes', dir, file('classes.jsonl', oddClasses())]);
  await must(['import', 'image-list', dir, file('images.csv', oddImages())]);
  await must(['import', 'hits', dir, file('hits.jsonl', oddHit())]);
  await must(['import', 'votes', dir, file('votes.csv', oddVotes())]);
  const title = `Which of these many photos show at least one ${WORDS.join(' or ')}? ${UNBROKEN}`;
  /* What the imported study answered is measured again. */
  await must(['grids', dir, '--campaign', 'long', '--kind', 're-measurement', '--class', 'n00000001', '--open', '--max-share', '1', '--title', title,
    '--rule', `${'Photographs only. '.repeat(20)}${UNBROKEN}`, '--pay', '150', '--currency', 'EUR']);
  await must(['grids', dir, '--campaign', 'draft', '--class', 'n00000003']);
  await must(['grids', dir, '--campaign', 'shut', '--kind', 'pilot', '--class', 'n00000003', '--open', '--max-share', '1']);
  await oddModels(dir, file);
  return serve(t, dir);
}
