/* Answers in words on pages and in the API: shares beside scores, mappings side by side, texts that are no class, the
 * same numbers as the command writes; a sealed set says nothing. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { Client, must, newProject, startServer, tempDir, wholeFile } from './lib.mjs';
import { WNIDS, importSet, writer } from './model_world.mjs';
import { CLASSES } from './study.mjs';

const whole = wholeFile();
const IMAGES = Array.from({ length: 20 }, (_, i) => ({ image: `i-${i}`, wnid: WNIDS[i % 2] }));
const SAID = ['An apple.', 'pear tree', '<script>alert(1)</script>', ''];
let dir, expert, worker;

before(async () => {
  dir = await newProject(whole);
  const file = writer(tempDir(whole));
  await must(['import', 'classes', dir, file('classes.jsonl', CLASSES)]);
  await importSet(dir, file, 'fresh', [], IMAGES);
  await importSet(dir, file, 'closed', ['--sealed'], IMAGES.slice(0, 1));
  const lines = IMAGES.map(({ image }, i) => `${JSON.stringify({ image, text: SAID[i % 4] })}\n`).join('');
  await must(['import', 'texts', dir, file('said.jsonl', lines), '--model', 'speaker', '--set', 'fresh', '--recipe', '{"temperature":0,"note":"<i>"}']);
  await must(['import', 'model-facts', dir, file('facts.csv', 'model,family\nspeaker,talkers\n')]);
  await must(['map-texts', dir, '--model', 'speaker', '--mapping', 'words']);
  await must(['map-texts', dir, '--model', 'speaker', '--mapping', 'own', '--csv', file('own.csv', `text,wnid\n${SAID[2]},${WNIDS[0]}\n`)]);
  await must(['user', 'add', dir, 'expert', '--role', 'expert', '--password-file', file('password', 'correct horse battery staple\n')]);
  const server = await startServer(whole, dir);
  expert = await new Client(server.url).login('expert');
  worker = new Client(server.url);
});

const page = async (at) => {
  const r = await expert.get(at);
  return { status: r.status, html: await r.text() };
};

test('both mappings stand beside each other, without the image that a sealed set has', async () => {
  const { body } = await expert.json('GET', '/api/v1/models/speaker/texts?set=fresh');
  assert.deepEqual(body.shares.map((s) => [s.model, s.mapping, s.images, s.out_of_list, s.empty]), [['speaker@own', 'own', 19, 0, 5], ['speaker@words', 'words', 19, 5, 5]]);
  assert.ok(body.shares[1].out_of_list_share_lo < 5 / 19 && 5 / 19 < body.shares[1].out_of_list_share_hi);
  assert.deepEqual([body.sources[0].recipe, body.sources[0].texts, body.unmapped], [{ note: '<i>', temperature: 0 }, 20, []]);
  const one = (await expert.json('GET', '/api/v1/models/speaker@words/texts?set=fresh')).body;
  assert.deepEqual(one.unmapped, [{ text: '', images: 5, reason: 'empty' }, { text: SAID[2], images: 5, reason: 'out-of-list' }]);
});

test('files are those of the command', async () => {
  const csv = async (at) => (await expert.get(at)).text();
  assert.equal(await csv('/api/v1/texts.csv?set=fresh'), await must(['export', 'text-shares', dir, '--set', 'fresh']));
  assert.equal(await csv('/api/v1/models/speaker@words/texts.csv?set=fresh'),
    await must(['export', 'unmapped-texts', dir, '--set', 'fresh', '--model', 'speaker@words']));
});

test('a mapped model is what the model is that said the texts, until something else is said of it', async () => {
  const said = async (model) => (await expert.json('GET', `/api/v1/models/${model}`)).body.said.family;
  assert.equal(await said('speaker@words'), 'talkers');
  await must(['import', 'model-facts', dir, writer(tempDir(whole))('own.csv', 'model,family\nspeaker@own,others\n')]);
  assert.deepEqual([await said('speaker@own'), await said('speaker@words')], ['others', 'talkers']);
});

test('pages show the shares, and texts as texts', async () => {
  const model = await page('/models/speaker@words?set=fresh');
  assert.match(model.html, /id="texts-table"[^]*speaker@own[^]*26\.3[^]*speaker@words/);
  const said = await page('/models/speaker@words/texts?set=fresh');
  assert.match(said.html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;[^]*out-of-list/);
  assert.doesNotMatch(said.html, /<script>alert|<i>/);
  assert.match((await page('/models/speaker')).html, /id="texts-table"[^]*speaker@own[^]*href="\/models\/speaker\/texts\?set=fresh/);
  assert.match((await page('/models')).html, /speaker@own[^]*speaker@words/);
});

test('nothing of a sealed set, of a model without texts, or for a visitor', async () => {
  for (const at of ['/models/speaker@words/texts?set=closed', '/api/v1/models/speaker@words/texts?set=closed', '/api/v1/texts.csv?set=closed',
    '/api/v1/models/speaker@words/texts.csv?set=closed']) {
    assert.equal((await page(at)).status, 403, at);
  }
  assert.equal((await page('/models/nobody/texts')).status, 404);
  assert.notEqual((await worker.get('/models/speaker@words/texts?set=fresh')).status, 200);
});
