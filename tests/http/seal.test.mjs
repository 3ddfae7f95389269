/* No page and no API says what a model answered about an image of a sealed revision, to whatever role, although the
 * image is in an open set too. Every GET row of the route table is asked, and the links of what comes, before and after
 * predictions about sealed images are there: their marks may not come up. Freezing the revision shows them, so that the
 * marks are known to be found. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { crawl } from './crawl.mjs';
import { Client, must, root, tempDir } from './lib.mjs';
import { SETS, WNIDS, importModel, importSet, writer } from './model_world.mjs';
import { newWorld, routes, target } from './routes.mjs';
import { ROLES, newToken, rank, startStudy } from './study.mjs';

const SAID = 'n00000003', WORD = 'quince'; /* what models say of sealed images, and of nothing else */
const SURE = /(?<!\d)0\.837/;             /* how sure they are: no other number begins so, but 20.837 s of a time ends so */
const PAGES = 400;

const charts = [...fs.readFileSync(path.join(root, 'server/web/core/charts.c'), 'utf8').matchAll(/^ {4}\{"([a-z-]+)", ROLE_/gm)]
  .map((m) => m[1]);
const closed = SETS.closed.slice(0, 12);
const pilot = [...SETS.closed.slice(0, 10), ...SETS.fresh.slice(0, 12)];

async function begin(t) {
  const study = await startStudy(t);
  const file = writer(tempDir(t));
  const classes = [...WNIDS, SAID].map((wnid, cid) => `${cid},${wnid},${['apple', 'pear', WORD][cid]},a fruit,\n`).join('');
  await must(['import', 'classes', study.dir, file('classes.csv', `cid,wnid,synset,gloss,wikipedia\n${classes}`)]);
  await importSet(study.dir, file, 'originals', ['--role', 'original']);
  await importSet(study.dir, file, 'fresh');
  await importSet(study.dir, file, 'pilot', [], pilot);
  await importSet(study.dir, file, 'closed', ['--sealed'], closed);
  for (const set of ['originals', 'fresh']) await importModel(study.dir, file, 'sharp', set, 3);
  const world = await newWorld(study);
  world.models = Promise.resolve();
  const { body } = await world.keeper.json('GET', '/api/v1/images?limit=1000');
  const images = closed.slice(0, 10).map(({ image }) => body.items.find((i) => i.image === image).id);
  const open = body.items.find((i) => i.image === SETS.fresh[0].image).id;
  return { ...study, file, world, images, open };
}

/* Two models about every image of the sealed set: wrong first, right second. */
async function predict({ dir, file }) {
  for (const model of ['sharp', 'dull']) {
    const rows = closed.map(({ image, wnid }, i) => JSON.stringify({ image, labels: [SAID, wnid], scores: [0.8371 + i / 1e5, 0.1] }));
    await must(['import', 'predictions', dir, file(`said-${model}.jsonl`, `${rows.join('\n')}\n`), '--model', model]);
  }
}

/* What rows are asked about: every value that matters here, one for the rest. */
const asked = (here, pattern) => {
  let list = [{}];
  const with_ = (name, values) => {
    if (pattern.includes(`:${name}`)) list = list.flatMap((p) => values.map((v) => ({ ...p, [name]: v })));
  };
  with_('image', here.images.slice(0, 2));
  with_('model', ['sharp', 'dull']);
  with_('set', ['originals', 'fresh', 'pilot', 'closed']);
  with_('wnid', [...WNIDS, SAID]);
  with_('chart', charts);
  with_('format', ['json', 'csv', 'svg']);
  return list;
};

/* Addresses of every GET row, without what makes something new for each request. */
async function addresses(here) {
  const list = [];
  for (const route of routes.filter((r) => r.method === 'GET' && !r.pattern.startsWith('/static/'))) {
    const base = await target(here.world, route);
    for (const given of asked(here, route.pattern)) {
      const parts = route.pattern.split('/'), filled = base.split('?')[0].split('/');
      const at = parts.map((p, i) => (p.slice(1) in given && p[0] === ':' ? given[p.slice(1)] : p === ':revision' ? '0' : filled[i])).join('/');
      const query = base.split('?')[1] ?? (route.pattern.startsWith('/charts/') ? `campaign=main&wnid=${WNIDS[0]}&view=default&model=sharp&set=pilot/0&original=originals/0&new=pilot/0` : '');
      list.push({ at: `${at}${query ? `?${query}` : ''}`, role: route.role });
    }
  }
  for (const set of ['originals', 'fresh', 'pilot']) {
    for (const model of ['sharp', 'dull']) {
      list.push({ at: `/models/${model}?set=${set}/0`, role: 'expert' }, { at: `/api/v1/models/${model}/predictions?set=${set}/0`, role: 'expert' });
      for (const wnid of WNIDS) list.push({ at: `/models/${model}?set=${set}/0&class=${wnid}`, role: 'expert' });
    }
  }
  return list;
}

async function everybody(here, list, roles = ROLES) {
  const seen = {};
  for (const role of roles) {
    const own = list.filter((r) => rank(r.role) <= rank(role)).map((r) => r.at);
    const login = role === 'admin' ? 'keeper' : role;
    seen[role] = await crawl(own, await new Client(here.server.url).login(login), { follow: role === 'lead' ? PAGES : 0 });
    const { token } = await newToken(here.dir, 'admin', role);
    const api = own.filter((at) => at.startsWith('/api/'));
    seen[`${role}'s token`] = await crawl(api, new Client(here.server.url), { headers: { authorization: `Bearer ${token}` } });
  }
  seen.nobody = await crawl(list.map((r) => r.at), new Client(here.server.url));
  return seen;
}

const count = (text, word) => text.split(word).length - 1;
/* Addresses whose text has marks that were not there before. */
function found(before, after) {
  const list = [];
  for (const [who, texts] of Object.entries(after)) {
    for (const [at, text] of texts) {
      const was = before[who].get(at);
      const named = was !== undefined && count(text, WORD) > count(was, WORD);
      if (named || SURE.test(text)) list.push(`${who}: ${at}`);
    }
  }
  return list;
}

test('what models say of sealed images is shown nowhere', async (t) => {
  const here = await begin(t);
  const list = await addresses(here);
  const before = await everybody(here, list);
  assert.deepEqual(found(before, before), []);
  assert.ok(before.lead.size > list.length / 2 && before["expert's token"].size > 20);
  await predict(here);

  await t.test('on no page, in no file and no API, for no role', async () => {
    assert.deepEqual(found(before, await everybody(here, list)), []);
  });

  await t.test('pages say that it is left out', async () => {
    const lead = await new Client(here.server.url).login('lead');
    assert.match(await lead.page(`/images/${here.images[0]}`), /closed\/0, which has it, is sealed/);
    for (const page of ['/models', '/sets/closed/0', `/images/${here.images[0]}`]) {
      const html = await lead.page(page);
      assert.match(html, /<a href="\/sets\/closed\/0#state-head">Freeze or unseal it<\/a>/, page);
      assert.doesNotMatch(html, /`holdout/, page);
    }
    assert.match(await lead.page('/sets/closed/0'), /id="state-head"/);
    assert.match(await lead.page('/models/sharp?set=pilot/0'), /10 of these images are in a sealed revision too/);
    const { body } = await lead.json('GET', '/api/v1/models/sharp/predictions?set=pilot/0');
    const hidden = body.items.filter((i) => i.sealed);
    assert.equal(hidden.length, 10);
    assert.ok(hidden.every((i) => i.labels === null && i.scores === null && i.source === null));
    assert.ok(body.items.filter((i) => !i.sealed).every((i) => i.labels.length === 2));
    assert.doesNotMatch(await must(['export', 'predictions', here.dir, '--set', 'pilot']), new RegExp(`${SAID}|${SURE.source}`));
  });

  await t.test('a set with the same images is sealed too', async () => {
    const lead = await new Client(here.server.url).login('lead');
    await importSet(here.dir, here.file, 'twin', ['--unseal', 'rehearsal'], closed);
    await importSet(here.dir, here.file, 'drawn-again', ['--sealed'], closed);
    const page = await lead.page('/sets/twin/0');
    assert.match(page, /twin\/0 has the same images as drawn-again\/0, which is sealed/);
    assert.match(page, /<a href="\/sets\/drawn-again\/0#state-head">Freeze or unseal it<\/a>/);
    assert.equal((await lead.json('GET', '/api/v1/models/sharp/predictions?set=twin/0')).status, 403);
    assert.match(await lead.page('/sets/closed/0'), /closed\/0 was unsealed through twin\/0, which has 12 of its images: rehearsal/);
    const r = await lead.json('POST', '/api/v1/sets/drawn-again/0/state', { state: 'frozen', reason: 'final' });
    assert.equal(r.status, 200, JSON.stringify(r.body));
    assert.equal((await lead.json('GET', '/api/v1/models/sharp/predictions?set=twin/0')).status, 200);
  });

  await t.test('the marks are found once the set is final', async () => {
    const shown = found(before, await everybody(here, list, ['expert', 'lead'])).map((line) => line.replace(/\d+$/, ''));
    for (const line of ['expert: /images/', 'lead: /models/dull?set=pilot/', "expert's token: /api/v1/models/sharp/predictions?set=pilot/"]) {
      assert.ok(shown.includes(line), `${line}\n${shown.join('\n')}`);
    }
  });
});
