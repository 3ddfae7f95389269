/* The class browser without a script: what its form says is stored and shown, valid candidates per bin are those that
 * sampling may take, filters, search, the page of an image. Each number is counted again here. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client, must, newProject, startServer } from './lib.mjs';
import { plain } from './page_forms.mjs';
import { WIDE, newToken } from './study.mjs';

const WNID = 'n00000001';
const CLASS = `/classes/${WNID}`;
const LIST = `/api/v1/classes/${WNID}/frequencies?limit=1000`;

/* Two classes of images by name, ten answers on every grid and more. */
async function world(t) {
  const dir = await newProject(t);
  await must(['generate', dir, '--images', '168', '--classes', '2', '--votes', '4800']);
  const server = await startServer(t, dir, { env: WIDE });
  return { dir, lead: await new Client(server.url).login('admin'), server };
}

const attribute = (tag, name) => plain(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '');

/* The fields of the form "decide" as a browser without scripts sends them. */
function decideFields(html) {
  const fields = {};
  for (const [tag] of html.matchAll(/<input[^>]* form="decide"[^>]*>/g)) {
    if (!/type="checkbox"/.test(tag)) fields[attribute(tag, 'name')] = attribute(tag, 'value');
  }
  for (const [, tag, inner] of html.matchAll(/(<select[^>]* form="decide"[^>]*>)(.*?)<\/select>/gs)) {
    const chosen = /<option value="([^"]*)" selected>/.exec(inner);
    fields[attribute(tag, 'name')] = chosen ? plain(chosen[1]) : '';
  }
  return fields;
}

const decide = (client, fields, changes) => client.post(`${CLASS}/decisions`, { ...fields, ...changes });

async function items(client, query = '') {
  const r = await client.json('GET', `${LIST}${query}`);
  assert.equal(r.status, 200, JSON.stringify(r.body));
  return r.body.items;
}

const own = (i) => i.class === 1;
const bin = (i) => Math.min(4, Math.floor((5 * i.selected) / i.n));

/* [originals, target, valid, all] of each bin as the page says. */
function binsOf(html) {
  const table = /id="bins-table".*?<\/table>/s.exec(html)[0];
  return [...table.matchAll(/<tr><th scope="row".*?<\/tr>/gs)].map(([row]) =>
    [...row.matchAll(/<td class="number">(?:<[^>]*>)?(\d+)/g)].map((m) => Number(m[1])));
}

test('decisions by form act at once on lists, bins and pages', async (t) => {
  const { lead } = await world(t);
  const before = (await items(lead)).filter((i) => own(i) && i.role === 'candidate');
  const best = before.filter((i) => i.n >= 10).sort((a, b) => b.selected / b.n - a.selected / a.n || b.n - a.n);
  assert.ok(best.length > 8);
  const [drawn, odd, kept, twin, third] = best;
  const fields = decideFields(await lead.page(CLASS));
  assert.equal(fields.seen, '0');
  assert.equal(Object.keys(fields).filter((k) => k.startsWith('reason-')).length, Math.min(100, before.length));
  const changes = {
    [`reason-${drawn.id}`]: 'drawing', [`note-${drawn.id}`]: '<b>a poster</b>', [`reason-${odd.id}`]: 'class',
    [`set-${kept.id}`]: 'x', [`set-${twin.id}`]: 'x',
  };
  const refused = await decide(lead, fields, { ...changes, [`set-${third.id}`]: 'lonely' });
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), new RegExp(`at least two images, and ${third.image} would be alone in &quot;lonely&quot;`));
  assert.deepEqual((await items(lead, '&blacklist=only')), [], 'nothing of it is stored');
  const r = await decide(lead, fields, changes);
  assert.equal(r.status, 303, await r.text());
  assert.equal(r.headers.get('location'), fields.back);

  const only = async (query) => (await items(lead, query)).map((i) => i.image);
  assert.deepEqual((await only('&blacklist=only')).sort(), [drawn.image, odd.image].sort());
  const [out] = await only('&near_duplicates=only');
  assert.ok([kept.image, twin.image].includes(out), 'one of the two stays');
  const stays = out === kept.image ? twin : kept;
  const leader = kept.selected / kept.n > twin.selected / twin.n ? kept : kept.selected / kept.n < twin.selected / twin.n ? twin : stays;
  assert.equal(stays.image, leader.image, 'the more frequent one stays');
  const left = await only('&blacklist=without&near_duplicates=without');
  assert.ok(![drawn, odd].some((i) => left.includes(i.image)) && !left.includes(out) && left.includes(third.image));
  const all = await items(lead);
  assert.equal(all.length, (await items(lead, '&blacklist=without')).length + 2);
  const said = all.find((i) => i.image === drawn.image);
  assert.deepEqual([said.blacklisted, said.blacklist_reason, said.near_duplicate], [true, 'drawing', false]);
  const everywhere = await lead.json('GET', '/api/v1/images?blacklist=only');
  assert.deepEqual(everywhere.body.items.map((i) => i.image).sort(), [drawn.image, odd.image].sort());

  /* Bins, counted here. */
  const html = await lead.page(CLASS);
  const measured = all.filter((i) => own(i) && i.role === 'original' && i.n >= 10);
  const candidates = all.filter((i) => own(i) && i.role === 'candidate' && i.n > 0);
  const count = (list) => [0, 1, 2, 3, 4].map((b) => list.filter((i) => bin(i) === b).length);
  const bins = binsOf(html);
  assert.deepEqual(bins.map((b) => b[0]), count(measured));
  assert.deepEqual(bins.map((b) => b[2]), count(candidates.filter((i) => i.n >= 10 && !i.blacklisted && !i.near_duplicate)));
  assert.deepEqual(bins.map((b) => b[3]), count(candidates));
  assert.equal(bins.reduce((n, b) => n + b[1], 0), measured.length ? 10 : 0);

  /* The bins with a target, together. */
  const targets = bins.flatMap((b, i) => (b[1] ? [i] : []));
  const inTargets = await items(lead, '&role=candidates&bin=targets');
  assert.deepEqual(inTargets.map((i) => i.id).sort(), candidates.filter((i) => targets.includes(bin(i))).map((i) => i.id).sort());

  /* The page: who, what, the note escaped, the fields as they are now. */
  assert.match(html, /<strong>admin<\/strong> blacklisted 2 images, grouped 2 images as near-duplicates/);
  assert.ok(!html.includes('<b>a poster') && !html.includes(`data-decide-card="${drawn.id}"`));
  const shown = await lead.page(`${CLASS}?blacklist=all&near_duplicates=all`);
  const now = decideFields(shown);
  assert.equal(now[`was-${drawn.id}`], 'drawing||<b>a poster</b>');
  assert.equal(now[`reason-${odd.id}`], 'class');
  assert.equal(now[`set-${kept.id}`], now[`set-${twin.id}`]);
  assert.notEqual(now[`set-${kept.id}`], '');
  assert.match(shown, /kept of 2/);

  /* Undone by its button, seen by nobody twice. */
  const undo = { seen: now.seen, back: now.back, undo: /name="undo" value="(\d+)"/.exec(shown)[1] };
  assert.equal((await lead.post(`${CLASS}/decisions`, undo)).status, 303);
  assert.deepEqual(await only('&blacklist=only'), []);
  assert.deepEqual(await only('&near_duplicates=only'), []);
  assert.equal((await lead.post(`${CLASS}/decisions`, undo)).status, 412);
  assert.match(await lead.page(CLASS), /<span class="badge warning">undone<\/span>/);
});

test('what others decide is said to whoever has the page open', async (t) => {
  const { dir, lead, server } = await world(t);
  await must(['user', 'add', dir, 'ben', '--role', 'expert', '--password-file', '-'], { input: 'a long password of ben\n' });
  const ben = await new Client(server.url).login('ben', 'a long password of ben');
  const open = await lead.page(CLASS);
  const live = plain(/id="changed"[^>]*data-live-url="([^"]*)"/.exec(open)[1]);
  assert.ok(!(await lead.page(live)).includes('Since you opened this page'));
  const fields = decideFields(await ben.page(CLASS));
  const [id] = Object.keys(fields).flatMap((k) => /^reason-(\d+)$/.exec(k)?.[1] ?? []);
  assert.equal((await decide(ben, fields, { [`reason-${id}`]: 'harmful' })).status, 303);
  const changed = await lead.page(live);
  assert.match(changed, /Since you opened this page/);
  assert.match(changed, /<strong>ben<\/strong> blacklisted 1 image/);
  assert.ok(!(await ben.page(plain(/data-live-url="([^"]*)"/.exec(open)[1]))).includes('Since you opened'), 'not about oneself');
  assert.ok(!(await lead.page(CLASS)).includes('Since you opened this page'));
});

test('the page of an image: what holds, its photo, who said so; decided there', async (t) => {
  const { dir, lead } = await world(t);
  const [a, b] = (await items(lead)).filter((i) => own(i) && i.role === 'candidate');
  await must(['import', 'near-duplicates', dir, '-'], { input: `a,b\n${a.image},n01440764_18.JPEG\n` });
  await must(['import', 'blacklist', dir, '-'], { input: `image,reason\n${b.image},Cartoon\n` });
  const page = async (i) => lead.page(`/images/${i.id}`);
  const first = await page(a);
  assert.match(first, /It shows the same photo as an original, so sampling does not take it/);
  assert.match(first, /not in the project/);
  assert.match(first, /<strong>an import<\/strong> marked it as a near-duplicate of <span class="mono">n01440764_18\.JPEG/);
  const second = await page(b);
  assert.match(second, /on the blacklist, so sampling does not take it/);
  assert.match(second, /put it on the blacklist: drawing, painting or rendering, “Cartoon”/);

  const fields = decideFields(second);
  assert.equal(fields[`reason-${b.id}`], 'drawing');
  assert.equal(Object.keys(fields).includes(`set-${b.id}`), false);
  const r = await decide(lead, fields, { [`reason-${b.id}`]: '', near: `${b.image} ${a.image}` });
  assert.equal(r.status, 303, await r.text());
  const after = await page(b);
  assert.match(after, /<strong>admin<\/strong> took it off the blacklist/);
  assert.match(after, new RegExp(`href="/images/${a.id}">${a.image}<`));
  assert.match(after, /It shows the same photo as an original/, 'what b has in common with a, it has with the original');
  const out = await decide(lead, decideFields(after), { [`set-${b.id}`]: '' });
  assert.equal(out.status, 303);
  assert.ok(!(await page(b)).includes('Images of the same photo'));

  const original = (await items(lead, '&role=originals'))[0];
  assert.match(await page(original), /An original is measured, never sampled/);
  assert.ok(!(await page(original)).includes(`name="reason-${original.id}"`));
});

test('searching classes, originals beside, originals to compare with', async (t) => {
  const { dir, lead } = await world(t);
  await must(['import', 'classes', dir, '-'], {
    input: `cid,wnid,synset,gloss,wikipedia\n0,n00000001,Great White Shark|man-eater,large fish,\n1,n00000002,tabby,a cat,\n2,n00000003,tiger cat,a cat,\n`,
  });
  const to = async (q) => (await lead.get(`/classes?q=${encodeURIComponent(q)}`)).headers.get('location');
  for (const q of ['white', 'WHITE SHARK', 'Man-Eater', 'LARGE fish', ' n00000001 ', 'N00000001']) assert.equal(await to(q), CLASS, q);
  assert.equal(await to('cat'), null, 'two of them are listed');
  assert.match(await lead.page('/classes?q=CAT'), /2 classes for “CAT”/);
  assert.match(await lead.page('/classes?q=none'), /No class matches/);
  assert.equal(await to('tiger'), '/classes/n00000003');

  const beside = (html) => [...html.matchAll(/id="originals".*?<\/section>/gs)][0][0].match(/<li class="card"/g)?.length ?? 0;
  const total = (await items(lead, '&role=originals')).length;
  assert.equal(beside(await lead.page(CLASS)), Math.min(10, total));
  assert.equal(beside(await lead.page(`${CLASS}?originals=3`)), 3);
  assert.equal(beside(await lead.page(`${CLASS}?originals=0`)), 0);
  assert.match(await lead.page('/classes/n00000003'), /<strong>No originals<\/strong>/);
  assert.match(await lead.page(`${CLASS}?least=0.99999`), /No image matches/);
});

test('who may decide', async (t) => {
  const { dir, server } = await world(t);
  await must(['user', 'add', dir, 'wendy', '--role', 'worker', '--password-file', '-'], { input: 'a long password of wendy\n' });
  await must(['user', 'add', dir, 'erin', '--role', 'expert', '--password-file', '-'], { input: 'a long password of erin\n' });
  const worker = await new Client(server.url).login('wendy', 'a long password of wendy');
  assert.equal((await worker.get(CLASS)).status, 403);
  assert.equal((await worker.post(`${CLASS}/decisions`, { seen: '0', undo: '1' })).status, 403);
  const { token } = await newToken(dir, 'erin', 'expert');
  const r = await new Client(server.url).json('GET', LIST, undefined, { authorization: `Bearer ${token}` });
  assert.equal(r.status, 200);
});
