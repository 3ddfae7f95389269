/* entry.test.mjs - how people come to a study and leave it: the link's key, consent, exactly as many
 * places as were promised, a code for every outcome, and nothing stored about who did not agree. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Client, must, root, startServer, tempDir } from './lib.mjs';
import { plain } from './page_forms.mjs';
import { WIDE, answer, can, codeOf, hidden, newStudy, next, see, startStudy } from './study.mjs';
import { FaultFile, faultBin, sqlite } from '../load/tools.mjs';

const CODES = {
  complete: 'DONE-1', partial: 'PART-1', 'screened-out': 'SCREEN-1', 'no-consent': 'NOPE-1',
  technical: 'TECH-1', withdrawn: 'LEFT-1', full: 'FULL-1',
};
const KEY = 'key-of-the-link-1';
const PANEL = 'https://panel.example/done?cc={code}';

const study = (dir, ...options) => must(['study', dir, 'main', ...options]);
const setCodes = (dir) => study(dir, '--return-url', PANEL,
  ...Object.entries(CODES).flatMap(([outcome, code]) => ['--code', `${outcome}=${code}`]));
const query = async (dir, sql) => (await sqlite(`${dir}/holdout.db`, sql)).trim();
const count = async (dir, table, where = '1') =>
  Number(await query(dir, `SELECT count(*) FROM ${table} WHERE ${where};`));

/* What is stored about people, to be the same before and after somebody was turned away. */
const traces = (dir) => query(dir, `SELECT (SELECT count(*) FROM person), (SELECT count(*) FROM identity),
  (SELECT count(*) FROM place), (SELECT count(*) FROM arrival), (SELECT max(id) FROM event);`);

const returnOf = (html) => {
  const m = /<a [^>]*href="([^"]*)" rel="noreferrer"/.exec(html);
  return m ? plain(m[1]) : null;
};

/* Through the start page, as a browser does. */
async function arrive(client, person, extra = '') {
  const start = `/work/campaign/main?PROLIFIC_PID=${person}${extra}`;
  const { html } = await see(client, start);
  return joinBy(client, hidden(html));
}

/* Consent leads to the first grid: { html, at }, `at` the address of the place that the page names. */
async function joinBy(client, fields) {
  const r = await see(client, '/work/campaign/main', fields);
  const place = /data-place="([^"]+)"/.exec(r.html)?.[1];
  return { ...r, grid: place ? r.at : null, at: place ? `/work/place/${place}` : r.at };
}

const tokenOf = (at) => /^\/work\/place\/([A-Za-z0-9_-]{22})$/.exec(at)[1];

async function answerOne(client, place, id = 'client-0001') {
  const grid = await next(client, place);
  assert.equal(grid.done, false, JSON.stringify(grid));
  assert.equal((await answer(client, grid.assignment, { client_id: id })).status, 200);
  return grid.assignment;
}

test('60 places, 200 arrivals: exactly 60 promised, the rest see "study full" before consent', async (t) => {
  const dir = await newStudy(t);
  await sqlite(`${dir}/holdout.db`, 'UPDATE campaign SET places = 60;');
  await setCodes(dir);
  const server = await startServer(t, dir, { env: WIDE });
  const people = Array.from({ length: 200 }, (_, i) => `pid-${i}`);
  const before = await count(dir, 'person');

  /* Half through pages, half as JSON, all at once; everybody saw an open study. */
  const arrivals = await Promise.all(people.map(async (person, i) => {
    const client = new Client(server.url);
    if (i % 2) {
      const r = await client.json('POST', '/api/v1/campaigns/main/places',
        { parameters: { PROLIFIC_PID: person, STUDY_ID: 's', SESSION_ID: `x${i}` } });
      return { person, promised: r.status === 201, refused: r.status === 409 && r.body.code === 'study-full' };
    }
    const r = await see(client, '/work/campaign/main', { PROLIFIC_PID: person, STUDY_ID: 's', SESSION_ID: `x${i}` });
    const full = r.status === 409 && r.html.includes('Study full') && codeOf(r.html) === CODES.full;
    return { person, promised: r.status === 200 && /^\/work\/(place|assignment)\//.test(r.at), refused: full };
  }));
  assert.equal(arrivals.filter((a) => a.promised).length, 60);
  assert.equal(arrivals.filter((a) => a.refused).length, 140);
  for (const table of ['place', 'arrival']) assert.equal(await count(dir, table), 60, table);
  assert.equal(await count(dir, 'person'), before + 60, 'nobody else is a person');
  assert.equal(await count(dir, 'identity', "source = 'panel'"), 60);
  assert.equal(await count(dir, 'place', "consent_version = '0'"), 60);

  /* Who comes now is told before anything is asked; who has a place goes on with it. */
  const client = new Client(server.url);
  const stored = await traces(dir);
  const late = await see(client, '/work/campaign/main?PROLIFIC_PID=late');
  assert.equal(late.status, 200);
  assert.ok(late.html.includes('Study full') && !can(late.html, 'I agree, start'));
  assert.equal(codeOf(late.html), CODES.full);
  assert.equal(returnOf(late.html), PANEL.replace('{code}', CODES.full));
  const mine = arrivals.find((a) => a.promised).person;
  const back = await see(client, `/work/campaign/main?PROLIFIC_PID=${mine}`);
  assert.equal(back.html.replaceAll(mine, 'X'), late.html.replaceAll('late', 'X'), 'the page tells no id from another');
  assert.ok(can(back.html, 'Go to my page'));
  const twice = await Promise.all([1, 2].map(() => see(client, '/work/campaign/main', hidden(back.html))));
  assert.ok(twice.every((r) => tokenOf(r.at) && can(r.html, 'Next grid')));
  assert.equal(await traces(dir), stored, 'looking and coming back store nothing');
});

test('the key of the link: without it nothing is shown, asked or stored', async (t) => {
  const { dir, client } = await startStudy(t);
  await study(dir, '--link-key', KEY);
  const stored = await traces(dir);
  const places = '/api/v1/campaigns/main/places';
  for (const key of ['', 'key=', 'key=x', `key=${KEY}x`, `key=${KEY.slice(1)}`, `key=${KEY.toUpperCase()}`]) {
    const r = await see(client, `/work/campaign/main?${key}&PROLIFIC_PID=ann`);
    assert.equal(r.status, 403, key);
    assert.match(r.html, /Open the exact link that you were given/);
    assert.ok(!r.html.includes(KEY) && !r.html.includes('What we keep'));
  }
  for (const at of ['', '/decline']) {
    assert.equal((await see(client, `/work/campaign/main${at}`, { PROLIFIC_PID: 'ann', key: 'wrong-key' })).status, 403);
  }
  assert.equal((await see(client, '/work/campaign/main/declined')).status, 403);
  const refused = await client.json('POST', places, { external_id: 'ann' });
  assert.deepEqual([refused.status, refused.body.code], [403, 'study-key']);
  assert.equal(await traces(dir), stored);

  assert.ok(tokenOf((await arrive(client, 'ann', `&key=${KEY}`)).at));
  assert.equal((await client.json('POST', places, { external_id: 'bob', key: KEY })).status, 201);
  await study(dir, '--link-key', 'none');
  assert.equal((await client.json('POST', places, { external_id: 'cat' })).status, 201);
});

test('what the link says travels through consent, and no further than it may', async (t) => {
  const { dir, client } = await startStudy(t);
  await study(dir, '--parameters', 'participant_id,round', '--source', 'lab');
  const odd = 'Zoë <&"> 1';
  const start = `/work/campaign/main?participant_id=${encodeURIComponent(odd)}&round=2&STUDY_ID=unasked`;
  const { html } = await see(client, start);
  assert.deepEqual(hidden(html), { consent: '0', key: '', participant_id: odd, round: '2' });
  await see(client, '/work/campaign/main', hidden(html));
  assert.equal(await query(dir, "SELECT external_id FROM identity WHERE source = 'lab';"), odd);
  assert.equal(await query(dir, 'SELECT parameters FROM arrival;'), '{"round":"2"}');
  for (const bad of [`participant_id=${'x'.repeat(129)}`, 'participant_id=%ff', 'round=a%0ab',
    ...['%7f', '%c2%85', '%e2%80%a8', '%e2%80%ae', '%e2%81%a6'].map((c) => `participant_id=a${c}b`), `round=${'x'.repeat(129)}`]) {
    const r = await see(client, `/work/campaign/main?${bad}`);
    assert.equal(r.status, 400, bad);
  }
  for (const bad of ['=HYPERLINK("x")', '+1', '-1', '@x', '＝1', ' =1', 'a;=1']) {
    assert.match((await see(client, `/work/campaign/main?participant_id=${encodeURIComponent(bad)}`)).html, /begins with =, \+, -, @ or a tab/, bad);
    const joined = await client.json('POST', '/api/v1/campaigns/main/places', { external_id: bad });
    assert.deepEqual([joined.status, joined.body.code], [400, 'id-formula'], bad);
    assert.equal((await see(client, '/work/campaign/main', { consent: '0', participant_id: bad })).status, 400, bad);
  }
  assert.equal((await see(client, '/work/campaign/main?participant_id=a&round=%3D1')).status, 400);
  assert.equal((await see(client, '/work/campaign/main?participant_id=a&round=-Zk_9')).status, 200, 'a session may begin so');
  const r = await client.json('POST', '/api/v1/campaigns/main/places', { parameters: { participant_id: odd } });
  assert.equal(r.status, 201);
  assert.equal(await count(dir, 'place'), 1, 'the same person by whichever door');
});

test('declining stores that somebody did, and nothing about them', async (t) => {
  const { dir, client } = await startStudy(t);
  await setCodes(dir);
  await study(dir, '--link-key', KEY);
  const { html } = await see(client, `/work/campaign/main?key=${KEY}&PROLIFIC_PID=secret-pid`);
  assert.ok(can(html, 'I do not agree'));
  const events = await count(dir, 'event');
  const people = await query(dir, 'SELECT count(*) FROM person;');
  const r = await see(client, '/work/campaign/main/decline', hidden(html));
  assert.equal(r.status, 200);
  assert.equal(codeOf(r.html), CODES['no-consent']);
  assert.equal(returnOf(r.html), PANEL.replace('{code}', CODES['no-consent']));
  assert.equal(await count(dir, 'event'), events + 1);
  assert.equal(await query(dir, 'SELECT kind, subject, detail FROM event ORDER BY id DESC LIMIT 1;'),
    `study.decline|${await query(dir, "SELECT id FROM campaign WHERE name = 'main';")}|`);
  assert.equal(await query(dir, 'SELECT count(*) FROM person;'), people);
  assert.doesNotMatch(await sqlite(`${dir}/holdout.db`, '.dump'), /secret-pid/);
});

test('a consent text that changed is read again; what was agreed to is recorded', async (t) => {
  const { dir, client, server } = await startStudy(t);
  const lead = await new Client(server.url).login('lead');
  const publish = (text, version = '') =>
    lead.post('/campaigns/main/study/consent', { consent_text: text, consent_version: version });
  const old = hidden((await see(client, '/work/campaign/main?PROLIFIC_PID=ann')).html);
  assert.equal((await publish('First part.\n\nSecond part with <b>.')).status, 303);
  const again = await see(client, '/work/campaign/main', old);
  assert.equal(again.status, 409);
  assert.ok(again.html.includes('This text is new') && again.html.includes('<p>First part.</p>'));
  assert.ok(again.html.includes('Second part with &lt;b&gt;.'));
  assert.equal(await count(dir, 'place'), 0);
  assert.deepEqual(hidden(again.html), { ...old, consent: '1' });
  tokenOf((await joinBy(client, hidden(again.html))).at);
  assert.equal(await query(dir, 'SELECT consent_version FROM place;'), '1');

  assert.equal((await publish('Third.', 'irb-7')).status, 303);
  assert.equal((await publish('Fourth.', 'irb-7')).status, 409, 'people agreed to it');
  assert.equal((await publish(' \n', '9')).status, 400);
  assert.ok((await see(client, '/work/campaign/main')).html.includes('Text, version irb-7'));
});

/* The codes that a worker can get on their own pages, by what they did before. */
async function codeAfter(client, person, grids, how) {
  const { at } = await arrive(client, person);
  for (let i = 0; i < grids; i++) await answerOne(client, tokenOf(at), `client-${person}-${i}`);
  const r = await see(client, `${at}/leave`, { how, sure: '1' });
  assert.equal(r.status, 200);
  assert.ok(!can(r.html, 'Next grid'));
  assert.equal(returnOf(r.html), PANEL.replace('{code}', codeOf(r.html)));
  const more = await next(client, tokenOf(at));
  assert.deepEqual([more.done, more.reason, more.code], [true, 'left', codeOf(r.html)]);
  const state = (await client.json('GET', `/api/v1/places/${tokenOf(at)}`)).body;
  assert.deepEqual([state.state, state.code, state.submissions.length], ['left', codeOf(r.html), grids]);
  return [codeOf(r.html), state.outcome];
}

test('every outcome has its code', async (t) => {
  const { dir, client } = await startStudy(t);
  await setCodes(dir);
  assert.deepEqual(await codeAfter(client, 'ann', 0, 'stop'), [CODES.withdrawn, 'withdrawn']);
  assert.deepEqual(await codeAfter(client, 'bob', 1, 'stop'), [CODES.partial, 'partial']);
  assert.deepEqual(await codeAfter(client, 'cat', 0, 'technical'), [CODES.technical, 'technical']);
  assert.deepEqual(await codeAfter(client, 'dan', 1, 'forget'), [CODES.partial, 'partial'], 'being forgotten costs nothing');
  assert.deepEqual(await codeAfter(client, 'dot', 0, 'forget'), [CODES.withdrawn, 'withdrawn']);
  const don = tokenOf((await arrive(client, 'don')).at);
  for (const i of [1, 2]) await answerOne(client, don, `client-don-${i}`);
  assert.equal(codeOf((await see(client, `/work/place/${don}/leave`, { how: 'forget', sure: '1' })).html), CODES.complete,
    'all the work was done');
  await study(dir, '--partial-grids', '2');
  assert.deepEqual(await codeAfter(client, 'eve', 1, 'stop'), [CODES.withdrawn, 'withdrawn']);

  /* The end of the work, and nothing changes it afterwards. */
  const { at } = await arrive(client, 'fay');
  const place = tokenOf(at);
  await answerOne(client, place, 'client-fay-1');
  await answerOne(client, place, 'client-fay-2');
  const finished = await next(client, place);
  assert.deepEqual([finished.done, finished.reason, finished.code], [true, 'finished', CODES.complete]);
  assert.equal((await next(client, place)).code, CODES.complete);
  assert.equal(await count(dir, 'place_outcome', "outcome = 'complete'"), 2, 'once each');
  assert.equal(codeOf((await see(client, at)).html), CODES.complete);
  assert.equal(codeOf((await see(client, `${at}/leave`, { how: 'stop' })).html), CODES.complete);
  assert.equal(codeOf((await see(client, `${at}/leave`, { how: 'forget', sure: '1' })).html), CODES.complete);

  /* Blocked: before and in the middle. */
  const held = tokenOf((await arrive(client, 'gil')).at);
  await must(['worker', 'block', dir, '--id', 'gil', '--reason', 'test']);
  const stopped = await see(client, `/work/place/${held}`);
  assert.equal(codeOf(stopped.html), CODES['screened-out']);
  assert.equal((await next(client, held)).reason, 'blocked');
  const { html } = await see(client, '/work/campaign/main?PROLIFIC_PID=gil');
  assert.ok(can(html, 'Continue where you left off'), 'their own page tells them, in their own browser');
});

test('who is kept out is told before consent, with the code', async (t) => {
  const { dir, client, server } = await startStudy(t);
  await setCodes(dir);
  const start = (person) => see(client, `/work/campaign/main?PROLIFIC_PID=${person}`);
  const kept = async (person, heading, code, about = 'study') => {
    const stored = await traces(dir);
    const { html } = await start(person);
    if (about === 'study') {
      assert.ok(html.includes(heading), `${heading}\n${html}`);
      assert.ok(!can(html, 'I agree, start'));
      assert.equal(codeOf(html), code);
    } else {
      assert.ok(can(html, 'I agree, start') && !html.includes(heading), 'what is known of an id is not said to all');
    }
    const joined = await see(client, '/work/campaign/main', { PROLIFIC_PID: person });
    assert.equal(joined.status, 409);
    assert.ok(joined.html.includes(heading));
    assert.equal(codeOf(joined.html), code);
    assert.equal(await traces(dir), stored);
  };
  /* People whom another campaign knows, one of them blocked. */
  await must(['grids', dir, '--campaign', 'other', '--open', '--same-image-again', '--seed', '1']);
  await server.stop();
  const again = await startServer(t, dir, { env: WIDE });
  client.url = again.url;
  await client.json('POST', '/api/v1/campaigns/other/places', { external_id: 'mallory' });
  await must(['worker', 'block', dir, '--id', 'mallory', '--reason', 'test']);
  await kept('mallory', 'You cannot take part in this study', CODES['screened-out'], 'person');

  await study(dir, '--known-only');
  const list = `${tempDir(t)}/list.csv`;
  fs.writeFileSync(list, 'Submission,participant_id\n1,known\n2,mallory\n');
  await must(['import', 'participants', dir, list, '--campaign', 'main']);
  await kept('stranger', 'This study is for people on a list', CODES['screened-out'], 'person');
  await kept('', 'This study is for people on a list', CODES['screened-out']);
  await kept('mallory', 'You cannot take part in this study', CODES['screened-out'], 'person');
  assert.ok(tokenOf((await arrive(client, 'known')).at));
  await study(dir, '--anybody');

  const lead = await new Client(client.url).login('lead');
  await lead.post('/campaigns/main/state/paused');
  await kept('late', 'this study is paused', CODES.full);
  assert.ok(can((await start('late')).html, 'Go to my page'), 'who takes part can go on');
  await sqlite(`${dir}/holdout.db`, "UPDATE campaign SET state = 'draft' WHERE name = 'main';");
  assert.ok(!can((await start('late')).html, 'Go to my page'), 'nobody takes part in a draft');
  await sqlite(`${dir}/holdout.db`, "UPDATE campaign SET state = 'paused' WHERE name = 'main';");
  await lead.post('/campaigns/main/state/closed');
  await kept('late', 'This study is closed', CODES.full);
  await lead.post('/campaigns/main/state/open');
  const now = Date.now();
  await sqlite(`${dir}/holdout.db`, `UPDATE campaign SET opens_at = ${now + 3600e3};`);
  await kept('late', 'This study has not begun yet', CODES.full);
  await sqlite(`${dir}/holdout.db`, `UPDATE campaign SET opens_at = NULL, closes_at = ${now - 1};`);
  await kept('late', 'This study is closed', CODES.full);
  await sqlite(`${dir}/holdout.db`, 'UPDATE campaign SET closes_at = NULL, min_screen = 1024;');
  const { html } = await start('small');
  assert.ok(html.includes('at least 1024 pixels wide') && html.includes(CODES['screened-out']));
  assert.ok(can(html, 'I agree, start'), 'a page cannot know, so it says');
});

test('leaving gives the grid back at once', async (t) => {
  const dir = await newStudy(t);
  await sqlite(`${dir}/holdout.db`, 'UPDATE campaign SET answers_per_grid = 1, grids_per_place = 2;');
  const server = await startServer(t, dir, { env: WIDE });
  const client = new Client(server.url);
  await setCodes(dir);
  const [ann, bob] = [await arrive(client, 'ann'), await arrive(client, 'bob')];
  const held = await next(client, tokenOf(ann.at));
  assert.equal(ann.grid, `/work/assignment/${held.assignment}`, 'consent led to the first grid');
  await next(client, tokenOf(bob.at));

  /* Nobody consents in vain. */
  const stored = await traces(dir);
  const vain = await see(client, '/work/campaign/main?PROLIFIC_PID=cat');
  assert.ok(vain.html.includes('No grid is free at the moment') && !can(vain.html, 'I agree, start'));
  assert.equal(codeOf(vain.html), CODES.full);
  const refused = await see(client, '/work/campaign/main', { PROLIFIC_PID: 'cat' });
  assert.deepEqual([refused.status, codeOf(refused.html)], [409, CODES.full]);
  assert.equal(await traces(dir), stored);

  await see(client, `${ann.at}/leave`, { how: 'technical' });
  const cat = await arrive(client, 'cat');
  const freed = await next(client, tokenOf(cat.at));
  assert.equal(freed.done, false);
  /* Who answers all the same is not lost: the grid went to somebody else. */
  assert.equal((await answer(client, freed.assignment)).body.status, 'stored');
  assert.equal((await answer(client, held.assignment)).body.status, 'surplus');
  await answerOne(client, tokenOf(bob.at), 'client-bob-1');
  const over = await see(client, '/work/campaign/main?PROLIFIC_PID=dan');
  assert.ok(over.html.includes('This study has all its answers') && !can(over.html, 'I agree, start'));
  const lead = await new Client(server.url).login('lead');
  const page = await lead.page('/campaigns/main');
  assert.match(page, /All 2 answers are in<\/strong>[^]*action="\/campaigns\/main\/state\/closed"[^]*Grids complete/);
  assert.match(await lead.page('/'), /has all its answers: close it/);
  assert.doesNotMatch(await (await new Client(server.url).login('expert')).page('/campaigns/main'), /answers are in|<form[^>]*state/);
  await lead.post('/campaigns/main/state/closed');
  assert.doesNotMatch(await lead.page('/campaigns/main'), /answers are in/);
  await server.stop();
  const again = await startServer(t, dir, { env: WIDE });
  assert.equal((await next(new Client(again.url), tokenOf(ann.at))).reason, 'left');
});

test('places that nobody uses lapse, and who comes back finds room or a code', async (t) => {
  const dir = await newStudy(t);
  await sqlite(`${dir}/holdout.db`, 'UPDATE campaign SET places = 2;');
  await setCodes(dir);
  await study(dir, '--place-minutes', '30');
  const faults = new FaultFile(tempDir(t));
  const server = await startServer(t, dir, { env: { ...WIDE, ...faults.env }, binary: faultBin });
  const client = new Client(server.url);
  const join = async (person) => (await client.json('POST', '/api/v1/campaigns/main/places', { external_id: person }));
  const ann = (await join('ann')).body.place;
  const bob = (await join('bob')).body.place;
  await answerOne(client, bob, 'client-bob-1');
  assert.equal((await join('cat')).body.code, 'study-full');

  const MINUTE = 60e3;
  faults.clock(31 * MINUTE);
  const cat = await join('cat');
  assert.equal(cat.status, 201, "ann's place lapsed, bob's has an answer");
  assert.equal((await join('dan')).body.code, 'study-full');
  const gone = await next(client, ann);
  assert.deepEqual([gone.done, gone.reason, gone.code], [true, 'lapsed', CODES.full]);
  const page = await see(client, `/work/place/${ann}`);
  assert.ok(page.html.includes('Your place went to somebody else') && codeOf(page.html) === CODES.full);
  assert.equal((await next(client, bob)).done, false, 'a place with answers never lapses');

  /* Somebody left without an answer: there is room again, and ann has it from her next grid on. */
  await see(client, `/work/place/${cat.body.place}/leave`, { how: 'stop' });
  assert.equal((await next(client, ann)).done, false);
  faults.clock(40 * MINUTE);
  assert.equal((await join('dan')).body.code, 'study-full');
  faults.clock(90 * MINUTE);
  assert.equal((await join('dan')).status, 201);
});

test('a worker sees what became of every submission', async (t) => {
  const dir = await newStudy(t);
  await sqlite(`${dir}/holdout.db`, 'UPDATE campaign SET answers_per_grid = 1;');
  const server = await startServer(t, dir, { env: WIDE });
  const client = new Client(server.url);
  const { at } = await arrive(client, 'ann');
  const place = tokenOf(at);
  await answerOne(client, place, 'client-ann-1');
  const held = await next(client, place);
  await sqlite(`${dir}/holdout.db`, 'INSERT INTO event (at, kind, subject) SELECT 1, \'answer.state\', max(id) FROM answer;\
    INSERT INTO answer_state (id, answer, field, value, rule) SELECT (SELECT max(id) FROM event), max(id), \'analysis\', \'out\',\
    \'too <fast>\' FROM answer;');
  await see(client, `${at}/leave`, { how: 'stop' }); /* the grid goes to somebody else */
  const other = tokenOf((await arrive(client, 'bob')).at);
  await answerOne(client, other, 'client-bob-1');
  await answer(client, held.assignment, { client_id: 'client-ann-2' });

  const { html } = await see(client, at);
  assert.ok(html.includes('Your 2 submissions'));
  assert.match(html, /surplus<\/span>\s+The grid already had enough answers: this one is paid, but not counted\./);
  assert.match(html, /not counted<\/span>\s+Kept, but not counted\. Reason: too &lt;fast&gt;/);
  const { submissions } = (await client.json('GET', `/api/v1/places/${place}`)).body;
  assert.deepEqual(submissions.map(({ state, rule }) => [state, rule]), [['out', 'too <fast>'], ['surplus', undefined]]);
  const theirs = (await client.json('GET', `/api/v1/places/${other}`)).body;
  assert.deepEqual(theirs.submissions.map((s) => s.state), ['stored']);
  assert.equal((await client.json('GET', `/api/v1/places/${'A'.repeat(22)}`)).status, 404);
});

test('"forget me" erases id and arrival, says so, and leaves the answers', async (t) => {
  const { dir, client } = await startStudy(t);
  const { at } = await arrive(client, 'secret-pid', '&SESSION_ID=secret-session');
  await answerOne(client, tokenOf(at));
  const form = await see(client, `${at}/leave`);
  assert.match(form.html, /is erased here for good/);
  const unsure = await see(client, `${at}/leave`, { how: 'forget' });
  assert.equal(unsure.status, 400);
  assert.match(unsure.html, /Tick the box/);
  assert.equal(await count(dir, 'identity', "external_id = 'secret-pid'"), 1);
  assert.equal((await see(client, `${at}/leave`, { how: 'nothing' })).status, 400);

  const done = await see(client, `${at}/leave`, { how: 'forget', sure: '1' });
  assert.match(done.html, /Your id is no longer stored here/);
  while (await count(dir, 'erasure', 'step >= 0')) { /* the server sees to it in slices */ }
  assert.doesNotMatch(await sqlite(`${dir}/holdout.db`, '.dump'), /secret-/);
  assert.equal(await count(dir, 'answer'), 1);
  assert.equal((await see(client, `${at}/leave`, { how: 'forget', sure: '1' })).status, 200, 'twice is once');
  assert.doesNotMatch(done.html, /\/leave"/, 'nothing is left to forget');
  assert.ok(!can((await see(client, `${at}/leave`)).html, 'Forget me'));

  /* Who came without an id: there is nothing to forget, and asking all the same ends nothing. */
  const nobody = (await joinBy(client, {})).at;
  const leave = await see(client, `${nobody}/leave`);
  assert.ok(can(leave.html, 'Stop now') && !can(leave.html, 'Forget me'));
  assert.match(leave.html, /nothing to erase/);
  assert.ok(can((await see(client, `${nobody}/leave`, { how: 'forget', sure: '1' })).html, 'Next grid'));
});

test("the study's language is that of every worker's page, and of its errors", async (t) => {
  const { dir, client } = await startStudy(t);
  await study(dir, '--language', 'de');
  const start = await see(client, '/work/campaign/main?PROLIFIC_PID=ann');
  assert.ok(start.html.includes('<html lang="de">') && can(start.html, 'Ich stimme zu und beginne'));
  const { at, html } = await arrive(client, 'ann');
  assert.ok(html.includes('<html lang="de">') && can(html, 'Absenden'), 'the first grid');
  const place = await see(client, at);
  assert.ok(can(place.html, 'Nächstes Raster'));
  const grid = await see(client, `${at}/next`, {});
  assert.ok(grid.html.includes('<html lang="de">') && can(grid.html, 'Absenden'));
  assert.match((await see(client, `${at}/leave`)).html, /Vergessen Sie mich/);
  await study(dir, '--link-key', KEY);
  assert.match((await see(client, '/work/campaign/main')).html, /Dieser Link ist nicht vollständig/);

  await study(dir, '--language', 'browser', '--link-key', 'none');
  const asked = async (target, language) => (await client.get(target, { 'accept-language': language })).text();
  assert.match(await asked('/work/campaign/main', 'de-AT, en;q=0.5'), /Ich stimme zu/);
  assert.match(await asked('/work/campaign/main', 'fr, en;q=0.5'), /I agree, start/);
  assert.match(await asked('/work/campaign/none', 'de'), /Diese Studie gibt es hier nicht/);
  assert.match(await asked('/work/campaign/none', 'fr'), /There is no such study here/);
});

test('help names buttons as the pages do, in every language', async (t) => {
  const { client } = await startStudy(t);
  const texts = (code) => JSON.parse(fs.readFileSync(path.join(root, 'static', 'lang', `${code}.json`), 'utf8'));
  for (const code of ['en', 'de']) {
    const said = texts(code);
    for (const [help, button] of [['help_sure_more', 'grid_flag'], ['help_leave_more', 'grid_leave']]) {
      assert.ok(said[help].includes(said[button]), `${code}: ${help} names ${said[button]}`);
    }
  }
  const { html } = await see(client, '/work/help');
  assert.match(html, /press F, or &quot;Report a photo&quot; below the grid/);
  assert.match(html, /open the study link again in the same browser/);
  await arrive(client, 'ann');
  const back = await see(client, '/work/campaign/main?PROLIFIC_PID=ann');
  assert.ok(can((await see(client, '/work/campaign/main', hidden(back.html))).html, 'Next grid'), 'as the help says');
});

test('a lead sets the study: what is wrong is said by its field, what was typed stays', async (t) => {
  const { dir, server } = await startStudy(t);
  const lead = await new Client(server.url).login('lead');
  const page = await lead.page('/campaigns/main/study');
  assert.match(page, /\/work\/campaign\/main\?PROLIFIC_PID=\{\{%PROLIFIC_PID%\}\}&amp;STUDY_ID=\{\{%STUDY_ID%\}\}/);
  const fields = {
    link_key: KEY, source: 'prolific', id_parameters: 'PROLIFIC_PID, STUDY_ID', return_url: PANEL,
    contact: 'Ann <ann@example.org>', protocol: 'IRB 7', known_only: '1', partial_grids: '3',
    place_minutes: '90', floor_cents: '9.50', language: 'de',
    ...Object.fromEntries(Object.entries(CODES).map(([k, v]) => [`code_${k}`, v])),
  };
  assert.equal((await lead.post('/campaigns/main/study', fields)).status, 303);
  assert.equal(await query(dir, `SELECT link_key, source, id_parameters, return_url, contact, protocol, known_only,
    partial_grids, place_minutes, floor_cents, language FROM study;`),
  [KEY, 'prolific', 'PROLIFIC_PID|STUDY_ID', PANEL, 'Ann <ann@example.org>', 'IRB 7', 1, 3, 90, 950, 'de'].join('|'));
  assert.equal(await query(dir, 'SELECT group_concat(code) FROM (SELECT code FROM study_code ORDER BY code);'),
    Object.values(CODES).sort().join());
  assert.match(await lead.page('/campaigns/main/study'), new RegExp(`work/campaign/main\\?key=${KEY}&amp;PROLIFIC_PID=`));

  const wrong = [
    ['link_key', 'short'], ['link_key', 'has a space in it'], ['source', 'local'], ['source', ''],
    ['id_parameters', 'A,A'], ['id_parameters', 'a b'], ['id_parameters', 'key'], ['id_parameters', ''],
    ['id_parameters', 'a,b,c,d,e,f,g,h,i'], ['return_url', 'javascript:alert(1)'], ['return_url', 'https://'],
    ['return_url', 'https://{code}.example/'], ['return_url', 'https://a.example/ b'], ['return_url', '//a.example'],
    ['contact', 'x'.repeat(501)], ['partial_grids', '0'], ['partial_grids', 'many'], ['place_minutes', '99999'],
    ['floor_cents', 'free'], ['floor_cents', '-1'], ['language', 'xx'], ['language', 'klingon'],
    ['code_partial', ''], ['code_full', 'a b'], ['code_complete', '<b>'],
  ];
  const stored = await query(dir, 'SELECT * FROM study; SELECT * FROM study_code; SELECT max(id) FROM event;');
  for (const [name, value] of wrong) {
    const r = await lead.post('/campaigns/main/study', { ...fields, protocol: 'typed and kept', [name]: value });
    const html = await r.text();
    assert.equal(r.status, 400, `${name}=${value}`);
    assert.match(html, new RegExp(`name="${name}"[^>]* aria-invalid="true" autofocus>`), `${name}=${value}`);
    assert.match(html, /class="field-error" id="wrong-1"/, `${name}=${value}`);
    assert.ok(html.includes('value="typed and kept"'), name);
  }
  assert.equal(await query(dir, 'SELECT * FROM study; SELECT * FROM study_code; SELECT max(id) FROM event;'), stored);

  assert.equal((await lead.post('/campaigns/main/study/key')).status, 303);
  const key = await query(dir, 'SELECT link_key FROM study;');
  assert.match(key, /^[A-Za-z0-9_-]{22}$/);
  assert.equal((await lead.get('/campaigns/none/study')).status, 404);
});
