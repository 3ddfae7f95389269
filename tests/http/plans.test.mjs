/* plans.test.mjs - what a lead reads and changes before a campaign is opened, and that it is what its people
 * then get: the price of the real minutes, the title, the number of grids, the address to give away. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client, must, startServer } from './lib.mjs';
import { fieldsOf, formsOf } from './page_forms.mjs';
import { WIDE, join, newStudy, next } from './study.mjs';

/* A draft beside the study's own campaign: two grids of ten answers; 2 % of them is one grid a person. */
async function draft(t, options = [], env = {}) {
  const dir = await newStudy(t);
  await must(['grids', dir, '--campaign', 'later', '--kind', 're-measurement', '--seed', '1', ...options]);
  const server = await startServer(t, dir, { env: { ...WIDE, ...env } });
  return { dir, server, lead: await new Client(server.url).login() };
}

const plain = (html) => html.replace(/<[^>]*>/g, ' ').replaceAll('&#39;', "'").replace(/\s+/g, ' ');
const tile = (text, label) => new RegExp(`${label} ([0-9.,]+)`).exec(text)?.[1];

test('a place that pays for more work than a person gets is warned of, and mended on the page', async (t) => {
  const { lead } = await draft(t, ['--pay', '150']);
  const html = await lead.page('/campaigns/later/plan');
  const page = plain(html);
  assert.match(page, /A person can do only 1 of the 20 grids that the pay is for\. That is about 0\.75 min of work at 120\.00 USD an hour, not 15 min at 6\.00\./);
  assert.match(page, /Let one person give 10 % of all answers, or price the place by its work: 1 grid, 0\.75 min and 0\.08 USD \(Change the terms, below\)/);
  assert.match(page, /The campaign has no title, .* Give it one under Change the terms/);
  assert.match(page, /The campaign has no title yet, so workers read a general one\. Anyone with the link can start/);
  assert.equal(tile(page, 'Pay per hour'), '120.00');
  assert.match(page, /0\.75 min for the 1 grid of one person/);

  const terms = { title: 'Find the fruit', pay: '0.08', grids_per_place: '1', minutes: '0.75', max_share: '2' };
  for (const [field, value] of [['title', ''], ['pay', '0.081'], ['pay', '8 cents'], ['grids_per_place', '0'], ['minutes', 'x'], ['minutes', '0'], ['max_share', '101'], ['max_share', 'nan']]) {
    const form = formsOf(html).find((f) => f.action === '/campaigns/later/terms');
    const r = await lead.post(form.action, Object.fromEntries(fieldsOf(form, { ...terms, [field]: value })));
    assert.equal(r.status, 400, `${field} ${value}`);
    assert.match(await r.text(), new RegExp(`<input[^>]* name="${field}"[^>]*aria-invalid`), `${field} ${value}`);
  }
  const saved = await lead.post('/campaigns/later/terms', terms);
  assert.deepEqual([saved.status, saved.headers.get('location')], [303, '/campaigns/later/plan']);
  const mended = plain(await lead.page('/campaigns/later/plan'));
  assert.doesNotMatch(mended, /A person can do only|has no title/);
  assert.equal(tile(mended, 'Pay per hour'), '6.40');
  assert.match(mended, /Title for workers Find the fruit/);

  assert.equal((await lead.post('/campaigns/later/state/open')).status, 303);
  const late = await lead.post('/campaigns/later/terms', { ...terms, pay: '0.01' });
  assert.equal(late.status, 409);
  assert.match(await late.text(), /not a draft, so its terms have been promised to people/);
  assert.doesNotMatch(await lead.page('/campaigns/later'), /name="grids_per_place"/);
  assert.match(plain(await new Client(lead.url).page('/work/campaign/later?PROLIFIC_PID=ann')), /Find the fruit Reward 0\.08 USD Approximate time 0\.8 min Pay per hour 6\.40 USD Grids 1/);
});

test('preview and task show the same progress: the grids that a person gets', async (t) => {
  const { lead, server } = await draft(t, ['--same-image-again']);
  const progress = (html) => /(\d+ of \d+) grids/.exec(html)[1];
  const start = (html) => tile(plain(html), 'Grids');
  const seen = [];
  for (const share of ['2', '100']) {
    await lead.post('/campaigns/later/terms', { title: 'Fruit', pay: '0', grids_per_place: '20', minutes: '15', max_share: share });
    seen.push([progress(await lead.page('/campaigns/later/preview')), start(await lead.page('/campaigns/later/preview/start'))]);
  }
  assert.deepEqual(seen, [['0 of 1', '1'], ['0 of 2', '2']]);
  await lead.post('/campaigns/later/state/open');
  const worker = new Client(server.url);
  assert.equal(start(await worker.page('/work/campaign/later?PROLIFIC_PID=ann')), '2');
  const place = await join(worker, 'ann', 'later');
  const grid = await next(worker, place);
  assert.equal(grid.progress.total, 2);
  assert.equal(progress(await worker.page(`/work/assignment/${grid.assignment}`)), '0 of 2');
  assert.equal(progress(await lead.page('/campaigns/later/preview')), '0 of 2');
});

test('without a title people read a general one, in their language', async (t) => {
  const { dir, server } = await draft(t, ['--open']);
  await must(['study', dir, 'later', '--language', 'browser']);
  const worker = new Client(server.url);
  const heading = async (language) => /<h1>([^<]*)</.exec(await (await worker.get('/work/campaign/later?PROLIFIC_PID=ann', { 'accept-language': language })).text())[1];
  assert.equal(await heading('en'), 'Select photos');
  assert.equal(await heading('de'), 'Fotos auswählen');
});

test('the address for workers has the host of public_url, or the page says that it is a guess', async (t) => {
  const { lead } = await draft(t);
  for (const page of ['/campaigns/main', '/campaigns/main/study']) {
    const html = await lead.page(page);
    assert.ok(html.includes(`${lead.url}/work/campaign/main?`), page);
    assert.match(plain(html), /because server\.public_url is not set/, page);
  }
  const known = await draft(t, [], { HOLDOUT_SERVER_PUBLIC_URL: 'http://holdout.example' });
  for (const page of ['/campaigns/main', '/campaigns/main/study']) {
    const html = await known.lead.page(page);
    assert.ok(html.includes('http://holdout.example/work/campaign/main?'), page);
    assert.doesNotMatch(plain(html), /public_url is not set/, page);
  }
});
