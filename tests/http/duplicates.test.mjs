/* The duplicate review: who may, what a page says before and after a verdict, two reviewers, undo, what sampling makes of
 * it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Client, must, newProject, startServer, tempDir } from './lib.mjs';
import { addExpert, addFeatureOnly, addImages, sql, world } from './near_world.mjs';

const field = (html, name) => new RegExp(`name="${name}" value="(\\d+)"`).exec(html)?.[1];
const says = (html) => [...new Set([...html.matchAll(/name="(say-\d+)"/g)].map((m) => m[1]))];

/* Opens a candidate and judges all that is open there. */
async function judge(client, id, say, before = {}) {
  const html = await client.page(`/duplicates/${id}`);
  const form = { seen: field(html, 'seen'), searches: field(html, 'searches'), ...before };
  for (const name of says(html)) form[name] = say;
  return client.post(`/duplicates/${id}`, form);
}
const listed = (html) => [...html.matchAll(/href="\/duplicates\/(\d+)"/g)].map((m) => m[1]);

test('the nearest wait first; what is judged is left out, recorded and may be taken back', async (t) => {
  const { dir, ids, expert } = await world(t);
  /* c-0 and c-1 each have o-0 and the other; c-2 has o-2. */
  assert.deepEqual(listed(await expert.page('/duplicates')).sort(), [ids['c-0'], ids['c-1'], ids['c-2']].sort());
  assert.equal(says(await expert.page(`/duplicates/${ids['c-0']}`)).length, 2);
  const saved = await judge(expert, ids['c-0'], 'duplicate');
  assert.equal(saved.status, 303);
  assert.equal(saved.headers.get('location'), '/duplicates/next');
  assert.equal(await sql(dir, "SELECT group_concat(a || '=' || b, ' ') FROM (SELECT a, b FROM near_duplicate WHERE same ORDER BY a, b)"), 'c-0=c-1 c-0=o-0');
  assert.equal(await sql(dir, 'SELECT name, json_array_length(shown) FROM near_look'), 'c-0|2');
  /* The pair of c-0 and c-1 is judged from both sides. */
  assert.equal(says(await expert.page(`/duplicates/${ids['c-1']}`)).length, 1);
  assert.equal((await judge(expert, ids['c-2'], 'not')).status, 303);
  assert.deepEqual(listed(await expert.page('/duplicates')), [ids['c-1']]);
  assert.equal((await judge(expert, ids['c-1'], 'unsure')).status, 303);
  assert.deepEqual(listed(await expert.page('/duplicates')), [ids['c-1']], 'it waits for somebody else');
  const look = await sql(dir, "SELECT id FROM near_look WHERE name = 'c-0'");
  const undone = await expert.post('/duplicates/undo', { look });
  assert.equal(undone.headers.get('location'), `/duplicates/${ids['c-0']}`);
  assert.equal(says(await expert.page(`/duplicates/${ids['c-0']}`)).length, 2);
  assert.equal(await sql(dir, "SELECT count(*) FROM near_duplicate d WHERE same AND event = (SELECT max(event) FROM near_duplicate x WHERE x.a = d.a AND x.b = d.b)"), '0');
  assert.equal((await expert.post('/duplicates/undo', { look })).status, 409);
  assert.equal((await expert.post('/duplicates/undo', { look: '999999' })).status, 404);
});

test('the same for programs, page by page', async (t) => {
  const { dir, ids, expert } = await world(t);
  const { status, body } = await expert.json('GET', '/api/v1/duplicates');
  assert.equal(status, 200);
  const csv = (await must(['near-metrics', dir])).trim().split('\n').map((line) => line.split(','));
  assert.deepEqual(Object.keys(body.metrics[0]), csv[0]);
  assert.deepEqual(body.metrics.map((m) => [m.metric, m.state, m.searched, m.candidates, m.pairs, m.left, m.reviewed_to ?? ''].map(String)),
    csv.slice(1).map(([metric, state, , , , , , searched, candidates, pairs, left, to]) => [metric, state, searched, candidates, pairs, left, String(to && Number(to))]));
  assert.equal(body.total, 3);
  assert.deepEqual(body.items.map((i) => [i.url, i.neighbors]).sort(), ['c-0', 'c-1', 'c-2'].map((c) => [`/duplicates/${ids[c]}`, c === 'c-2' ? 1 : 2]).sort());
  assert.ok(!JSON.stringify(body.items).includes('o-'), 'a neighbour is not named before the verdict');
  const paged = [];
  for (let at = '/api/v1/duplicates?limit=2'; at;) {
    const part = (await expert.json('GET', at)).body;
    paged.push(...part.items);
    at = part.next_url;
  }
  assert.deepEqual(paged, body.items);
  await judge(expert, ids['c-2'], 'not');
  const left = (await expert.json('GET', '/api/v1/duplicates')).body;
  assert.equal(left.total, 2);
  assert.ok(left.metrics.filter((m) => m.state === 'on').every((m) => m.left < 3 && m.reviewed_to <= m.threshold));
});

test('sampling takes a candidate once its neighbours are judged', async (t) => {
  const { dir, ids, expert } = await world(t);
  const unreviewed = async () => (await must(['export', 'pool', dir])).trim().split('\n').filter((l) => /^c-/.test(l) && l.split(',')[7] === '1').map((l) => l.split(',')[0]);
  assert.deepEqual(await unreviewed(), ['c-0', 'c-1', 'c-2']);
  await judge(expert, ids['c-2'], 'not');
  assert.deepEqual(await unreviewed(), ['c-0', 'c-1']);
  await judge(expert, ids['c-0'], 'duplicate');
  await judge(expert, ids['c-1'], 'unsure');
  assert.deepEqual(await unreviewed(), ['c-1']);
});

test('two reviewers never overwrite each other', async (t) => {
  const { dir, ids, expert, lead } = await world(t);
  const html = await lead.page(`/duplicates/${ids['c-0']}`);
  const [one, other] = says(html);
  assert.equal((await judge(expert, ids['c-0'], 'not')).status, 303);
  const late = await lead.post(`/duplicates/${ids['c-0']}`, { seen: field(html, 'seen'), searches: field(html, 'searches'), [one]: 'duplicate', [other]: 'duplicate' });
  /* Both of its pairs are judged by now, so there is nothing left that could be said. */
  assert.ok([400, 409].includes(late.status), String(late.status));
  assert.equal(await sql(dir, "SELECT count(*) FROM near_verdict WHERE verdict = 'duplicate'"), '0');
  /* One of two pairs is judged: the other is not saved over it unseen. */
  const again = await lead.page(`/duplicates/${ids['c-1']}`);
  await sql(dir, `INSERT INTO event (at, kind) VALUES (1, 'near-duplicates.reviewed');
    INSERT INTO near_verdict SELECT 'c-1', 'o-3', max(id), 'not', 0 FROM event;`);
  const slow = await lead.post(`/duplicates/${ids['c-1']}`, { seen: field(again, 'seen'), searches: field(again, 'searches'), [says(again)[0]]: 'duplicate' });
  assert.equal(slow.status, 409);
  assert.match(await slow.text(), /Somebody else has judged neighbours of this image meanwhile/);
});

test('leads start a search as a job', async (t) => {
  const { expert, lead } = await world(t);
  assert.match(await lead.page('/duplicates'), /action="\/duplicates\/search"/);
  assert.ok(!(await expert.page('/duplicates')).includes('/duplicates/search'));
  assert.equal((await expert.post('/duplicates/search', { what: 'all' })).status, 403);
  assert.equal((await lead.post('/duplicates/search', { what: 'everything' })).status, 400);
  const r = await lead.post('/duplicates/search', { what: 'originals' });
  const at = r.headers.get('location');
  assert.match(at, /^\/jobs\/\d+$/);
  for (let state; state !== 'done'; await new Promise((go) => { setTimeout(go, 50); })) {
    ({ state } = (await lead.json('GET', `/api/v1${at}`)).body);
    assert.ok(['queued', 'running', 'done'].includes(state), state);
  }
  assert.equal((await lead.json('GET', '/api/v1/duplicates')).body.originals.searched, 4);
});

test('the share of originals that are near-duplicates is of those that were searched, whatever else is recorded', async (t) => {
  const { dir, lead } = await world(t);
  const state = async () => (await lead.json('GET', '/api/v1/duplicates')).body.originals;
  const pairs = path.join(tempDir(t), 'pairs.csv');
  const record = async (names) => {
    fs.writeFileSync(pairs, `a,b\n${names.map((name) => `${name},t-0\n`).join('')}`);
    await must(['import', 'near-duplicates', dir, pairs]);
  };
  await addImages(t, dir, { 't-0': 'training' });
  await record(['o-0', 'o-1', 'o-2', 'o-3']);
  assert.deepEqual([(await state()).searched, (await state()).share], [0, null]);
  await must(['neighbors', dir, '--originals']);
  await addImages(t, dir, { 'o-4': 'original', 'o-5': 'original', 'o-6': 'original' });
  await record(['o-4', 'o-5', 'o-6']);
  const now = await state();
  assert.deepEqual([now.originals, now.searched, now.duplicates, now.share, now.share_hi], [7, 4, 4, 1, 1]);
  assert.match(await lead.page('/duplicates/quality'), /100\.0 %/);
});

test('reviewers who work side by side get different candidates, each the same until they have judged it', async (t) => {
  const { ids, expert, lead } = await world(t);
  const next = async (client) => (await client.get('/duplicates/next')).headers.get('location');
  const id = (at) => at.split('/').at(-1);
  const [mine, theirs] = [await next(expert), await next(lead)];
  assert.notEqual(mine, theirs);
  assert.deepEqual([await next(expert), await next(lead)], [mine, theirs], 'asked again, from another tab');
  assert.equal((await judge(expert, id(mine), 'unsure')).status, 303);
  const then = await next(expert);
  assert.ok(![mine, theirs].includes(then) && Object.values(ids).includes(id(then)), 'also when something is left to others');
  assert.equal((await judge(expert, id(then), 'not')).status, 303);
  assert.equal(await next(expert), '/duplicates', 'what they were unsure of waits for somebody else');
  assert.equal((await judge(lead, id(theirs), 'not')).status, 303);
  assert.equal(await next(lead), mine, 'which is this one');
  assert.equal((await judge(lead, id(mine), 'not')).status, 303);
  assert.deepEqual([await next(expert), await next(lead)], ['/duplicates', '/duplicates']);
});

test('before the verdict nothing says which neighbour is an original', async (t) => {
  const { ids, expert } = await world(t);
  const html = await expert.page(`/duplicates/${ids['c-0']}`);
  for (const name of ['o-0', 'c-1']) {
    assert.ok(!html.includes(name), name);
    assert.ok(!html.includes(`/images/${ids[name]}`), `the address of ${name}`);
    assert.ok(!new RegExp(`author-${name}`).test(html));
  }
  assert.doesNotMatch(html, /original/i);
  const pictures = [...html.matchAll(/src="(\/duplicates\/[^"]+)"/g)].map((m) => m[1].replaceAll('&amp;', '&'));
  assert.equal(pictures.length, 2);
  for (const at of pictures) {
    const r = await expert.fetch(at);
    assert.equal(r.status, 200);
    assert.match(r.headers.get('content-type'), /^image\//);
    assert.match(r.headers.get('cache-control'), /no-store/);
  }
  assert.equal((await expert.fetch(pictures[0].replace(/searches=\d+/, 'searches=1'))).status, 409);
  assert.equal((await expert.fetch(pictures[0].replace(/shown\/\d+/, 'shown/7'))).status, 404);
  await judge(expert, ids['c-0'], 'not');
  const after = await expert.page(`/duplicates/${ids['c-0']}`);
  assert.match(after, /All neighbours are judged/);
  assert.match(after, /o-0<\/a> · original · whippet · .*author-o-0/);
});

test('what cannot be saved says why, and keeps what was chosen', async (t) => {
  const { ids, expert } = await world(t);
  const none = await judge(expert, ids['c-0'], '');
  assert.equal(none.status, 400);
  assert.match(await none.text(), /Choose a verdict for at least one neighbour/);
  const odd = await judge(expert, ids['c-0'], 'perhaps');
  assert.equal(odd.status, 400);
  assert.match(await odd.text(), /A verdict is duplicate, not or unsure/);
  assert.equal((await judge(expert, ids['c-0'], 'not', { searches: '1' })).status, 409);
  assert.equal((await judge(expert, ids['c-0'], 'not', { seen: '77' })).status, 409);
  for (const at of ['/duplicates/999', '/duplicates/x']) assert.equal((await expert.fetch(at)).status, 404, at);
});

test('a project without a search says what to do', async (t) => {
  const dir = await newProject(t);
  await addExpert(t, dir);
  const server = await startServer(t, dir);
  const expert = await new Client(server.url).login('expert');
  assert.match(await expert.page('/duplicates'), /No search has run yet/);
  const next = await expert.fetch('/duplicates/next');
  assert.equal(next.headers.get('location'), '/duplicates');
  await must(['near-metrics', dir, 'l2']);
  assert.match(await expert.page('/duplicates'), /No search has ended yet/);
});

test('one look in twenty is shown again, says nothing of it, and changes nothing', async (t) => {
  const { dir, ids, expert } = await world(t);
  const at = `/duplicates/${ids['c-2']}`;
  for (let i = 0; i < 20; i++) {
    assert.notEqual((await expert.get('/duplicates/next')).headers.get('location').split('?')[1]?.slice(0, 5), 'again', String(i));
    assert.equal((await judge(expert, ids['c-2'], 'not')).status, 303);
    if (i < 19) assert.equal((await expert.post('/duplicates/undo', { look: await sql(dir, 'SELECT max(id) FROM near_look WHERE undoes IS NULL') })).status, 303);
  }
  const again = (await expert.get('/duplicates/next')).headers.get('location');
  const look = await sql(dir, 'SELECT max(id) FROM near_look WHERE undoes IS NULL');
  assert.equal(again, `${at}?again=${look}`);
  assert.equal(says(await expert.page(at)).length, 0);
  const html = await expert.page(again);
  assert.equal(says(html).length, 1);
  for (const told of ['o-2', `/images/${ids['o-2']}`, 'Need no look']) assert.ok(!html.includes(told), told);
  const form = { seen: field(html, 'seen'), searches: field(html, 'searches'), again: field(html, 'again'), [says(html)[0]]: 'duplicate' };
  const pool = await must(['export', 'pool', dir]);
  assert.equal((await expert.post(at, form)).status, 303);
  assert.equal((await expert.post(at, form)).status, 409, 'once is enough');
  assert.equal(await must(['export', 'pool', dir]), pool);
  assert.equal(await sql(dir, 'SELECT count(*) FROM near_duplicate'), '0');
  assert.equal((await expert.get('/duplicates/next')).headers.get('location').includes('again'), false);
  const { agreement } = (await expert.json('GET', '/api/v1/duplicates')).body;
  assert.deepEqual(agreement, [{ who: 'within', pairs: 1, alike: 0, kappa: 0 }, { who: 'between', pairs: 0, alike: 0, kappa: null }]);
  assert.match(await expert.page('/duplicates/quality'), /The same person<\/th><td class="number">1<\/td><td class="number">0<\/td>/);
  assert.equal((await expert.get(`${at}?again=99999`)).status, 404);
  assert.equal((await expert.get(`${at}?again=x`)).status, 404);
  assert.equal((await expert.get(`/duplicates/${ids['c-0']}?again=${look}`)).status, 404, 'of another candidate');
});

test('pairs beyond a threshold are drawn, and what people say of them bounds what it misses', async (t) => {
  const { dir, expert } = await world(t);
  const neighbors = (await must(['export', 'neighbors', dir, '--metric', 'l2'])).trim().split('\n').slice(1).map((line) => line.split(','));
  const threshold = Math.min(...neighbors.map((r) => Number(r[3])).filter((d) => d > 1000)) * 0.8;
  await must(['near-metrics', dir, 'l2', '--threshold', threshold]);
  await must(['neighbors', dir]);
  const pairs = new Set(neighbors.filter((r) => Number(r[3]) > threshold && Number(r[3]) <= 1.5 * threshold).map((r) => [r[0], r[2]].sort().join(' ')));
  assert.ok(pairs.size > 0);
  const beyond = async () => (await expert.json('GET', '/api/v1/duplicates')).body.beyond;
  assert.deepEqual(await beyond(), [{ metric: 'l2', pairs: pairs.size, drawn: pairs.size, judged: 0, duplicates: 0, share: null, share_lo: null, share_hi: null }]);
  const seen = [];
  const WORDS = ['duplicate', 'not', 'unsure'];
  for (let k = 0; k < 20; k++) {
    const at = (await expert.get('/duplicates/beyond')).headers.get('location');
    if (at === '/duplicates') break;
    assert.match(at, /^\/duplicates\/\d+\?beyond=1$/);
    const html = await expert.page(at);
    const names = says(html);
    assert.ok(names.length > 0 && !html.includes('Need no look'));
    const [, picture] = /src="(\/duplicates\/\d+\/shown\/\d+\?searches=\d+&amp;beyond=1)"/.exec(html);
    assert.equal((await expert.get(picture.replaceAll('&amp;', '&'))).status, 200);
    const form = { seen: field(html, 'seen'), searches: field(html, 'searches'), beyond: '1' };
    for (const name of names) {
      form[name] = WORDS[seen.length % 3];
      seen.push(form[name]);
    }
    const saved = await expert.post(at.split('?')[0], form);
    assert.equal(saved.headers.get('location'), '/duplicates/beyond');
  }
  assert.equal(seen.length, pairs.size);
  const [said] = await beyond();
  assert.equal(said.judged, seen.filter((s) => s !== 'unsure').length);
  assert.equal(said.duplicates, seen.filter((s) => s === 'duplicate').length);
  assert.ok(Math.abs(said.share - said.duplicates / said.judged) < 1e-12 && said.share_lo <= said.share && said.share <= said.share_hi);
  assert.match(await expert.page('/duplicates/quality'), /What the thresholds miss/);
  assert.equal(await sql(dir, 'SELECT count(*) FROM near_duplicate WHERE same'), String(said.duplicates), 'they count like all others');
});

test('a neighbour of which only features are known has no picture, but name, class and distance', async (t) => {
  const { dir, expert, lead } = await world(t);
  await addFeatureOnly(t, dir);
  await must(['neighbors', dir]);
  const ids = Object.fromEntries((await sql(dir, 'SELECT name, id FROM image')).split('\n').map((line) => line.split('|')));
  const at = `/duplicates/${ids['c-5']}`;
  assert.ok(listed(await expert.page('/duplicates')).includes(ids['c-5']));
  const html = await expert.page(at);
  assert.equal(says(html).length, 1);
  assert.match(html, /<div class="duplicate-picture" data-no-picture><p class="duplicate-none">No picture: only its features are known<\/p><\/div>/);
  assert.match(html, /<p class="duplicate-named"><span class="mono">f-0<\/span> · tabby<\/p>/);
  assert.match(html, /<span class="mono">deep<\/span> <meter [^>]*><\/meter>\s*0 <span class="muted">of 1e-12<\/span>/);
  assert.doesNotMatch(html, /f-1/);
  /* No picture is asked for that is not there; whoever asks is told. */
  const pictures = [...html.matchAll(/<img[^>]*src="(\/(?!static)[^"]+)"/g)].map((m) => m[1].replaceAll('&amp;', '&'));
  assert.deepEqual(pictures, [`/images/${ids['c-5']}/view`]);
  assert.equal((await expert.fetch(`${at}/shown/0?searches=${field(html, 'searches')}`)).status, 404);
  const other = await expert.page(`/duplicates/${ids['c-2']}`);
  assert.doesNotMatch(other, /data-no-picture/);
  assert.equal([...other.matchAll(/src="\/duplicates\/[^"]+"/g)].length, says(other).length);
  assert.equal((await judge(expert, ids['c-5'], 'duplicate')).status, 303);
  assert.equal(await sql(dir, "SELECT a || '=' || b FROM near_duplicate WHERE same AND (a = 'f-0' OR b = 'f-0')"), 'c-5=f-0');
  assert.match(await expert.page(at), /f-0<\/a> · training · tabby/);
  /* The pages of images. */
  const image = await lead.page(`/images/${ids['f-0']}`);
  assert.match(image, /<strong>No picture: only its features are known<\/strong>/);
  assert.doesNotMatch(image, /<img[^>]*\/images\/|File and statistics/);
  for (const kind of ['view', 'grid']) assert.equal((await lead.fetch(`/images/${ids['f-0']}/${kind}`)).status, 404);
  const list = await lead.page('/images?role=training');
  assert.match(list, /f-0/);
  assert.doesNotMatch(list, new RegExp(`/images/${ids['f-0']}/grid`));
  assert.match(await lead.page('/history'), /imported features by .*m.* of .*2 images.* without pixels/);
});
