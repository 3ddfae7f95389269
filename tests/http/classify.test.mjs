/* classify.test.mjs - the CLASSIFY task by JSON and as a form: who gets which task, the order that is shown and stored, what
 * is refused, and that no number of CONTAINS depends on it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { FaultFile, sqlite } from '../load/tools.mjs';
import { Client, faultBin, holdout, must, tempDir } from './lib.mjs';
import { IMAGES, LABELS, image, rows, startClassify, task, tick, wnid } from './classify_world.mjs';
import { answer, join, next } from './study.mjs';

const answers = (site) => sqlite(`${site.dir}/holdout.db`, "SELECT count(*) FROM answer w JOIN assignment a ON a.id = w.assignment JOIN grid g ON g.id = a.grid JOIN campaign k ON k.id = g.campaign WHERE k.task = 'classify';").then(Number);

test('labels in an order of their own, stored as ticked, and neither task after the other', async (t) => {
  const site = await startClassify(t);
  const { client } = site;
  const shown = new Set();
  for (const person of ['ann', 'bob', 'cora', 'dan', 'eve']) {
    const one = await task(client, person);
    assert.equal(one.cells, 1);
    assert.deepEqual(one.options.map((o) => o.position), [0, 1, 2, 3]);
    shown.add(one.options.map((o) => o.wnid).join());
    const at = (i) => one.options.find((o) => o.wnid === wnid(i)).position;
    const said = await tick(client, one.assignment, [at(3), at(1)], at(3));
    assert.equal(said.body.status, 'stored');
    assert.deepEqual((await tick(client, one.assignment, [at(3), at(1)], at(3))).body, said.body, 'the same again is the same answer');
    assert.equal((await client.json('GET', `/api/v1/assignments/${one.assignment}`)).body.state, 'stored');
  }
  assert.ok(shown.size > 1, 'everybody saw the same order');
  assert.equal((await sqlite(`${site.dir}/holdout.db`, 'SELECT group_concat(DISTINCT mask || \' \' || main) FROM answer WHERE main IS NOT NULL;')).trim(), '10 3');
  /* Who ticked labels of an image is not asked about a grid with it, and the other way round: all images are on the grid. */
  const grid = await next(client, await join(client, 'ann', 'contains'));
  assert.equal(grid.reason, 'none-left');
  const other = await next(client, await join(client, 'zoe', 'contains'));
  assert.equal((await answer(client, other.assignment, { client_id: 'zoe-answer' })).status, 200);
  assert.equal((await task(client, 'zoe')).reason, 'none-left');
  assert.equal((await tick(client, (await next(client, await join(client, 'yan', 'contains'))).assignment, [0], 0)).body.code, 'main-label');
  assert.equal((await holdout(['check', site.dir])).code, 0);
});

test('workers read what this task asks of them, in their language', async (t) => {
  const { client, dir } = await startClassify(t);
  await must(['study', dir, 'objects', '--language', 'browser']);
  const { place, assignment } = await task(client, 'ann');
  for (const at of ['/work/campaign/objects', '/work/campaign/objects/declined', `/work/place/${place}`, `/work/place/${place}/leave`,
    `/work/assignment/${assignment}`, `/work/assignment/${assignment}/flag`, '/work/help?task=classify']) {
    for (const language of ['en', 'de']) {
      const r = await client.fetch(at, { headers: { 'Accept-Language': language } });
      assert.equal(r.status, 200, at);
      const text = await r.text();
      assert.match(text, new RegExp(`<html lang="${language}"`), at);
      assert.doesNotMatch(text.replace(/<script type="application\/json"[^]*?<\/script>|<[^>]*>/g, ' '), /\b[Gg]rids?\b|Raster/, `${at} ${language}`);
      if (!at.endsWith('help?task=classify') && !at.endsWith(assignment)) assert.match(text, /href="\/work\/help\?task=classify"/);
    }
  }
  assert.match(await client.page('/work/campaign/objects'), /Tick one label for each object that you see, and choose which of them is the main object/);
  assert.match(await client.page('/work/campaign/contains'), /Select every photo that contains that thing/);
});

/* What is refused says why, and nothing is stored; the form shows what was ticked. */
test('no answer is stored that ticks too little, too much, or no main object', async (t) => {
  const site = await startClassify(t, { list: rows(0, LABELS) + rows(1, 2) });
  const { client } = site;
  let one = await task(client, 'ann');
  while (one.options.length < LABELS) {
    assert.equal((await tick(client, one.assignment, [0], 0)).body.status, 'stored');
    one = { place: one.place, ...await next(client, one.place) };
  }
  const before = await answers(site);
  for (const [selected, main, code] of [
    [[0, 1], 2, 'main-label'], [[0, 1], undefined, 'main-label'], [[], 1, 'no-label'], [[], undefined, 'no-label'],
    [[0, 0], 0, 'mask'], [[0, LABELS], 0, 'label-unknown'], [[0, -1], 0, 'mask'], [[0, 'apple'], 0, 'mask'], [[0], 'apple', 'main-label'],
    [[0], 64, 'main-label'], [[0, 1], -1, 'main-label'], ['0', 0, 'mask'], [Array.from({ length: 13 }, (_, i) => i), 0, 'labels-most'],
  ]) {
    const r = await tick(client, one.assignment, selected, main);
    assert.equal(r.status, 400, JSON.stringify([selected, main, r.body]));
    assert.equal(r.body.code, code, JSON.stringify([selected, main]));
    assert.ok(r.body.detail.length > 20);
  }
  const form = (fields) => client.post(`/work/assignment/${one.assignment}`, new URLSearchParams([['client_id', 'form-answer'], ...fields]));
  for (const [fields, says, ticked] of [
    [[['label', '0'], ['label', '2'], ['main', '5']], /main object/, [0, 2]],
    [[['label', '0'], ['label', '2']], /main object/, [0, 2]],
    [[], /No label is ticked/, []],
    [[['label', '1'], ['label', '1'], ['main', '1']], /one twice/, [1]],
    [[['label', '1'], ['label', '77'], ['main', '1']], /one twice/, [1]],
    [[['label', '1'], ['label', String(LABELS)], ['main', '1']], /one twice/, [1]],
    [[['label', '1'], ['main', '1'], ['none', '1']], /none of them fits/, [1]],
    [Array.from({ length: 13 }, (_, i) => ['label', String(i)]).concat([['main', '0']]), /12 labels/, Array.from({ length: 13 }, (_, i) => i)],
  ]) {
    const r = await form(fields);
    assert.equal(r.status, 400, JSON.stringify(fields));
    const text = await r.text();
    assert.match(text, says);
    const boxes = [...text.matchAll(/<input type="checkbox" name="label" value="(\d+)"[^>]*>/g)];
    assert.equal(boxes.length, LABELS);
    assert.deepEqual(boxes.filter(([tag]) => tag.includes('checked')).map(([, at]) => Number(at)), ticked, JSON.stringify(fields));
  }
  assert.equal(await answers(site), before, 'something was stored');
  /* One label alone is the main object's, whether a form says so or not. */
  assert.equal((await form([['label', '4']])).status, 303);
  assert.equal(await answers(site), before + 1);
});

/* One task in two tabs, sent twice at once, and after its time. */
test('a task is answered once, by whichever tab was first, and after its lease if nobody else was', async (t) => {
  const faults = new FaultFile(tempDir(t));
  const site = await startClassify(t, { answers: '1', classify: ['--lease', '60'], list: rows(0, 4) + rows(1, 4), binary: faultBin, env: faults.env });
  const { client } = site;
  const one = await task(client, 'ann');
  const form = (client_id, label) => client.post(`/work/assignment/${one.assignment}`, { client_id, label, main: label });
  const twice = await Promise.all([form('tab-one-1', '1'), form('tab-one-1', '1')]);
  assert.deepEqual(twice.map((r) => r.status), [303, 303], 'a double click');
  const other = await form('tab-two-1', '2');
  assert.equal(other.status, 409);
  assert.match(await other.text(), /already been answered, perhaps in another tab/);
  assert.equal((await tick(client, one.assignment, [2], 2)).body.code, 'already-answered');
  assert.equal(await answers(site), 1);
  assert.equal((await sqlite(`${site.dir}/holdout.db`, 'SELECT count(DISTINCT mask) FROM answer WHERE main IS NOT NULL;')).trim(), '1');

  /* Two people hold the second task one after the other: the first was too slow. */
  const late = await next(client, one.place);
  faults.clock(61_000);
  const taken = await task(client, 'bob');
  assert.equal((await client.get(`/work/assignment/${late.assignment}`, { accept: 'text/html' })).status, 200, 'the page is still there');
  assert.equal((await tick(client, taken.assignment, [0], 0)).body.status, 'stored');
  const surplus = await tick(client, late.assignment, [1], 1);
  assert.deepEqual([surplus.status, surplus.body.status], [200, 'surplus'], 'stored and paid, counted by nothing');
  assert.equal(await answers(site), 3);
  assert.equal((await task(client, 'cora')).reason, 'none-left');
  assert.equal((await holdout(['check', site.dir])).code, 0);
});

test('"none of these" is an answer where the campaign offers it', async (t) => {
  const site = await startClassify(t, { classify: ['--none-of-these'] });
  const { client } = site;
  const one = await task(client, 'ann');
  assert.match(await client.page(`/work/assignment/${one.assignment}`), /name="none"/);
  assert.equal((await tick(client, one.assignment, [])).body.status, 'stored');
  const two = await next(client, one.place);
  assert.equal((await client.post(`/work/assignment/${two.assignment}`, { client_id: 'form-answer', none: '1' })).status, 303);
  assert.equal((await sqlite(`${site.dir}/holdout.db`, 'SELECT count(*) FROM answer WHERE mask = 0 AND main IS NULL;')).trim(), '2');
  assert.equal((await holdout(['check', site.dir])).code, 0);
});

/* Every export and every number of CONTAINS, byte for byte. */
const EXPORTS = [['frequencies'], ['workers'], ['votes', '--campaign', 'contains'], ['votes', '--campaign', 'contains', '--format', 'long'],
  ['hits', '--campaign', 'contains'], ['participants', '--campaign', 'contains'], ['pool'], ['histograms'], ['views'], ['votes'], ['hits']];
const ADDRESSES = ['/api/v1/campaigns/contains', '/api/v1/campaigns/contains/grids', `/api/v1/classes/${wnid(0)}/frequencies`, '/api/v1/classes', '/api/v1/images', '/api/v1/views'];

test('no number of CONTAINS changes while people classify', async (t) => {
  const site = await startClassify(t);
  const { client } = site;
  const admin = await new Client(site.server.url).login();
  for (const person of ['ann', 'bob', 'cora']) {
    const grid = await next(client, await join(client, person, 'contains'));
    assert.equal((await answer(client, grid.assignment, { client_id: `${person}-answer`, selected: [0, 7, person.length] })).status, 200);
  }
  const look = async () => {
    const out = {};
    for (const what of EXPORTS) {
      const r = await holdout(['export', what[0], site.dir, ...what.slice(1)]);
      assert.equal(r.code, 0, `${what.join(' ')}: ${r.err}`);
      out[what.join(' ')] = r.out;
    }
    for (const address of ADDRESSES) {
      const r = await admin.json('GET', address);
      assert.equal(r.status, 200, address);
      out[address] = JSON.stringify(r.body, (key, value) => (['as_of', 'event', 'pace'].includes(key) ? null : value));
    }
    out.page = (await admin.page(`/classes/${wnid(0)}`)).match(/\d+ of \d+|\d+\.\d+ ?%?/g);
    return out;
  };
  const before = await look();
  for (let i = 0; i < 6; i++) {
    const place = await join(client, `p${i}`, 'objects');
    for (let k = 0; k < IMAGES; k++) {
      const one = await next(client, place);
      assert.equal((await tick(client, one.assignment, [k % 4, (k + i) % 4].filter((x, at, all) => all.indexOf(x) === at), k % 4)).body.status, 'stored');
    }
  }
  const after = await look();
  for (const what of Object.keys(before)) assert.deepEqual(after[what], before[what], what);
  assert.ok(before.frequencies.includes(image(0)));
  assert.equal((await holdout(['check', site.dir])).code, 0);
  /* The other task's exports say that they are another thing. */
  assert.match((await holdout(['export', 'votes', site.dir, '--campaign', 'objects'])).err, /which objects images show/);
  assert.equal((await must(['export', 'participants', site.dir, '--campaign', 'objects'])).trim().split('\n').length, 7);
});

/* What leads see of answers to this task, and what they decide about them: in and out again, an id erased, an image set aside. */
test('leads read what was ticked, and decide about it', async (t) => {
  const { client, dir, server } = await startClassify(t, { list: rows(2, 4, [0]) + rows(0, 4) + rows(1, 3), classify: ['--seed', '1'] });
  const admin = await new Client(server.url).login();
  const people = ['ann', 'bob', 'cora', 'dan', 'eve', 'finn'];
  const places = {};
  for (const person of people) {
    places[person] = await join(client, person, 'objects');
    for (let one = await next(client, places[person]); !one.done; one = await next(client, places[person])) {
      const at = (i) => one.options.find((o) => o.wnid === wnid(i)).position;
      const both = person === 'ann' ? [at(2)] : [at(0), at(1)];
      assert.equal((await tick(client, one.assignment, both, person === 'ann' ? at(2) : at(0))).body.status, 'stored');
    }
  }
  const sql = async (text) => (await sqlite(`${dir}/holdout.db`, text)).trim();
  const id = Number(await sql(`SELECT id FROM image WHERE name = '${image(0)}';`));
  const objects = async () => (await admin.json('GET', `/api/v1/images/${id}/objects`)).body;
  const [grid, assignment] = (await sql(`SELECT a.grid, min(a.id) FROM assignment a JOIN grid_cell c ON c.grid = a.grid JOIN grid g ON g.id = a.grid
    JOIN campaign k ON k.id = g.campaign WHERE k.task = 'classify' AND c.image = ${id};`)).split('|');

  const page = await admin.page(`/campaigns/objects/grids/${grid}`);
  assert.match(page, /Which objects does this photo show\?/);
  assert.match(page, /no check/);
  assert.match(page, />apple<\/a>[^]*?5 of 6[^]*?>5</);
  assert.match(page, />pear<\/a>[^]*?5 of 6[^]*?>0</);
  assert.match(page, />\s*<strong>car wheel<\/strong>\s*</);
  assert.match(page, /<strong>apple<\/strong>,\s+pear/);
  assert.doesNotMatch(page, /Cells|Selected|>Grid/);
  const one = await admin.page(`/campaigns/objects/assignments/${assignment}`);
  assert.match(one, /<dt>Main object<\/dt><dd>car wheel</);
  assert.match(one, /car wheel <span class="badge success">✓ ticked<\/span> <span class="badge info">main object/);
  const campaign = await admin.page('/campaigns/objects');
  assert.match(campaign, /Tasks complete/);
  assert.match(campaign, /<dd>CLASSIFY: tick one label/);
  const words = (html) => html.replace(/^[^]*<main[^>]*>|<\/main>[^]*$/g, '').replace(/<script[^>]*>[^]*?<\/script>|<[^>]*>/g, ' ');
  assert.doesNotMatch(words(campaign), /\b[Gg]rids?\b|[Cc]ontrols/);
  assert.doesNotMatch(words(page), /\b[Gg]rids?\b|[Cc]ontrols/);
  assert.match(campaign, /Which tasks/);
  assert.match(campaign, /Checks answered right/);
  /* The check: apple is known to be there, and ticked alone by nobody. */
  const check = await sql(`SELECT g.id FROM grid g JOIN grid_cell c ON c.grid = g.id JOIN image i ON i.id = c.image JOIN campaign k ON k.id = g.campaign
    WHERE k.task = 'classify' AND i.name = '${image(2)}';`);
  assert.match(await admin.page(`/campaigns/objects/grids/${check}`), /Check right[^]*?>0<[^]*?of 6/);
  const told = (await admin.json('GET', `/api/v1/grids/${check}`)).body;
  assert.deepEqual([told.task, told.options.map((o) => [o.wnid, o.known, o.ticked, o.main])],
    ['classify', [[wnid(0), true, 5, 5], [wnid(1), false, 5, 0], [wnid(2), false, 1, 1], [wnid(3), false, 0, 0]]]);
  assert.deepEqual(told.assignments.map((a) => `${a.ticked} ${a.main} ${a.controls.text}`).sort().slice(-2),
    [`${wnid(0)},${wnid(1)} ${wnid(0)} wrong`, `${wnid(2)} ${wnid(2)} wrong`]);
  assert.match(await admin.page('/campaigns/objects/preview/start'), /choose which of them is the main object/);

  const before = await objects();
  const ann = await sql(`SELECT p.pseudonym FROM person p JOIN assignment a ON a.person = p.id WHERE a.id = ${assignment};`);
  const out = await admin.json('POST', '/api/v1/decisions', { people: [ann], value: 'out', reason: 'guesses' });
  assert.equal(out.status, 201, JSON.stringify(out.body));
  const without = await objects();
  assert.notDeepEqual(without, before);
  assert.match(await admin.page(`/campaigns/objects/grids/${grid}`), />apple<\/a>[^]*?5 of 5/);
  assert.equal((await admin.json('POST', `/api/v1/decisions/${out.body.decision.id}/undo`, {})).status, 201);
  const again = await objects();
  assert.deepEqual(again.labels, before.labels, 'in again');

  /* Whoever has their id erased leaves what they ticked. */
  const bob = await client.post(`/work/place/${places.bob}/leave`, { how: 'forget', sure: '1' });
  assert.equal(bob.status, 303, await bob.text());
  assert.equal(await sql("SELECT count(*) FROM person_id WHERE id = 'bob';").catch(() => '0'), '0');
  assert.deepEqual((await objects()).labels, before.labels, 'erased');

  assert.equal((await admin.post(`/flags/${id}`, { decision: 'quarantine', reason: '' })).status, 303);
  const veils = [];
  const hal = await join(client, 'hal', 'objects');
  for (let one = await next(client, hal); !one.done; one = await next(client, hal)) {
    const photo = await client.get(`/work/assignment/${one.assignment}/large/0`);
    veils.push(photo.status === 410);
    assert.equal((await tick(client, one.assignment, [0], 0)).body.status, 'stored');
  }
  assert.deepEqual(veils, [false, false], 'nobody is asked about it');
  assert.match(await admin.page(`/campaigns/objects/grids/${grid}`), />hidden</);
  assert.equal((await holdout(['check', dir])).code, 0);
});
