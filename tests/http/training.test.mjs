/* Training: experts learn classes on images of which the label is known; the first answer about a new image counts, what is
 * right is told only then, and who has passed may review what needs it. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { before, test } from 'node:test';

import { Client, PASSWORD, holdout, must, tempDir, wholeFile } from './lib.mjs';
import { SETS, WNIDS, addModels, writer } from './model_world.mjs';
import { sqlite } from '../load/tools.mjs';
import { startStudy } from './study.mjs';

const t = wholeFile();
const API = '/api/v1/training';
const other = (wnid) => WNIDS[1 - WNIDS.indexOf(wnid)];
let dir, file, url, lead, ada, grace, server;

const sql = (text) => sqlite(path.join(dir, 'holdout.db'), text);
const item = async (client, at, list = 'fruit') => (await client.json('GET', `${API}/${list}/items/${at}`)).body;
const say = (client, at, said, list = 'fruit') => client.json('POST', `${API}/${list}/items/${at}`, said);
const truth = async (list) => (await sql(`SELECT c.wnid FROM training_image t JOIN class c ON c.id = t.class JOIN training_list l ON l.id = t.list WHERE l.name = '${list}' ORDER BY t.position`)).trim().split('\n');
const create = (name, ...options) => holdout(['training', 'create', dir, name, '--seed', '1', ...options]);

before(async () => {
  const study = await startStudy(t);
  ({ dir, server } = study);
  url = server.url;
  file = writer(tempDir(t));
  await addModels(dir, file);
  const password = file('password', `${PASSWORD}\n`);
  for (const login of ['ada', 'grace']) await must(['user', 'add', dir, login, '--role', 'expert', '--password-file', password]);
  lead = await new Client(url).login('lead');
  [ada, grace] = [await new Client(url).login('ada'), await new Client(url).login('grace')];
});

test('a list takes images of a set, of confused or related classes, or of a file, and none that is sealed or in other work', async () => {
  assert.equal((await create('fruit', '--of', 'group', '--classes', WNIDS.join(), '--set', 'originals', '--images', '11', '--span', '2', '--unlocks', 'fruits')).code, 0);
  const right = await truth('fruit');
  assert.equal(right.length, 11);
  assert.ok(Math.abs(right.filter((w) => w === WNIDS[0]).length - 5.5) < 1, 'as equally many of each class as there are');
  assert.equal((await create('mixed', '--of', 'confusions', '--set', 'originals', '--models', 'dull', '--pairs', '1', '--dry-run')).code, 0);
  for (const [options, why] of [
    [['--of', 'group', '--classes', WNIDS[0], '--set', 'closed'], /No image is left to train on.*10 are sealed|No image is left to train on.* 5 are sealed/],
    [['--of', 'relation', '--set', 'originals'], /No classes are related yet/],
    [['--of', 'group', '--classes', 'n99999999', '--set', 'originals'], /no class n99999999/],
    [['--of', 'group', '--classes', WNIDS[0], '--set', 'originals', '--span', '40'], /as many as there are images/],
    [['--of', 'file', '--file', file('unknown.csv', `image\n${SETS.originals[0].image}\nnone\n`)], /unknown\.csv:3: none: there is no such image/],
    [['--of', 'file', '--file', file('candidate.csv', `image\n${SETS.fresh[0].image}\n`)], /candidate\.csv:2: .* it is a candidate/],
    [['--of', 'file', '--file', file('sealed.csv', `image,wnid\n${SETS.closed[0].image},${WNIDS[0]}\n`)], /1 are sealed/],
  ]) {
    const r = await create('bad', ...options);
    assert.equal(r.code, 1, options.join(' '));
    assert.match(r.err, why);
  }
  assert.equal((await create('fruit', '--of', 'group', '--classes', WNIDS[0], '--set', 'originals')).code, 1, 'the name is taken');

  /* Confusions are of other images than those of open label reviews; the form says the same. */
  await must(['label-review', 'create', dir, 'look', '--set', 'fresh', '--repeats', '0', '--experts', 'ada']);
  const made = await lead.json('POST', API, { name: 'none', of: 'confusions', set: 'fresh' });
  assert.equal(made.status, 400);
  assert.match(made.body.detail, /confuse no classes on the images that may be shown/);
  const rows = SETS.originals.slice(0, 3).map((s) => s.image);
  assert.equal((await lead.post('/training', { name: 'few', of: 'file', rows: rows.join('\n'), span: '3', mark: '100' })).status, 303);
  assert.deepEqual((await sql("SELECT i.name FROM training_image t JOIN image i ON i.id = t.image JOIN training_list l ON l.id = t.list WHERE l.name = 'few' ORDER BY 1")).trim().split('\n'), rows);
  const refused = await lead.post('/training', { name: 'odd', of: 'group', classes: WNIDS[0], set: 'originals', mark: '101' });
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /whole number from 1 to 100/);
  assert.equal((await ada.post('/training', { name: 'mine', of: 'group', classes: WNIDS[0], set: 'originals' })).status, 403);
});

test('nothing tells what is right before one has answered, at the desk too', async () => {
  const [right] = await truth('fruit');
  const names = new RegExp([...SETS.originals.map((s) => s.image), '/images/', 'ada', 'sharp'].join('|'));
  assert.equal((await ada.get('/models')).status, 403, 'at the desk');
  for (const at of ['/training', '/training/fruit', '/training/fruit/0', API, `${API}/fruit`, `${API}/fruit/items/0`, `${API}/fruit/next`]) {
    const r = await ada.get(at, { headers: { accept: '*/*' } });
    assert.equal(r.status, 200, at);
    assert.doesNotMatch((await r.text()).replaceAll(/ada<|>ada|"ada"/g, ''), names, at);
  }
  assert.deepEqual([(await item(ada, 0)).right, (await item(ada, 0)).fits], [null, null]);
  assert.doesNotMatch(await ada.page('/training/fruit/0'), /data-told/);
  const picture = await ada.get('/training/fruit/0/image');
  assert.match(picture.headers.get('content-type'), /^image/);
  assert.equal((await ada.get('/training/fruit/99')).status, 404);

  /* Wrong, told so with what the guide says, and right the next time: the first answer is what counts. */
  const written = await lead.json('POST', `/api/v1/guide/${right}`, { text: 'Look at the **stalk**.\n\n<script>x</script>', reason: 'first words', was: 0 });
  assert.equal(written.status, 201, JSON.stringify(written.body));
  const found = await (await ada.post('/training/fruit/0', { class_query: 'n0000000', do: 'find', seen: 0 })).text();
  assert.match(found, new RegExp(`name="choice" value="${other(right)}"`));
  const r = await ada.post('/training/fruit/0', { choice: other(right), seen: 0, do: 'check', active_ms: 1200 });
  assert.deepEqual([r.status, r.headers.get('location')], [303, '/training/fruit/0#told-head']);
  const page = await ada.page('/training/fruit/0');
  assert.match(page, /Wrong: it is[\s\S]*Points to compare[\s\S]*<strong>stalk<\/strong>/);
  assert.doesNotMatch(page, /<script>x/);
  await say(ada, 0, { wnid: right, seen: 1 });
  const told = await item(ada, 0);
  assert.deepEqual([told.seen, told.fits, told.first_fits, told.counts], [2, true, false, true]);
  assert.match(await ada.page('/training/fruit/0'), /Your first answer was wrong/);
  assert.equal((await sql("SELECT count(*) FROM account_saw WHERE how = 'training'")).trim(), '1');
});

test('the same form sent twice is one answer, and two windows that differ do not overwrite each other', async () => {
  const right = await truth('fruit');
  const twice = await Promise.all([1, 2].map(() => say(grace, 0, { wnid: right[0], seen: 0 })));
  assert.deepEqual(twice.map((r) => r.status), [201, 201]);
  assert.equal((await item(grace, 0)).seen, 1);
  const late = await say(grace, 0, { wnid: other(right[0]), seen: 0 });
  assert.deepEqual([late.status, late.body.code], [409, 'training-seen']);
  assert.equal((await say(grace, 1, { wnid: '', seen: 0 })).status, 400);
  assert.equal((await say(grace, 1, { wnid: 'n99999999', seen: 0 })).status, 404);
  const rows = await sql('SELECT count(*) FROM training_answer');
  assert.equal(rows.trim(), '3');
});

test('a suggestion is told to others once they have answered, and asked about in later label reviews', async () => {
  const [right] = await truth('fruit');
  const suggest = (who, said) => who.json('POST', `${API}/fruit/items/0/suggest`, said);
  assert.equal((await suggest(grace, { wnid: other(right), verdict: 'correct' })).status, 400, 'a label that they did not choose');
  assert.equal((await suggest(ada, { wnid: other(right), verdict: 'problematic', comment: 'x' })).status, 400);
  assert.equal((await suggest(ada, { wnid: '', verdict: 'problematic', comment: '' })).status, 400);
  assert.equal((await suggest(ada, { wnid: other(right), verdict: 'unclear', comment: 'two <b>fruits</b>' })).status, 201);
  const r = await ada.post('/training/fruit/0/suggest', { choice: other(right), verdict: 'correct', comment: 'two <b>fruits</b>' });
  assert.equal(r.status, 303, await r.text());
  const seen = (await item(grace, 0)).suggested;
  assert.deepEqual(seen, [{ own: false, wnid: other(right), verdict: 'correct', comment: 'two <b>fruits</b>' }]);
  assert.match(await grace.page('/training/fruit/0'), /two &lt;b&gt;fruits/);
  assert.equal((await sql('SELECT count(*) FROM training_suggestion')).trim(), '2', 'the earlier one stays');
  await must(['label-review', 'create', dir, 'later', '--set', 'originals', '--repeats', '0', '--models', 'sharp']);
  assert.equal((await sql(`SELECT count(*) FROM label_review_label l JOIN label_review_image i ON i.review = l.review AND i.position = l.position
    JOIN training_image t ON t.image = i.image AND t.position = 0 AND t.list = (SELECT id FROM training_list WHERE name = 'fruit') JOIN class c ON c.id = l.class WHERE l.origins & 32 AND c.wnid = '${other(right)}'`)).trim(), '1');
  /* Now these images are in an open review: they are not shown here any more, and come back when it is closed. */
  assert.deepEqual([(await ada.get('/training/fruit/1')).status, (await grace.json('GET', `${API}/fruit/next`)).body.position], [409, null]);
  assert.match(await (await ada.get('/training/fruit/1')).text(), /href="\/training\/fruit\/next\?after=1">Go on to the next one/);
  assert.equal((await say(grace, 1, { wnid: right, seen: 0 })).status, 409);
  await must(['label-review', 'change', dir, 'later', '--close']);
  assert.equal((await grace.json('GET', `${API}/fruit/next`)).body.position, 1);
});

test('who has not passed cannot review, sees why, and is let in by passing; what was seen elsewhere does not count', async () => {
  const right = await truth('fruit');
  await must(['training', 'need', dir, 'fruits', '--review', 'look']);
  assert.equal((await holdout(['training', 'need', dir, 'nothing', '--review', 'look'])).code, 1);
  assert.match(await ada.page('/labels/look'), /You need training first[\s\S]*href="\/training\/fruit"/);
  const refused = await ada.json('GET', '/api/v1/label-reviews/look/items/0');
  assert.deepEqual([refused.status, refused.body.code], [403, 'training-needed']);
  assert.equal((await ada.get('/labels/look/next')).status, 403);

  /* An image that was shown elsewhere does not count. */
  const image = Number(await sql('SELECT t.image FROM training_image t JOIN training_list l ON l.id = t.list WHERE l.name = \'fruit\' AND t.position = 1'));
  await sql(`INSERT INTO account_saw SELECT a.id, ${image}, 'page', 1 FROM account a JOIN identity i ON i.person = a.person WHERE i.external_id = 'ada'`);
  await say(ada, 1, { wnid: right[1], seen: 0 });
  assert.equal((await item(ada, 1)).counts, false);
  await say(ada, 2, { wnid: right[2], seen: 0 });
  const half = (await ada.json('GET', `${API}/fruit`)).body;
  assert.deepEqual([half.done, half.counted, half.n, half.right, half.passed], [3, 2, 2, 1, false]);
  assert.ok(half.lo < 0.02 && half.hi > 0.98);
  const r = await ada.fetch('/training/fruit/next?after=2');
  assert.equal(r.headers.get('location'), '/training/fruit/3');
  await say(ada, 3, { wnid: right[3], seen: 0 });
  assert.equal((await ada.json('GET', `${API}/fruit`)).body.passed, true);
  assert.deepEqual((await ada.json('GET', API)).body.groups, [{ name: 'few', unlocked: false }, { name: 'fruits', unlocked: true }]);
  assert.equal((await ada.get('/labels/look/0')).status, 200);

  /* Passed stays passed; parts end on the list's page; the other list has these images, which do not count there. */
  for (const at of [4, 5, 6, 7, 8, 9]) await say(ada, at, { wnid: other(right[at]), seen: 0 });
  assert.equal((await ada.json('GET', `${API}/fruit`)).body.passed, true);
  assert.equal((await ada.fetch('/training/fruit/next?after=9')).headers.get('location'), '/training/fruit?done=1');
  assert.equal((await ada.fetch('/training/fruit/next?from=10')).headers.get('location'), '/training/fruit/10');
  await say(ada, 10, { wnid: right[10], seen: 0 });
  assert.match(await ada.page('/training/fruit?done=2'), /Part 2 is done/);
  await say(ada, 0, { wnid: WNIDS[0], seen: 0 }, 'few');
  assert.equal((await item(ada, 0, 'few')).counts, false);

  /* An evaluation may need it too; its images are never trained on. */
  await must(['evaluation', 'create', dir, 'blind', '--new', 'fresh', '--images', '2', '--seed', '1', '--people', 'grace']);
  assert.equal((await lead.post('/training/fruit/change', { do: 'need', evaluation: 'blind' })).status, 303);
  const locked = await grace.json('GET', '/api/v1/evaluations/blind/next');
  assert.deepEqual([locked.status, locked.body.code], [403, 'training-needed']);
  assert.match(await grace.page('/evaluations/blind'), /You need training first/);
  await must(['label-review', 'change', dir, 'look', '--close']);
  const fresh = await create('fresh', '--of', 'group', '--classes', WNIDS.join(), '--set', 'fresh');
  assert.match(fresh.err, /^23 images of 2 classes[\s\S]*2 images were left out/);

  const page = await lead.page('/training/fruit');
  assert.match(page, /ada[\s\S]*with answer 3[\s\S]*look/);
  assert.match(await must(['training', 'show', dir, 'fruit']), /^ada,expert,11,10,2,1,0\.5,/m);
  assert.deepEqual((await ada.json('GET', `${API}/fruit`)).body.standing, [], 'others are for leads');
  assert.equal((await ada.post('/training/fruit/change', { do: 'close' })).status, 403);
  assert.equal((await lead.post('/training/fruit/change', { do: 'unneed', review: 'look' })).status, 303);
  assert.equal((await lead.post('/training/fruit/change', { do: 'close' })).status, 303);
  assert.equal((await say(grace, 1, { wnid: right[1], seen: 0 })).status, 409);
  await must(['check', dir]);
});
