/* What people say of models: from a file and by the form, in tables, charts and the API, and what chooses by it. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { Client, holdout, must, tempDir, wholeFile } from './lib.mjs';
import { addModels, writer } from './model_world.mjs';
import { startStudy } from './study.mjs';

const t = wholeFile();
let dir, lead, expert, file;
const said = async (name) => (await lead.json('GET', `/api/v1/models/${name}`)).body.said;
const NOTHING = { group: '', family: '', architecture: '', year: 0, training_data: '', parameters: 0 };

before(async () => {
  const study = await startStudy(t);
  ({ dir } = study);
  file = writer(tempDir(t));
  await addModels(dir, file);
  lead = await new Client(study.server.url).login('lead');
  expert = await new Client(study.server.url).login('expert');
});

test('without facts nothing chooses by them', async () => {
  assert.deepEqual(await said('sharp'), NOTHING);
  assert.doesNotMatch(await lead.page('/models'), /pair-group|pair-family/);
});

test('a file says what models are; what it leaves out stays, an empty cell takes back', async () => {
  const at = file('facts.csv', 'model,group,family,year,training_data\nsharp,more data,"Net, wide",2019,JFT\ndull,standard,,2012,\n');
  assert.match((await holdout(['import', 'model-facts', dir, at, '--dry-run'])).err, /2 models read, 2 with new facts \(dry run\)/);
  assert.deepEqual(await said('sharp'), NOTHING);
  await must(['import', 'model-facts', dir, at]);
  assert.deepEqual(await said('sharp'), { ...NOTHING, group: 'more data', family: 'Net, wide', year: 2019, training_data: 'JFT' });
  assert.match((await holdout(['import', 'model-facts', dir, at])).err, /2 models read, 0 with new facts/);
  await must(['import', 'model-facts', dir, file('more.csv', 'model,architecture,year\nsharp,Net-50,\n')]);
  assert.deepEqual(await said('sharp'), { ...NOTHING, group: 'more data', family: 'Net, wide', architecture: 'Net-50', training_data: 'JFT' });
  assert.match(await lead.page('/history'), /imported what 2 models are/);
});

test('a bad file is named row by row, and nothing is written', async () => {
  const bad = async (text) => {
    const r = await holdout(['import', 'model-facts', dir, '-'], { input: text });
    assert.equal(r.code, 1, r.err);
    return r.err;
  };
  const told = await bad('model,year\nnobody,2000\ndull,1900\ndull,2000\n');
  for (const line of [/:2: There is no model nobody/, /:3: year must be a whole number/, /:4: two rows are about dull/, /nothing was written/]) {
    assert.match(told, line);
  }
  assert.match(await bad('model,colour\ndull,red\n'), /none of the columns group, family/);
  assert.match(await bad('group\nx\n'), /model/);
  assert.equal((await said('dull')).year, 2012);
});

test('the form saves, shows what is wrong beside its field, and can be undone; experts have none', async () => {
  const fields = { ...NOTHING, year: '', parameters: '25600000', group: 'more <data>' };
  const saved = await lead.post('/models/dull/facts', fields);
  assert.equal(saved.status, 303);
  assert.deepEqual(await said('dull'), { ...NOTHING, group: 'more <data>', parameters: 25600000 });
  const page = await lead.page('/models/dull');
  assert.match(page, /more &lt;data&gt;/);
  assert.match(page, /action="\/models\/dull\/facts"[^]*name="year" value="2012"/, 'Undo brings back what was said');
  const odd = await lead.post('/models/dull/facts', { ...fields, year: '12', parameters: 'many' });
  assert.equal(odd.status, 400);
  const shown = await odd.text();
  assert.match(shown, /year must be a whole number from 1950 to 2200/);
  assert.match(shown, /parameters must be a whole number/);
  assert.match(shown, /value="many"/, 'what was typed stays');
  assert.equal((await said('dull')).parameters, 25600000);
  assert.equal((await expert.post('/models/dull/facts', fields)).status, 403);
  assert.doesNotMatch(await expert.page('/models/dull'), /models\/dull\/facts/);
  assert.match(await lead.page('/history'), /said what the model [^]*dull[^]* is/);
});

test('tables, ranks, charts and the API are of the models that are chosen', async () => {
  const names = async (query) => (await lead.json('GET', `/api/v1/scores?${query}`)).body.items.map((i) => i.model);
  assert.deepEqual((await names('')).sort(), ['dull', 'sharp']);
  assert.deepEqual(await names('group=more%20data'), ['sharp']);
  assert.deepEqual(await names('family=Net,%20wide'), ['sharp']);
  assert.deepEqual(await names('group=more%20data&family=other'), []);
  const page = await lead.page('/models?group=more%20data');
  assert.match(page, /option\s+value="more data" selected/);
  assert.doesNotMatch(page, /href="\/models\/dull"/);
  assert.match(await lead.page('/models?group=nobody'), /pair-group/, 'and one can choose another');
  const series = [...new Set((await lead.json('GET', '/charts/models-scatter/json')).body.rows.map(([of]) => of))];
  assert.deepEqual(series, ['more data', 'more <data>', 'Equally accurate on both'], 'a series of each group');
  assert.match(await lead.page('/models'), /25\.6 M/, 'what is said stands where a file says nothing');
});
