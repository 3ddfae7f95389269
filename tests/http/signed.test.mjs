/* signed.test.mjs - links that the panel signs: HMAC over the id, and JSON Web Tokens as Prolific sends them.
 * What is not signed as the study says is refused before anything is shown or stored. */
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Client, holdout, must, startServer, tempDir } from './lib.mjs';
import { WIDE, answer, can, codeOf, hidden, newStudy, next, see, startStudy } from './study.mjs';
import { sqlite } from '../load/tools.mjs';

const SECRET = 'a secret of 32 characters or more!';
const SITE = 'https://study.example';
const ENV = { HOLDOUT_SERVER_PUBLIC_URL: SITE };
const now = () => Math.floor(Date.now() / 1000);
const traces = (dir) => sqlite(`${dir}/holdout.db`,
  'SELECT (SELECT count(*) FROM person), (SELECT count(*) FROM place), (SELECT max(id) FROM event);');

const hmac = (text, key = SECRET) => crypto.createHmac('sha256', key).update(text).digest();

async function configure(t, dir, way, key) {
  const file = path.join(tempDir(t), 'key');
  fs.writeFileSync(file, key);
  await must(['study', dir, 'main', '--signing', way, '--signing-key-file', file]);
}

const part = (v) => Buffer.from(typeof v === 'string' ? v : JSON.stringify(v)).toString('base64url');
function jwt(claims, { header = {}, alg = 'HS256', key = SECRET, tamper = (s) => s } = {}) {
  const text = `${part({ alg, typ: 'JWT', ...header })}.${part(claims)}`;
  const signature = alg === 'HS256' ? hmac(text, key)
    : alg === 'none' ? Buffer.alloc(0)
      : crypto.sign(alg === 'EdDSA' ? null : 'sha256', Buffer.from(text), key);
  return `${tamper(text)}.${signature.toString('base64url')}`;
}

test('HMAC over the id: only signed ids come in, and they prove whose place it is', async (t) => {
  const { dir, server } = await startStudy(t);
  await configure(t, dir, 'hmac', SECRET);
  const client = new Client(server.url);
  const stored = await traces(dir);
  const hex = (text, key) => hmac(text, key).toString('hex');
  const link = (fields) => `/work/campaign/main?${new URLSearchParams(fields)}`;
  const late = now() - 3600;
  const refused = [
    { PROLIFIC_PID: 'ann' }, { PROLIFIC_PID: 'ann', sig: '' }, { PROLIFIC_PID: 'ann', sig: hex('bob') },
    { PROLIFIC_PID: 'ann', sig: hex('ann', `${SECRET}x`) }, { PROLIFIC_PID: 'ann', sig: hex('ann').slice(1) },
    { PROLIFIC_PID: 'ann', sig: hex('ann'), exp: String(now() + 60) }, { sig: hex('') },
    { PROLIFIC_PID: 'ann', sig: hex(`ann\n${late}`), exp: String(late) },
    { PROLIFIC_PID: 'ann', sig: hex('ann\nsoon'), exp: 'soon' },
    { PROLIFIC_PID: `ann\n${now() + 60}`, sig: hex(`ann\n${now() + 60}`) },
  ];
  for (const fields of refused) {
    const r = await see(client, link(fields));
    assert.ok([400, 403].includes(r.status), JSON.stringify(fields));
    assert.ok(!can(r.html, 'I agree, start') && !r.html.includes('What we keep'));
    const joined = await see(client, '/work/campaign/main', fields);
    assert.ok([400, 403].includes(joined.status));
  }
  assert.match((await see(client, link(refused[0]))).html, /not signed by the panel/);
  assert.match((await see(client, link(refused[7]))).html, /Open the study from the panel again/);
  const api = await client.json('POST', '/api/v1/campaigns/main/places', { external_id: 'ann' });
  assert.deepEqual([api.status, api.body.code], [403, 'study-signature']);
  assert.equal(await traces(dir), stored, 'nothing is stored of who is refused');

  /* In hexadecimal and in base64url, for good and for a while; consent needs no second signature. */
  const start = await see(client, link({ PROLIFIC_PID: 'ann', SESSION_ID: 's1', sig: hex('ann') }));
  const fields = hidden(start.html);
  assert.ok(can(start.html, 'I agree, start') && fields.entry);
  for (const change of [{ PROLIFIC_PID: 'bob' }, { SESSION_ID: 's2' }, { entry: `${fields.entry}A` },
    { entry: fields.entry.replace(/^\d/, '9') }]) {
    assert.equal((await see(client, '/work/campaign/main', { ...fields, ...change })).status, 403, JSON.stringify(change));
  }
  assert.equal((await see(client, '/work/campaign/main', fields)).status, 200);
  const until = String(now() + 60);
  const bob = await client.json('POST', '/api/v1/campaigns/main/places',
    { external_id: 'bob', sig: hmac(`bob\n${until}`).toString('base64url'), exp: until });
  assert.deepEqual([bob.status, bob.body.own], [201, true]);
  const ever = '9223372036854775807'; /* the largest number that is read */
  const eve = await client.json('POST', '/api/v1/campaigns/main/places',
    { external_id: 'eve', sig: hex(`eve\n${ever}`), exp: ever });
  assert.equal(eve.status, 201, 'an end that far away is not over');

  /* Another browser with the signed link is the person: the code of what was done, and leaving. */
  for (let i = 0; i < 2; i++) {
    const grid = await next(client, bob.body.place);
    await answer(client, grid.assignment, { client_id: `client-bob-${i}` });
  }
  const { code } = await next(client, bob.body.place);
  const other = new Client(server.url);
  const back = await see(other, link({ PROLIFIC_PID: 'bob', sig: hex('bob') }));
  assert.ok(can(back.html, 'Continue where you left off'), 'the start page may say so to who proves it');
  assert.equal(codeOf((await see(other, '/work/campaign/main', hidden(back.html))).html), code);

  /* What keeps a person out is said to that person before consent. */
  await must(['worker', 'block', dir, '--id', 'ann', '--reason', 'test']);
  await must(['study', dir, 'main', '--known-only']);
  const listed = await see(new Client(server.url), link({ PROLIFIC_PID: 'cat', sig: hex('cat') }));
  assert.ok(listed.html.includes('This study is for people on a list') && !can(listed.html, 'I agree, start'));
});

test('a token by a shared secret: the way of signing is fixed, dates and audience are checked', async (t) => {
  const { dir, server } = await startStudy(t, { env: ENV });
  await configure(t, dir, 'HS256', SECRET);
  const client = new Client(server.url);
  const good = { PROLIFIC_PID: 'ann', exp: now() + 300 };
  const come = (token, more = '') => see(client, `/work/campaign/main?token=${token}${more}`);
  const stored = await traces(dir);
  const bad = {
    'no algorithm': jwt(good, { alg: 'none' }),
    'no signature': jwt(good).replace(/[^.]*$/, ''),
    'another algorithm': jwt(good, { header: { alg: 'HS384' } }),
    'another algorithm, by letters': jwt(good, { header: { alg: 'hs256' } }),
    'critical extension': jwt(good, { header: { crit: ['exp'] } }),
    'another secret': jwt(good, { key: `${SECRET}.` }),
    'changed claims': jwt(good, { tamper: (s) => `${s.split('.')[0]}.${part({ ...good, PROLIFIC_PID: 'eve' })}` }),
    'no end': jwt({ PROLIFIC_PID: 'ann' }),
    'end as text': jwt({ PROLIFIC_PID: 'ann', exp: String(now() + 300) }),
    'over': jwt({ ...good, exp: now() - 300 }),
    'not yet': jwt({ ...good, nbf: now() + 300 }),
    'for another tool': jwt({ ...good, aud: 'https://other.example' }),
    'for another host of the same beginning': jwt({ ...good, aud: 'study.example.evil.example' }),
    'for another host, whose address ends like ours': jwt({ ...good, aud: 'other.example?://study.example' }),
    'for another host, with ours behind #': jwt({ ...good, aud: 'other.example#://study.example' }),
    'for another way of speaking': jwt({ ...good, aud: 'ftp://study.example' }),
    'for somebody at ours': jwt({ ...good, aud: 'https://study.example@other.example' }),
    'nobody': jwt({ exp: now() + 300 }),
    'id that is no text': jwt({ ...good, PROLIFIC_PID: 7 }),
    'no object': jwt('[1]'),
    'no token': 'x.y.z',
    'two parts': jwt(good).split('.').slice(0, 2).join('.'),
    'too long': jwt({ ...good, more: 'x'.repeat(4096) }),
    empty: '',
  };
  for (const [what, token] of Object.entries(bad)) {
    const r = await come(token);
    assert.equal(r.status, 403, what);
    assert.ok(!can(r.html, 'I agree, start'), what);
    const api = await client.json('POST', '/api/v1/campaigns/main/places', { token, external_id: 'ann' });
    assert.ok([400, 403].includes(api.status), what);
  }
  assert.equal((await see(client, '/work/campaign/main?PROLIFIC_PID=ann')).status, 403, 'the plain link is closed');
  assert.equal(await traces(dir), stored);

  for (const claims of [good, { ...good, aud: 'study.example' }, { ...good, aud: ['x', `${SITE}/work`] },
    { ...good, aud: SITE.toUpperCase() }, { ...good, aud: 'Http://STUDY.example/' },
    { sub: 'ann', exp: now() + 300 }, { prolific: { PROLIFIC_PID: 'ann' }, exp: now() - 30 }]) {
    const r = await come(jwt(claims), '&PROLIFIC_PID=eve');
    assert.equal(r.status, 200, JSON.stringify(claims));
    assert.equal(hidden(r.html).PROLIFIC_PID, 'ann', 'the link beside the token says nothing');
  }
  const joined = await client.json('POST', '/api/v1/campaigns/main/places', { token: jwt(good), external_id: 'eve' });
  assert.equal(joined.status, 201);
  assert.equal(await sqlite(`${dir}/holdout.db`, "SELECT external_id FROM identity WHERE source = 'panel';"), 'ann\n');
});

test('a token by a private key, as Prolific signs: the public key or key set is all that is stored', async (t) => {
  const { dir, server } = await startStudy(t, { env: ENV });
  const rsa = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 });
  const other = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ed = crypto.generateKeyPairSync('ed25519');
  const pem = (k) => k.publicKey.export({ type: 'spki', format: 'pem' });
  const jwk = (k, kid) => ({ ...k.publicKey.export({ format: 'jwk' }), kid, use: 'sig' });
  const client = new Client(server.url);
  const claims = { aud: SITE, exp: now() + 300, prolific: { PROLIFIC_PID: 'ann', STUDY_ID: 'st', SESSION_ID: 'se', workspace_id: 'w' } };
  const come = (token) => see(client, `/work/campaign/main?prolific_token=${token}`);
  const rs = (more = {}, options = {}) => jwt({ ...claims, ...more }, { alg: 'RS256', key: rsa.privateKey, ...options });

  await configure(t, dir, 'RS256', JSON.stringify({ keys: [jwk(other, 'old'), jwk(rsa, 'new'), jwk(ed, 'ed')] }));
  const start = await come(rs({}, { header: { kid: 'new' } }));
  assert.equal(start.status, 200);
  const { PROLIFIC_PID, STUDY_ID, SESSION_ID } = hidden(start.html);
  assert.deepEqual([PROLIFIC_PID, STUDY_ID, SESSION_ID], ['ann', 'st', 'se']);
  assert.equal((await come(rs())).status, 200, 'without the name of the key all are tried');
  for (const [what, token] of Object.entries({
    'the name of another key': rs({}, { header: { kid: 'old' } }),
    'another key': rs({}, { key: crypto.generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey }),
    'no audience': rs({ aud: undefined }),
    'another audience': rs({ aud: 'https://other.example' }),
    'the public key as a shared secret': jwt(claims, { key: pem(rsa) }),
    'an algorithm of the header': jwt(claims, { alg: 'EdDSA', key: ed.privateKey, header: { kid: 'ed' } }),
  })) assert.equal((await come(token)).status, 403, what);

  await configure(t, dir, 'RS256', pem(rsa));
  assert.equal((await come(rs())).status, 200);
  await configure(t, dir, 'EdDSA', pem(ed));
  assert.equal((await come(jwt(claims, { alg: 'EdDSA', key: ed.privateKey }))).status, 200);
  assert.equal((await come(rs())).status, 403, 'one way at a time');

  /* Keys that are none, or too weak. */
  const wrong = path.join(tempDir(t), 'wrong');
  for (const [way, key] of [['hmac', 'short'], ['HS256', 'short'], ['RS256', SECRET], ['RS256', pem(ed)], ['EdDSA', pem(rsa)],
    ['RS256', pem(crypto.generateKeyPairSync('rsa', { modulusLength: 1024 }))], ['RS256', '{"keys":[]}'], ['MD5', SECRET]]) {
    fs.writeFileSync(wrong, key);
    assert.notEqual((await holdout(['study', dir, 'main', '--signing', way, '--signing-key-file', wrong])).code, 0, way);
  }
  const lead = await new Client(server.url).login('lead');
  const page = await lead.page('/campaigns/main/study');
  assert.match(page, /<option value="EdDSA" selected>/);
  assert.ok(page.includes('BEGIN PUBLIC KEY'));

  /* Nobody would be let in: said when it is set, not only in the log. */
  fs.writeFileSync(wrong, pem(rsa));
  const unset = await holdout(['study', dir, 'main', '--signing', 'RS256', '--signing-key-file', wrong]);
  assert.match(unset.err, /^server\.public_url is not set: a token must name it/);
});

test('behind a server that does not know its own address nobody is let in by a public key', async (t) => {
  const { dir, server } = await startStudy(t);
  const { privateKey, publicKey } = crypto.generateKeyPairSync('ed25519');
  await configure(t, dir, 'EdDSA', publicKey.export({ type: 'spki', format: 'pem' }));
  const client = new Client(server.url);
  const token = jwt({ sub: 'ann', exp: now() + 300, aud: client.url }, { alg: 'EdDSA', key: privateKey });
  assert.equal((await see(client, `/work/campaign/main?token=${token}`)).status, 403);
});

test('who has met every free grid is told before consent, as far as they prove who they are', async (t) => {
  const dir = await newStudy(t);
  await sqlite(`${dir}/holdout.db`, 'UPDATE campaign SET same_image_again = 0;');
  await must(['grids', dir, '--campaign', 'other', '--open', '--answers-per-grid', '9', '--grids-per-place', '2',
    '--max-share', '1', '--same-image-again', '--seed', '1']);
  await must(['study', dir, 'main', '--code', 'full=FULL-1']);
  const server = await startServer(t, dir, { env: { ...WIDE, ...ENV } });
  const [mine, stranger] = [new Client(server.url), new Client(server.url)];
  const place = /data-place="([^"]+)"/.exec((await see(mine, '/work/campaign/other', { PROLIFIC_PID: 'pid-ann' })).html)[1];
  for (let i = 0; i < 2; i++) {
    const grid = await next(mine, place);
    assert.equal((await answer(mine, grid.assignment, { client_id: `client-ann-${i}` })).status, 200, JSON.stringify(grid));
  }
  const start = (client, more) => see(client, `/work/campaign/main?PROLIFIC_PID=${more}`);
  const told = (r) => r.html.includes('No grid is left for you') && !can(r.html, 'I agree, start') && !can(r.html, 'Go to my page');

  /* An id alone: the page is that of everybody, and warns everybody. */
  const stored = await traces(dir);
  const [ann, zoe] = [await start(stranger, 'pid-ann'), await start(stranger, 'pid-zoe')];
  assert.equal(ann.html.replaceAll('pid-ann', 'X'), zoe.html.replaceAll('pid-zoe', 'X'), 'the page tells no id from another');
  assert.ok(can(ann.html, 'I agree, start') && ann.html.includes('Have you taken part in this study before?'));
  const refused = await see(stranger, '/work/campaign/main', hidden(ann.html));
  assert.equal(refused.status, 409);
  assert.ok(refused.html.includes('No grid is free at the moment') && !/left for you/.test(refused.html));
  assert.equal(codeOf(refused.html), 'FULL-1');

  /* The browser in which they took part before is theirs. */
  const known = await start(mine, 'pid-ann');
  assert.ok(told(known), known.html);
  assert.equal(codeOf(known.html), 'FULL-1');
  assert.ok(can((await start(mine, 'pid-zoe')).html, 'I agree, start'), 'for another id it proves nothing');

  /* So is a signed link, in any browser; the form of a page from before says it too. */
  assert.equal(await traces(dir), stored);
  await configure(t, dir, 'hmac', SECRET);
  const signing = await traces(dir);
  const sig = (id) => `${id}&sig=${hmac(id).toString('hex')}`;
  assert.ok(told(await start(stranger, sig('pid-ann'))));
  const fresh = await start(stranger, sig('pid-zoe'));
  assert.ok(can(fresh.html, 'I agree, start') && !fresh.html.includes('Have you taken part'));
  const joined = await see(stranger, '/work/campaign/main', { PROLIFIC_PID: 'pid-ann', sig: hmac('pid-ann').toString('hex') });
  assert.equal(joined.status, 409);
  assert.ok(told(joined), joined.html);
  assert.equal(await traces(dir), signing);
});
