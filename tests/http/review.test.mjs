/* review.test.mjs - decisions about the images of a class: one after the other, at the same time, undone,
 * refused; and blind rounds of the final review, which tell nobody what is an original. One study for all:
 * each test leaves the class as it found it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sql } from '../cli/tools.mjs';
import { Client, PASSWORD, must, newProject, startServer, tempDir, told } from './lib.mjs';
import { importSet, writer } from './model_world.mjs';
import { CLASSES, WIDE, startStudy } from './study.mjs';

const WNID = 'n00000001';
const AT = `/api/v1/classes/${WNID}/decisions`;
const FORM = `/classes/${WNID}/decisions`;
const image = (i, kind = 'candidate') => `${WNID}-${kind}-${i}`;
const ban = (i, reason = 'class', note = '') => ({ image: image(i), banned: true, reason, note });

/* The study with a set of five apples and twenty pears; two experts who are signed in. */
async function begin(t) {
  const { dir, server, client } = await startStudy(t);
  const file = writer(tempDir(t));
  await importSet(dir, file, 'fresh');
  const lead = await new Client(server.url).login('lead');
  return { dir, file, server, ada: await client.login('expert'), bob: await new Client(server.url).login('keeper'), lead };
}

const checks = [];
const check = (name, run) => checks.push({ name, run });

const decide = (client, data, seen) =>
  client.json('POST', AT, data, seen === undefined ? {} : { 'if-match': seen === '*' ? seen : `"${seen}"` });

const tagOf = (number) => `"${number.toString(16).padStart(16, '0')}"`;

async function version(client) {
  const r = await client.json('GET', AT);
  assert.equal(r.status, 200);
  assert.equal(r.headers.get('etag'), tagOf(r.body.version));
  return r.body.version;
}

async function decided(client, data) {
  const r = await decide(client, data, await version(client));
  assert.equal(r.status, 201, JSON.stringify(r.body));
  assert.equal(r.headers.get('etag'), tagOf(r.body.version));
  return r.body.version;
}

/* Numbers of images by name, as forms name them. */
async function numbers(client) {
  const list = (await client.json('GET', `/api/v1/classes/${WNID}/frequencies?limit=100`)).body.items;
  return Object.fromEntries(list.map((i) => [i.image, i.id]));
}

/* Nothing is blacklisted, grouped or reviewed. */
async function clear({ ada }) {
  const all = [0, 1, 2, 3, 4].map((i) => image(i));
  const r = await decide(ada, { revision: 'fresh/0', images: all.map((name) => ({ image: name, banned: false })),
    apart: all, reviewed: false, problematic: false }, '*');
  assert.ok(r.status < 300, JSON.stringify(r.body));
}

const now = async (client) => (await client.json('GET', AT)).body.items;

check('what people decide about a class, and what undoing puts back', async ({ ada, bob }) => {
  assert.equal(await version(ada), 0);
  const first = await decided(ada, { revision: 'fresh/0', images: [ban(0, 'drawing', 'a <cartoon>'), ban(1)],
    near_duplicates: [[image(2), image(3), image(4)]], reviewed: true });
  const [one] = await now(bob);
  assert.equal(one.id, first);
  assert.deepEqual([one.who, one.mine, one.revision, one.reviewed, one.problematic], ['expert', false, 'fresh/0', true, false]);
  assert.equal(one.text, 'blacklisted 2 images, grouped 3 images as near-duplicates, marked the class as reviewed');
  assert.deepEqual(one.images.map((i) => [i.image, i.banned, i.reason, i.note]),
    [[image(0), true, 'drawing', 'a <cartoon>'], [image(1), true, 'class', '']]);
  assert.deepEqual(one.near_duplicates, [{ a: image(2), b: image(3) }, { a: image(2), b: image(4) }]);

  const same = await decide(ada, { images: [ban(1)] }, first);
  assert.deepEqual([same.status, same.body], [200, { version: first, decision: null }]);

  const back = await decided(bob, { undo: first });
  const [undo, before] = await now(ada);
  assert.deepEqual([undo.undoes, before.undone_by, before.can_undo], [first, back, false]);
  assert.equal(undo.text, 'undid a decision, took 2 images off the blacklist, separated 3 images from near-duplicates, marked the class as not reviewed');
  const again = await decide(ada, { undo: first }, back);
  assert.deepEqual([again.status, again.body.code], [409, 'class-undone']);
  assert.equal((await ada.json('GET', '/api/v1/sets/fresh/0/review')).body.reviewed, 0);

  const words = (await bob.page('/history')).replace(/<[^>]+>/g, '');
  assert.match(words, /expert\s+decided about images of apple in the review of fresh\/0/);
});

check('two people at one class never overwrite each other', async ({ ada, bob }) => {
  const seen = await version(ada);
  await decided(bob, { images: [ban(0)] });
  const late = await decide(ada, { images: [{ image: image(0), banned: false }, ban(1)] }, seen);
  assert.equal(late.status, 412);
  assert.match(late.headers.get('content-type'), /^application\/problem\+json/);
  assert.deepEqual([late.body.code, late.body.version, late.body.changes.length], ['class-changed', await version(ada), 1]);
  const [change] = late.body.changes;
  assert.deepEqual([change.who, change.images[0].image, change.images[0].banned], ['keeper', image(0), true]);
  assert.match(change.at, /^\d{4}-\d\d-\d\d \d\d:\d\d$/);
  assert.deepEqual((await now(ada)).slice(0, 2).map((d) => d.id), [change.id, seen], 'nothing of the late one is stored');
  assert.equal((await decide(ada, { images: [ban(1)] }, '*')).status, 201);

  /* Both send at once, having seen the same: one is stored. */
  const both = await version(ada);
  const replies = await Promise.all([decide(ada, { images: [ban(2)] }, both), decide(bob, { images: [ban(3)] }, both)]);
  const [won, lost] = replies.sort((a, b) => a.status - b.status);
  assert.deepEqual([won.status, lost.status, lost.body.code, lost.body.version], [201, 412, 'class-changed', won.body.version]);
});

check('what is no decision changes nothing', async ({ ada }) => {
  const at = await version(ada);
  const many = Array.from({ length: 501 }, () => ban(0));
  for (const [data, status, code] of [
    [{}, 400, 'class-decision'],
    [{ images: [{ image: 'n00000002-candidate-0', banned: true, reason: 'class' }] }, 400, 'class-decision-image'],
    [{ images: [{ image: 'nowhere', banned: true, reason: 'class' }] }, 400, 'class-decision-image'],
    [{ images: [ban(0, 'ugly')] }, 400, 'blacklist-reason'],
    [{ images: [ban(0, 'other')] }, 400, 'blacklist-reason'],
    [{ images: [ban(0), { image: image(0), banned: false }] }, 400, 'class-decision-image'],
    [{ images: [ban(0, 'class', 'x'.repeat(501))] }, 400, 'blacklist-note'],
    [{ images: many }, 400, 'class-decision'],
    [{ images: 'all' }, 400, 'class-decision'],
    [{ images: [{ image: image(0), banned: 'yes' }] }, 400, 'class-decision'],
    [{ near_duplicates: [[image(0)]] }, 400, 'near-duplicate-set'],
    [{ near_duplicates: [[image(0), image(0)]] }, 400, 'near-duplicate-set'],
    [{ near_duplicates: [[image(0), 'nowhere']] }, 400, 'near-duplicate-set'],
    [{ near_duplicates: [[image(0), 7]] }, 400, 'class-decision'],
    [{ reviewed: true }, 400, 'class-decision'],
    [{ revision: 'fresh/0', reviewed: 'yes' }, 400, 'class-decision'],
    [{ revision: 'fresh/9', reviewed: true }, 404, 'set'],
    [{ undo: 12345 }, 404, 'class-decision'],
    [{ undo: -1 }, 400, 'class-decision'],
  ]) {
    const r = await decide(ada, data, at);
    assert.deepEqual([r.status, r.body.code], [status, code], JSON.stringify(data).slice(0, 200));
  }
  const blind = await decide(ada, { images: [ban(0)] });
  assert.deepEqual([blind.status, blind.body.code], [400, 'if-match-missing']);
  for (const tag of ['"x"', '12', '""', '"-1"', '"ffffffffffffffff"', 'W/"12"']) {
    assert.equal((await ada.json('POST', AT, { images: [ban(0)] }, { 'if-match': tag })).status, 400, tag);
  }
  assert.equal((await ada.json('POST', AT, { images: [{ image: image(0), banned: false }] }, { 'if-match': tagOf(at) })).status, 200);
  assert.equal((await ada.get(`${AT}?limit=101`)).status, 400);
  assert.equal(await version(ada), at);
  for (const path of ['/sets/fresh/0/n00000009', '/sets/fresh/9/n00000001', '/sets/other/0/n00000001', '/sets/fresh/0/n00000001?again=1']) {
    assert.equal((await ada.get(path)).status, 404, path);
  }
  for (const query of ['only=odd', 'sort=luck', 'order=up', 'page=0']) {
    assert.equal((await ada.get(`/sets/fresh/0/review?${query}`)).status, 400, query);
  }
});

/* The fields that a page's form would send. */
function fieldsOf(html) {
  const form = /<form [^>]*data-review[\s\S]*?<\/form>/.exec(html)[0];
  const fields = {};
  const plain = (s) => s.replace(/&quot;/g, '"').replace(/&#39;/g, "'").replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
  for (const [tag] of form.matchAll(/<input [^>]*>/g)) {
    const name = / name="([^"]*)"/.exec(tag)?.[1];
    if (name && (!/type="checkbox"/.test(tag) || / checked/.test(tag))) fields[name] = plain(/ value="([^"]*)"/.exec(tag)?.[1] ?? '');
  }
  for (const [, name, body] of form.matchAll(/<select [^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g)) {
    fields[name] = /value="([^"]*)" selected/.exec(body)?.[1] ?? '';
  }
  return fields;
}

check('the form of a class, without any script', async ({ ada, bob }) => {
  const at = '/sets/fresh/0/n00000001';
  const id = await numbers(ada);
  const page = await ada.page(at);
  const fields = fieldsOf(page);
  const start = Number(fields.seen);
  assert.equal(start, await version(ada));
  assert.deepEqual(Object.keys(fields).filter((f) => f.startsWith('reason-')).length, 5);

  /* Nothing chosen and nothing ticked: the class is looked at, not reviewed. */
  const none = await ada.post(FORM, { ...fields, back: at });
  assert.deepEqual([none.status, none.headers.get('location'), await version(ada)], [303, at, start]);

  const changed = { ...fields, back: at, reviewed: '1', [`reason-${id[image(0)]}`]: 'unclear',
    [`set-${id[image(1)]}`]: 'x', [`set-${id[image(2)]}`]: 'x' };
  assert.equal((await bob.post(FORM, { ...fieldsOf(await bob.page(at)), csrf: bob.csrf, [`reason-${id[image(3)]}`]: 'class' })).status, 303);
  const late = await ada.post(FORM, changed);
  const html = await late.text();
  assert.equal(late.status, 412);
  assert.match(html, /Your changes are not stored yet/);
  assert.match(html, /keeper<\/strong> blacklisted 1 image/);
  assert.equal((await now(ada))[1].id, start);

  /* The page offers to store it all the same, beside what the other decided. */
  const seen = /name="seen" value="(\d+)"/.exec(html)[1];
  const offered = Object.fromEntries([...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map((m) => [m[1], m[2]]));
  assert.equal(offered.seen, seen);
  assert.equal((await ada.post(FORM, { ...offered, csrf: ada.csrf })).status, 303);
  const [mine] = await now(ada);
  assert.equal(mine.text, 'blacklisted 1 image, grouped 2 images as near-duplicates, marked the class as reviewed');
  const held = fieldsOf(await ada.page(at));
  assert.deepEqual([held[`reason-${id[image(0)]}`], held[`reason-${id[image(3)]}`], held[`reason-${id[image(4)]}`]], ['unclear', 'class', '']);
  assert.ok(held[`set-${id[image(1)]}`] && held[`set-${id[image(1)]}`] === held[`set-${id[image(2)]}`]);

  /* Out of the set again, and off the blacklist. */
  assert.equal((await ada.post(FORM, { ...held, [`set-${id[image(1)]}`]: '', [`reason-${id[image(0)]}`]: '' })).status, 303);
  assert.equal((await now(ada))[0].text, 'took 1 image off the blacklist, separated 2 images from near-duplicates');

  const news = await ada.page(`${at}?seen=${start}`);
  assert.match(news, /Somebody has decided about this class since you opened it/);
  assert.doesNotMatch(await ada.page(at), /Somebody has decided about this class/);

  for (const [back, to] of [['//evil.example', `/classes/${WNID}`], ['https://evil.example', `/classes/${WNID}`],
    ['/sets', '/sets'], ['/\\evil.example', `/classes/${WNID}`], ['/sets\r\nSet-Cookie: a=b', `/classes/${WNID}`]]) {
    const r = await ada.post(FORM, { seen: String(await version(ada)), back });
    assert.deepEqual([r.status, r.headers.get('location')], [303, to], back);
  }
  for (const fieldsWrong of [{ back: at }, { seen: '-1' }, { seen: String(await version(ada)), 'was-999999': '||', 'reason-999999': 'class' },
    { seen: String(await version(ada)), 'was-x': '||' }, { seen: String(await version(ada)), near: image(0) }]) {
    assert.equal((await ada.post(FORM, fieldsWrong)).status, 400, JSON.stringify(fieldsWrong));
  }
});

/* Three originals and the first five candidates were on a grid: their frequencies are what a page could tell. */
check('frequencies are hidden in the review until somebody asks, which is recorded', async ({ dir, file, ada, bob, lead }) => {
  const at = `/sets/seen/1/${WNID}`;
  const list = (images) => images.map((i) => ({ image: image(i), wnid: WNID }));
  await importSet(dir, file, 'seen', [], list([0, 1, 2]));
  await importSet(dir, file, 'seen', [], list([0, 1, 3]));
  await sql(dir, "UPDATE revision SET parent = (SELECT min(v.id) FROM revision v WHERE v.image_set = revision.image_set)"
    + " WHERE number = 1 AND image_set = (SELECT id FROM image_set WHERE name = 'seen');");
  const id = await numbers(ada);
  const tells = /\bn \d+, |no answers|badge info">new<|\bbin\b|"frequency"/;
  const ways = (html) => [...html.slice(html.indexOf('<main')).matchAll(/href="(\/[^"]*)"/g)].map((m) => m[1])
    .filter((to) => /^\/(images\/\d+$|classes\/n)/.test(to));
  await decided(ada, { revision: 'seen/1', images: [ban(1)] });

  /* Neither text, nor order, nor a way to a page that tells them; parts that scripts fetch are the same page. */
  for (const query of ['', '?others=1', '?seen=0']) {
    const html = await bob.page(at + query);
    assert.doesNotMatch(html.slice(html.indexOf('<main')), tells, query);
    assert.deepEqual(ways(html), [], query);
    assert.match(html, /Show frequencies/);
    assert.ok(html.includes(image(0)), 'by name');
  }
  const status = async () => (await ada.json('GET', '/api/v1/sets/seen/1/review')).body.frequencies;
  const none = await status();
  assert.deepEqual([none.classes, none.reviewed, none.shown, none.asked], [1, 0, 0, []]);

  /* Looking at the page is not asking; the button is. */
  for (const wrong of ['/sets/seen/1/n00000009', '/sets/seen/9/n00000001']) {
    assert.equal((await bob.post(`${wrong}/frequencies`, {})).status, 404, wrong);
  }
  const ask = () => bob.post(`${at}/frequencies`, {});
  const r = await ask();
  assert.deepEqual([r.status, r.headers.get('location')], [303, at]);
  assert.equal((await ask()).status, 303);
  const html = await bob.page(at);
  assert.doesNotMatch(html, /Show frequencies/);
  assert.deepEqual([...new Set(ways(html))].filter((to) => to.startsWith('/images/')).length >= 3, true);
  const cards = html.split('data-card ').filter((part) => part.includes('badge info">new<'));
  assert.equal(cards.length, 1);
  assert.ok(cards[0].includes(`data-number="${id[image(3)]}"`), 'what the parent does not have');
  assert.match(html, /\(n \d+, |no answers/);
  assert.doesNotMatch(await ada.page(at), tells, 'nobody else sees them');

  /* A class counts when they were shown before its last decision. */
  const asked = await status();
  assert.deepEqual([asked.shown, asked.asked.map((a) => [a.login, a.wnid])], [0, [['keeper', WNID]]], 'asked once, and not reviewed yet');
  await decided(ada, { revision: 'seen/1', reviewed: true });
  const after = await status();
  assert.deepEqual([after.reviewed, after.shown, after.text], [1, 1, '1 of 1 classes were reviewed with frequencies shown']);
  assert.match(await lead.page('/sets/seen/1/review'), /asked by keeper/);
  const words = (await lead.page('/history')).replace(/<[^>]+>/g, '');
  assert.match(words, /keeper\s+asked to see the frequencies of apple in the review of seen\/1/);
  assert.equal((await status()).asked[0].event < (await version(ada)), true);
  await must(['check', dir]);

  /* Carried over, it was reviewed so in the parent; asked for afterwards, it was not. */
  await importSet(dir, file, 'calm', [], list([0, 1]));
  await decided(ada, { revision: 'calm/0', reviewed: true });
  assert.equal((await bob.post(`/sets/calm/0/${WNID}/frequencies`, {})).status, 303);
  const calm = (await ada.json('GET', '/api/v1/sets/calm/0/review')).body.frequencies;
  assert.deepEqual([calm.reviewed, calm.shown, calm.asked.length], [1, 0, 1]);

  /* Before a blind turn nobody asks, and its page tells nothing either. */
  assert.equal((await lead.post('/sets/calm/0/rounds', { originals: '20', repeats: '0' })).status, 303);
  const blind = await ada.page(`/sets/calm/0/${WNID}`);
  assert.doesNotMatch(blind.slice(blind.indexOf('<main')), tells);
  assert.deepEqual(ways(blind), []);
  assert.equal((await ada.post(`/sets/calm/0/${WNID}/frequencies`, {})).status, 409);
});

/* Sets of many images of one class, known by name only. */
async function beginWide(t) {
  const dir = await newProject(t);
  const file = writer(tempDir(t));
  const names = Array.from({ length: 520 }, (_, i) => image(i));
  await must(['import', 'classes', dir, file('classes.jsonl', CLASSES)]);
  const rows = names.map((name, i) => `${i},${name},${WNID},cand,,2014-05-10\n`).join('');
  await must(['import', 'image-list', dir, file('images.csv', `idx,image,wnid,kind,source_id,date_taken\n${rows}`)]);
  const set = (name, n) => importSet(dir, file, name, [], names.slice(0, n).map((of) => ({ image: of, wnid: WNID })));
  await set('full', 500);
  await set('more', 520);
  await must(['user', 'add', dir, 'ada', '--role', 'expert', '--password-file', file('password', `${PASSWORD}\n`)]);
  const server = await startServer(t, dir, { env: WIDE });
  return { ada: await new Client(server.url).login('ada'), lead: await new Client(server.url).login('admin') };
}

test('a class of as many images as a page shows, and of more', async (t) => {
  const { ada, lead } = await beginWide(t);
  const shownOf = (fields, kind) => Object.keys(fields).filter((f) => f.startsWith(`${kind}-`));

  await t.test('the whole form is stored', async () => {
    const at = `/sets/full/0/${WNID}`;
    const html = await ada.page(at);
    assert.doesNotMatch(html, /Not all of the class is shown/);
    const fields = fieldsOf(html);
    const reasons = shownOf(fields, 'reason');
    assert.equal(reasons.length, 500);
    const long = Object.fromEntries(shownOf(fields, 'note').map((f) => [f, '\u00e4'.repeat(250)]));
    const chosen = Object.fromEntries(reasons.map((f) => [f, 'class']));
    const r = await ada.post(FORM, { ...fields, ...chosen, ...long, reviewed: '1', back: at });
    assert.equal(r.status, 303, await r.text());
    const [d] = await now(ada);
    assert.deepEqual([d.images.length, d.reviewed], [500, true]);
    assert.equal((await ada.post(FORM, { seen: String(d.id), undo: String(d.id) })).status, 303);
  });

  await t.test('what is cut off is said, and nobody calls it reviewed', async () => {
    const at = `/sets/more/0/${WNID}`;
    const html = await ada.page(at);
    assert.match(html, /Not all of the class is shown.*more than 500 images/);
    assert.doesNotMatch(html, /name="reviewed"/);
    const fields = fieldsOf(html);
    assert.equal(shownOf(fields, 'reason').length, 500);
    const refused = await ada.post(FORM, { ...fields, reviewed: '1', back: at });
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /more than 500 images/);
    const r = await ada.post(FORM, { ...fields, [shownOf(fields, 'reason')[0]]: 'class', problematic: '1', back: at });
    assert.equal(r.status, 303, await r.text());
    const [d] = await now(ada);
    assert.deepEqual([d.images.length, d.reviewed, d.problematic], [1, false, true]);
  });

  await t.test('a blind turn that rejects all', async () => {
    for (const [set, reviewed] of [['full', 1], ['more', 0]]) {
      assert.equal((await lead.post(`/sets/${set}/0/rounds`, { originals: '0', repeats: '0' })).status, 303);
      const html = await ada.page(`/sets/${set}/0/${WNID}`);
      assert.equal(/Not all of the class is shown/.test(html), set === 'more');
      const fields = fieldsOf(html);
      const reasons = shownOf(fields, 'reason');
      assert.equal(reasons.length, 500);
      reasons.forEach((f) => { fields[f] = 'unclear'; });
      const r = await ada.post(`/sets/${set}/0/${WNID}/turns`, fields);
      assert.equal(r.status, 303, await r.text());
      const review = (await ada.json('GET', `/api/v1/sets/${set}/0/review`)).body;
      assert.deepEqual([review.reviewed, review.classes[0].banned], [reviewed, 500]);
    }
  });
});

check('open pages hear of decisions', async ({ ada, bob }) => {
  const reviews = told(ada, 'review');
  const before = (await reviews.next()).value;
  await decided(bob, { images: [ban(0)] });
  assert.ok((await reviews.next()).value > before);
  await reviews.return();
});

/* Which original, or image of the set, each place of a blind page shows, found out by its bytes. */
async function unblind(client, html) {
  const shown = [...html.matchAll(/src="(\/sets\/[^"]*\/shown\/\d+[^"]*)"/g)].map((m) => m[1].replace(/&amp;/g, '&'));
  const bytes = async (at) => Buffer.from(await (await client.get(at)).arrayBuffer()).toString('base64');
  const known = new Map();
  for (const [name, id] of Object.entries(await numbers(client))) known.set(await bytes(`/images/${id}/grid`), name);
  return Promise.all(shown.map(async (at) => known.get(await bytes(at))));
}

async function turn(client, at, rejects) {
  const html = await client.page(at);
  const names = await unblind(client, html);
  const fields = fieldsOf(html);
  names.forEach((name, i) => { if (rejects(name)) fields[`reason-${i}`] = 'class'; });
  const action = /<form [^>]*action="([^"]+)"[^>]*data-review/.exec(html)[1];
  return { html, names, fields, action, reply: await client.post(action, fields) };
}

check('how far a review is', async ({ dir, ada, bob }) => {
  await decided(ada, { revision: 'fresh/0', images: [ban(0)], near_duplicates: [[image(1), image(2)]], reviewed: true, problematic: true });
  const { body } = await bob.json('GET', '/api/v1/sets/fresh/0/review');
  assert.deepEqual([body.n_classes, body.reviewed, body.problematic, body.round], [2, 1, 1, null]);
  const [last] = body.people;
  assert.deepEqual([last.login, last.classes, last.wnid], ['expert', 1, WNID], 'whoever decided last');
  const [apple, pear] = body.classes;
  assert.deepEqual([apple.banned, apple.paired, apple.images, pear.reviewed], [1, 2, 5, false]);
  assert.equal(body.next.url, '/sets/fresh/0/n00000002');
  const rows = async (only) => [...(await bob.page(`/sets/fresh/0/review?only=${only}`)).matchAll(/<th scope="row" class="long"><a href="([^"]+)"/g)].map((m) => m[1]);
  assert.deepEqual(await rows('open'), ['/sets/fresh/0/n00000002']);
  assert.deepEqual(await rows('bad'), ['/sets/fresh/0/n00000001']);
  assert.deepEqual(await rows('problematic'), ['/sets/fresh/0/n00000001']);
  const [one, two] = ['/sets/fresh/0/n00000001', '/sets/fresh/0/n00000002'];
  assert.deepEqual(await rows('all'), [two, one], 'what is least far comes first');
  for (const [sort, expected] of [['class', [one, two]], ['state&order=falling', [one, two]], ['banned', [one, two]], ['paired&order=rising', [two, one]],
    ['since', [one, two]], ['since&order=rising', [one, two]]]) {
    assert.deepEqual(await rows(`all&page=4&sort=${sort}`), expected, sort);
  }
  await must(['check', dir]);
});

check('a blind round tells nothing and measures the reviewer', async ({ ada, bob, lead }) => {
  const at = '/sets/fresh/0/n00000001';
  const round = (fields) => lead.post('/sets/fresh/0/rounds', fields);
  for (const wrong of [{ originals: '51', repeats: '5' }, { originals: '-1', repeats: '5' }, { originals: 'ten', repeats: '5' }, {}]) {
    assert.equal((await round(wrong)).status, 400);
  }
  assert.equal((await round({ originals: '40', repeats: '50' })).status, 303);

  const html = await ada.page(at);
  const main = html.slice(html.indexOf('<form class="stack wide review"'), html.indexOf('id="originals-head"'));
  const id = await numbers(ada);
  for (const [name, number] of Object.entries(id)) {
    assert.ok(!main.includes(name), `${name} is named`);
    assert.doesNotMatch(main, new RegExp(`/images/${number}\\b`));
  }
  const names = await unblind(ada, html);
  const originals = names.filter((name) => name.includes('-original-'));
  assert.deepEqual([names.length, originals.length], [8, 3], '3 of 8 are about 40 %');
  assert.deepEqual([...names].filter((name) => !originals.includes(name)).sort(), [0, 1, 2, 3, 4].map((i) => image(i)));
  const beside = [...html.slice(html.indexOf('id="originals-head"')).matchAll(/\/images\/(\d+)\/grid/g)].map((m) => Number(m[1]));
  assert.deepEqual(beside.filter((n) => originals.some((name) => id[name] === n)), [], 'one that is mixed in is not shown twice');
  const headers = (await ada.get(`${at}/shown/0?size=grid`)).headers;
  assert.deepEqual([headers.get('cache-control'), headers.get('etag'), headers.get('last-modified')], ['no-store', null, null]);
  assert.deepEqual(await unblind(bob, await bob.page(at)), names, 'the same for everybody');

  /* An original and an image of the set are rejected; only the latter goes. */
  const wrong = await ada.post(`${at}/turns`, { ...fieldsOf(html), mixed_from: '99' });
  assert.equal(wrong.status, 409);
  const done = await turn(ada, at, (name) => name === image(0) || name === originals[0]);
  assert.equal(done.reply.status, 303, await done.reply.text());
  const [said] = await now(ada);
  assert.deepEqual([said.images.map((i) => i.image), said.reviewed, said.revision], [[image(0)], true, 'fresh/0']);
  assert.equal((await ada.post(done.action, done.fields)).status, 409);
  assert.equal((await ada.get(`${at}/shown/0?size=grid`)).status, 404);
  assert.match(await ada.page(at), new RegExp(image(0)), 'who is through sees everything');

  const results = async () => (await ada.json('GET', '/api/v1/sets/fresh/0/review')).body.round.reviewers;
  const [mine] = await results();
  assert.deepEqual([mine.login, mine.turns, mine.probes.k, mine.probes.n, mine.images.k, mine.images.n, mine.alike.n],
    ['expert', 1, 1, 3, 1, 5, 0]);
  assert.ok(mine.probes.lo < 1 / 3 && mine.probes.hi > 1 / 3);

  /* The other class, then one of the two once more: it decides nothing. */
  let next = (await ada.json('GET', '/api/v1/sets/fresh/0/review')).body.next.url;
  assert.equal(next, '/sets/fresh/0/n00000002');
  const other = await turn(ada, next, () => false);
  next = other.reply.headers.get('location');
  assert.match(next, /\?again=1$/);
  const before = (await now(ada)).length;
  const again = await turn(ada, next, () => true);
  assert.equal(again.reply.headers.get('location'), '/sets/fresh/0/review');
  assert.equal((await now(ada)).length, before);
  const [end] = await results();
  assert.equal(end.turns, 3);
  assert.equal(end.alike.n, again.names.length);
  assert.match(await ada.page('/sets/fresh/0/review'), /nothing is left for you/);
  assert.doesNotMatch(await bob.page('/sets/fresh/0/review'), /nothing is left for you/);
});

check('originals that stand in the set itself are shown once', async ({ dir, file, ada, lead }) => {
  const list = ['candidate-0', 'candidate-1', 'original-0', 'original-1', 'original-2'];
  await importSet(dir, file, 'mixed', [], list.map((name) => ({ image: `${WNID}-${name}`, wnid: WNID })));
  assert.equal((await lead.post('/sets/mixed/0/rounds', { originals: '50', repeats: '0' })).status, 303);
  const done = await turn(ada, `/sets/mixed/0/${WNID}`, (name) => name === image(2, 'original'));
  assert.equal(done.reply.status, 303, await done.reply.text());
  assert.equal(done.names.length, 8, 'three of six originals are left to mix in');
  assert.equal(new Set(done.names).size, 8);
  const [mine] = (await ada.json('GET', '/api/v1/sets/mixed/0/review')).body.round.reviewers;
  assert.deepEqual([mine.probes.n, mine.images.k, mine.images.n], [3, 1, 5]);

  await importSet(dir, file, 'originals', ['--role', 'original']);
  const refused = await lead.post('/sets/originals/0/rounds', { originals: '10', repeats: '5' });
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /is a set of originals/);
});

check('refusals and numbers of a blind turn do not tell originals either', async ({ dir, file, ada, lead }) => {
  const at = `/sets/blind/0/${WNID}`;
  await importSet(dir, file, 'blind', [], [0, 1, 2, 3].map((i) => ({ image: image(i), wnid: WNID })));
  assert.equal((await lead.post('/sets/blind/0/rounds', { originals: '50', repeats: '0' })).status, 303);
  const html = await ada.page(at);
  const names = await unblind(ada, html);
  assert.equal(names.length, 8);
  const before = (await now(ada)).length;
  for (const [place, name] of names.entries()) {
    for (const said of [{ reason: 'other' }, { reason: 'ugly' }, { reason: 'other', note: ' ' }, { reason: 'class', note: 'x'.repeat(501) }]) {
      const r = await ada.post(`${at}/turns`, { ...fieldsOf(html), [`reason-${place}`]: said.reason, [`note-${place}`]: said.note ?? '' });
      const text = await r.text();
      assert.equal(r.status, 400, `${name} ${JSON.stringify(said)}`);
      assert.match(text, new RegExp(`image ${place + 1}\\b`));
      assert.ok(!names.some((n) => text.includes(n)), text);
    }
  }
  assert.equal((await now(ada)).length, before);
  assert.equal((await ada.get(`${at}/shown/0?size=grid`)).status, 200, 'the turn is still open');

  const round = async (client) => (await client.json('GET', '/api/v1/sets/blind/0/review')).body.round;
  assert.ok(!('seed' in await round(ada)), 'with it a reviewer could work out the originals');
  assert.equal(typeof (await round(lead)).seed, 'number');
});

const LARGE = '9223372036854775807';

check('a number of an address that nothing can have is refused', async ({ ada }) => {
  const at = `/sets/fresh/0/${WNID}`;
  for (const path of [`/sets/fresh/0/review?page=${LARGE}`, `${at}?others=${LARGE}`]) {
    assert.equal((await ada.get(path)).status, 400, path);
  }
  assert.equal((await ada.get('/sets/fresh/0/review?page=2147483647')).status, 200);
  assert.equal((await ada.get(`${at}?others=2147483647`)).status, 200);
});

/* While one decides again and again, every page that another opens shows all that the version in its form has seen. */
check('what a page has seen stands on it', async ({ ada, bob }) => {
  const words = ['class', 'drawing', 'distribution', 'unclear', 'near-duplicate', 'harmful'];
  const id = (await numbers(ada))[image(0)];
  const reasons = new Map(); /* version: which of the decisions */
  let going = true, made = 0;
  const deciding = (async () => {
    for (; going; made++) reasons.set((await decide(bob, { images: [ban(0, words[made % 6])] }, '*')).body.version, made);
  })();
  const pages = [];
  while (made < 2) await ada.get('/account');
  for (let i = 0; i < 60; i++) {
    const html = await ada.page(i % 2 ? `/images/${id}` : `/classes/${WNID}?role=candidates&blacklist=all&near_duplicates=all`);
    const was = new RegExp(`name="was-${id}" value="([^|"]*)`).exec(html);
    assert.ok(was, 'the form is there');
    pages.push({ seen: Number(/name="seen" value="(\d+)"/.exec(html)[1]), word: words.indexOf(was[1]) });
  }
  going = false;
  await deciding;
  const behind = pages.filter((p) => reasons.has(p.seen) && (p.word - reasons.get(p.seen) % 6 + 6) % 6 === 5);
  assert.deepEqual(behind, []);
});

check('a picture that is missing tells no original', async ({ dir, file, ada, lead }) => {
  const ghosts = [0, 1].map((i) => ({ image: `ghost-${i}`, wnid: WNID })); /* known by name only */
  await importSet(dir, file, 'partly', [], [...ghosts, ...[0, 1, 2].map((i) => ({ image: image(i), wnid: WNID }))]);
  await importSet(dir, file, 'ghosts', [], ghosts);
  for (const set of ['partly', 'ghosts']) {
    assert.equal((await lead.post(`/sets/${set}/0/rounds`, { originals: '50', repeats: '0' })).status, 303);
  }
  const cards = async (set) => {
    const html = await ada.page(`/sets/${set}/0/${WNID}`);
    return [Object.keys(fieldsOf(html)).filter((f) => f.startsWith('reason-')).length, (await unblind(ada, html)).length];
  };
  assert.deepEqual(await cards('partly'), [6, 6], 'three images and three originals, each with its picture');
  assert.deepEqual(await cards('ghosts'), [2, 0], 'no original among images without pictures');
  assert.equal((await turn(ada, `/sets/ghosts/0/${WNID}`, () => false)).reply.status, 303);
});

test('decisions about classes, and reviews', async (t) => {
  const world = await begin(t);
  for (const { name, run } of checks) {
    await t.test(name, async () => {
      await run(world);
      await clear(world);
    });
  }
});
