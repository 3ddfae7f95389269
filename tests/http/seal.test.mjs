/* No page and no API says what a model answered about an image of a sealed revision, to whatever role, although the
 * image is in an open set too. Every GET row of the route table is asked, and the links of what comes, before and after
 * predictions about sealed images are there: their marks may not come up. Freezing the revision shows them, so that the
 * marks are known to be found.
 *
 * Nor does anything say which model is right: two copies of the project in which models have changed places are the same to
 * everybody, page by page, file by file, event by event, with potential and candidate labels of the sealed set too. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { crawl } from './crawl.mjs';
import { Client, holdout, must, root, startServer, tempDir } from './lib.mjs';
import { sqlite } from '../load/tools.mjs';
import { SETS, WNIDS, importModel, importSet, writer } from './model_world.mjs';
import { newWorld, routes, target } from './routes.mjs';
import { ROLES, WIDE, newToken, rank, startStudy } from './study.mjs';

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

/* ---- which model it is that is right ---- */

/* The project as it is, in a folder of its own. */
async function copied(t, dir) {
  const to = path.join(tempDir(t), 'project');
  fs.cpSync(dir, to, { recursive: true, filter: (at) => !/holdout\.db/.test(at) });
  await sqlite(path.join(dir, 'holdout.db'), `VACUUM INTO '${path.join(to, 'holdout.db')}';`);
  /* How far a job is when it is looked at is no difference, and pages about the last hours have nothing to show. */
  await sqlite(path.join(to, 'holdout.db'), "UPDATE job SET state = 'cancelled', pid = NULL, ended_at = 1 WHERE state IN ('queued', 'running');");
  await sqlite(path.join(to, 'holdout.db'), 'UPDATE answer SET at = at - 40 * 86400000;');
  return to;
}

/* Sealed, and in no other set: what models make of an open set with some of its images says something of these. */
const VAULT = Array.from({ length: 12 }, (_, i) => ({ image: `n00000002-candidate-${30 + i}`, wnid: WNIDS[1] }));

/* Three models about the sealed images: always right, every other time, never; `order` says which is which, and how sure it is.
 * Then labels that the images could have by them, grids that ask about these, and candidates. */
async function swapped(t, dir, order) {
  const file = writer(tempDir(t)), run = (...args) => must([...args, '--quiet']);
  await importSet(dir, file, 'vault', ['--sealed'], VAULT);
  for (const model of ['sharp', 'dull', 'sly']) {
    const k = order.indexOf(model);
    const rows = VAULT.map(({ image, wnid }, i) => {
      const right = k === 0 || (k === 1 && i % 2 === 0), other = WNIDS[1 - WNIDS.indexOf(wnid)];
      return `${JSON.stringify({ image, labels: right ? [wnid, other] : [other, wnid], scores: right ? [0.9, 0.05 + i / 1e5] : [0.7, 0.2] })}\n`;
    });
    await run('import', 'predictions', dir, file(`${model}-late.jsonl`, rows.join('')), '--model', model);
  }
  await run('potential', 'freeze', dir, '--name', 'hidden', '--set', 'vault', '--models', 'sharp,dull,sly');
  await run('grids', dir, '--kind', 'potential', '--campaign', 'found', '--potential', 'hidden', '--answers-per-grid', '2', '--seed', '3', '--title', 'Find', '--max-share', '1', '--same-image-again', '--grids-per-place', '9', '--open');
  await run('candidates', 'freeze', dir, '--name', 'hidden', '--potential', 'hidden', '--least', '1');
  return dir;
}

/* What pages say of when they were made, how long that took and at which pace, where they are, what their reader was shown just
 * before, secrets of a session; and the digest of an imported file, by which whoever has the file knows it. */
const plain = (text) => text.replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?Z?)?/g, 'WHEN').replace(/(name="csrf" value|csrf" content)="[^"]*"/g, 'CSRF')
  .replace(/name="client_id" value="[^"]*"/g, 'CLIENT').replace(/(?<!\d)1[78]\d{11}(?!\d)/g, 'NOW')
  .replace(/\b(\d+ (d|h|min|s) ?)+(left|at this pace|<)/g, 'WHILE').replace(/"pace":\{[^}]*\}|tile-value">[\d.]+<|"digest":"[0-9a-f]{64}"/g, 'PACE').replace(/ data-live-again="\d+"/g, '').replace(/127\.0\.0\.1:\d+/g, 'HERE').replace(/_ms":\s*[\d.]+/g, 'MS').replace(/"(eligible|seen|seen_pages)":\d+/g, '$1').replace(/"(request|at|as_of|lease_until|uptime_s)":\s*\d+/g, '$1').replace(/Request \d+/g, 'REQUEST');

/* Commands that write files or numbers, by their own help: each as it is, of the sealed set, and of its plans. */
async function printed(dir) {
  const names = [...(await must(['--help'])).matchAll(/^ {2}((?:export )?[a-z-]+(?: list| show)?) /gm)].map((m) => m[1])
    .filter((name) => /^export |(^| )(list|show)$|^(audit|bias|bins|changes|diff|fit|labels|multilabel|queries|score|set|subset|superclasses)$/.test(name));
  const texts = new Map();
  const put = async (...args) => {
    const { code, out, err } = await holdout(args);
    texts.set(args.filter((one) => one !== dir).join(' '), plain(`${code}\n${out}\n${err}`).replaceAll(dir, 'DIR'));
  };
  const forms = (name) => [[], ...(/^export (labels|potential|candidates|set)| show$/.test(name) ? [['hidden'], ['vault'], ['reviewed']] : [['--set', 'vault']]),
    ...(/^(bins|fit|score|multilabel)$/.test(name) ? [['--set', 'vault', '--labels', 'reviewed'], ['--original', 'originals', '--new', 'vault']] : [])];
  const all = names.flatMap((name) => forms(name).map((more) => [...name.split(' '), dir, ...more]));
  while (all.length) await Promise.all(all.splice(0, 4).map((args) => put(...args)));
  return texts;
}

/* Tables of what is stored, but for what models say. */
const STORED = ['SELECT kind, subject, detail FROM event ORDER BY id;', 'SELECT * FROM label_plan_label;', 'SELECT * FROM label_plan_image;',
  'SELECT kind, name, version, models, top, depths FROM label_plan;', 'SELECT g.id, g.name, c.position, c.image, c.role FROM grid g JOIN grid_cell c ON c.grid = g.id ORDER BY g.id, c.position;'];

async function told(t, dir, list) {
  const server = await startServer(t, dir, { env: WIDE });
  const seen = {};
  for (const role of ROLES) seen[role] = await crawl(list.filter((r) => rank(r.role) <= rank(role)).map((r) => r.at), await new Client(server.url).login(role === 'admin' ? 'keeper' : role));
  await server.stop();
  const clock = (at, text) => (/^\/($|campaigns\/)/.test(at) ? text.replace(/<figure[^]*?<\/figure>|<svg[^]*?<\/svg>/g, 'CHART') : text);
  for (const texts of Object.values(seen)) for (const [at, text] of texts) texts.set(at, plain(clock(at, text)));
  seen.commands = await printed(dir);
  seen.tables = new Map(await Promise.all(STORED.map(async (sql) => [sql, await sqlite(path.join(dir, 'holdout.db'), sql)])));
  return seen;
}

async function nobodyTells(t, dirs, list) {
  const plans = ['/label-plans/potential/hidden', '/label-plans/candidates/hidden', '/label-plans/candidates/hidden?stage=amb', '/label-plans/potential/hidden?people=10',
    ...['potential/hidden', 'candidates/hidden', 'potential/hidden/labels.csv', 'potential/hidden/coverage.csv', 'candidates/hidden/file.csv', 'candidates/hidden/frequencies.csv']
      .map((at) => `/api/v1/label-plans/${at}`), '/campaigns/found', '/campaigns/found/plan', '/api/v1/campaigns/found/grids', '/views/potential', '/models/sly', '/api/v1/models/sly',
    '/api/v1/models/sly/predictions?set=vault', '/sets/vault/0', '/api/v1/sets/vault/0', '/measures/said?set=vault', '/measures/pairs?set=vault', '/label-sources/reviewed?set=vault', '/api/v1/history?singles=1&limit=500'];
  /* Charts say the same in every format, those of the last hours the hour too; /metrics counts replies, and what is next to review depends on what was
   * looked at just before. */
  const some = list.filter(({ at }) => !/^\/charts\/[^?]*(\/(svg|csv)|-(day|pulse)\/)|^\/metrics|label-reviews\/reviews\/next|^\/labels\/reviews\/next/.test(at));
  const all = [...some, ...plans.map((at) => ({ at, role: /label-plans|found|views|history/.test(at) ? 'lead' : 'expert' }))];
  const [one, two] = [await told(t, dirs[0], all), await told(t, dirs[1], all)];
  const differ = [];
  let compared = 0;
  for (const [who, texts] of Object.entries(one)) {
    assert.deepEqual([...texts.keys()].sort(), [...two[who].keys()].sort(), who);
    for (const [at, text] of texts) {
      const [own, other] = [text, two[who].get(at)].map((all) => all.split('\n'));
      const line = own.findIndex((row, i) => row !== other[i]);
      if (line >= 0 || own.length !== other.length) {
        const from = Math.max(0, [...own[line] ?? ''].findIndex((c, i) => c !== other[line]?.[i]) - 60);
        differ.push(`${who}: ${at}\n  ${own[line]?.slice(from, from + 160)}\n  ${other[line]?.slice(from, from + 160)}`);
      }
      compared += text.length > 0;
    }
  }
  assert.deepEqual(differ, []);
  assert.ok(one.commands.size > 80 && compared > 2 * some.length, `${compared} texts were compared`);
  assert.match(one.commands.get('export potential hidden'), /^0\n[^]*,proposed\n/);
  t.diagnostic(`${compared} pages, files, replies and outputs are the same whichever model is right`);
}

test('what models say of sealed images is shown nowhere', async (t) => {
  const here = await begin(t);
  const list = await addresses(here);
  const copies = [await copied(t, here.dir), await copied(t, here.dir)];
  const before = await everybody(here, list);
  assert.deepEqual(found(before, before), []);
  assert.ok(before.lead.size > list.length / 2 && before["expert's token"].size > 20);
  await predict(here);

  await t.test('on no page, in no file and no API, for no role', async () => {
    assert.deepEqual(found(before, await everybody(here, list)), []);
  });

  await t.test('nor which model is right about them', async (tt) => {
    await nobodyTells(tt, [await swapped(tt, copies[0], ['sharp', 'dull', 'sly']), await swapped(tt, copies[1], ['sly', 'sharp', 'dull'])], list);
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
