/* Label sources on pages, in charts and for scripts: the same numbers as on the command line, each side of a pair by its own
 * labels, what is missing is said, and nothing about a sealed set. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { Client, must, tempDir, wholeFile, until } from './lib.mjs';
import { MODELS, SETS, WNIDS, addModels, predictions, writer } from './model_world.mjs';
import { newToken, startStudy } from './study.mjs';

const t = wholeFile();
let dir, lead, file, url;
/* Every second image shows the other class too, unclearly; every third is not the set's class at all. */
const verdicts = ({ wnid }, i) => ({ [wnid]: i % 3 === 2 ? 'wrong' : 'correct', [WNIDS[1 - WNIDS.indexOf(wnid)]]: i % 2 ? 'unclear' : 'wrong' });
const right = (model, set, accepted) =>
  predictions(SETS[set], MODELS[model][set]).filter((p, i) => accepted.includes(verdicts(SETS[set][i], i)[p.labels[0]])).length;
const top1 = (model, set) => predictions(SETS[set], MODELS[model][set]).filter((p, i) => p.labels[0] === SETS[set][i].wnid).length;

before(async () => {
  const study = await startStudy(t, { env: { HOLDOUT_JOBS_JOBS_AT_ONCE: '1' } });
  ({ dir } = study);
  url = study.server.url;
  file = writer(tempDir(t));
  await addModels(dir, file);
  lead = await new Client(study.server.url).login('lead');
  const rows = Object.values(SETS).flatMap((set) => set.flatMap((image, i) => Object.entries(verdicts(image, i)).map(([wnid, v]) => `${image.image},${wnid},${v}\n`)));
  await must(['import', 'labels', dir, file('reviews.csv', `image,label,verdict\n${rows.join('')}`), '--name', 'reviewed']);
  await must(['import', 'labels', dir, file('main.csv', `image,label\n${SETS.originals.map(({ image }) => `${image},${WNIDS[0]}\n`).join('')}`), '--name', 'first', '--kind', 'main']);
});

test('scores by a source are the same on the command line, for scripts and in charts', async () => {
  for (const [labels, accepted] of [['reviewed', ['correct']], ['reviewed:lenient', ['correct', 'unclear']]]) {
    const scores = (await lead.json('GET', `/api/v1/scores?labels=${labels}`)).body;
    assert.equal(scores.labels, `reviewed/1:${labels.split(':')[1] ?? 'strict'}`);
    assert.equal(scores.new_labels, scores.labels);
    assert.equal(scores.items.length, 2);
    for (const item of scores.items) {
      assert.deepEqual([item.orig_correct, item.new_correct], ['originals', 'fresh'].map((set) => right(item.model, set, accepted)), item.model);
      const chart = JSON.stringify((await lead.json('GET', `/charts/models-scatter/json?labels=${labels}`)).body);
      assert.ok(chart.includes(String(item.new_correct / item.new_n)), 'the chart is by the same labels');
    }
    const csv = await (await lead.get(`/api/v1/scores.csv?labels=${labels}&common=1`)).text();
    assert.equal(csv, await must(['score', dir, '--original', 'originals', '--new', 'fresh', '--labels', labels, '--common']));
    const long = await (await lead.get(`/api/v1/scores/long.csv?labels=${labels}`)).text();
    assert.equal(long, await must(['export', 'scores', dir, '--labels', labels]));
    assert.match(await lead.page(`/models?labels=${labels}`), /Accuracy[^]*right: reviewed as correct[^<]*, by reviewed</);
    const measures = (await lead.json('GET', `/api/v1/measures?labels=${labels}`)).body;
    const change = scores.items.map((m) => m.new_acc - m.orig_acc);
    assert.ok(Math.abs(measures.change_top1.mean - (change[0] + change[1]) / 2) < 1e-9);
    assert.equal(measures.labels, scores.labels);
    for (const path of ['/measures', '/measures/fit', '/measures/classes']) assert.match(await lead.page(`${path}?labels=${labels}`), /right: reviewed as correct/);
    assert.equal((await lead.json('GET', `/api/v1/measures/fit?labels=${labels}`)).body.labels, scores.labels);
    const classes = await (await lead.get(`/api/v1/measures/classes.csv?labels=${labels}`)).text();
    assert.equal(classes.trim().split('\n').sort().join(), (await must(['score', dir, '--original', 'originals', '--new', 'fresh', '--by', 'class', '--labels', labels])).trim().split('\n').sort().join());
  }
});

test('each side of a pair by its own labels', async () => {
  const ask = 'original=originals&new=originals&new_labels=reviewed:lenient';
  const scores = (await lead.json('GET', `/api/v1/scores?${ask}`)).body;
  assert.deepEqual([scores.labels, scores.new_labels], ['', 'reviewed/1:lenient']);
  for (const item of scores.items) {
    assert.deepEqual([item.orig_correct, item.new_correct], [top1(item.model, 'originals'), right(item.model, 'originals', ['correct', 'unclear'])]);
  }
  const pair = ['score', dir, '--original', 'originals', '--new', 'originals'];
  const csv = await (await lead.get(`/api/v1/scores.csv?${ask}&common=1`)).text();
  assert.equal(csv, await must([...pair, '--new-labels', 'reviewed:lenient', '--common']));
  const back = (await lead.json('GET', '/api/v1/scores?original=originals&new=originals&labels=first&new_labels=set')).body;
  assert.deepEqual([back.labels, back.new_labels], ['first/1:main', '']);
  assert.ok(back.items.every((m) => m.new_correct === top1(m.model, 'originals')));
  const page = await lead.page(`/models?${ask}`);
  assert.match(page, /right: the set(&#39;|')s label; on the new set: reviewed as correct or unclear, by reviewed/);
  assert.match(page, /<option\s+value="reviewed:lenient" selected>/);
});

test('sources by version, with coverage, and what models make of them', async () => {
  const { items, set } = (await lead.json('GET', '/api/v1/labels?set=originals')).body;
  assert.equal(set, 'originals/0');
  assert.deepEqual(items.map((s) => [s.name, s.version, s.kind, s.rules, s.set_images, s.covered, s.counted, s.by, s.file]), [
    ['first', 1, 'main', 'main', 12, 12, 12, null, 'main.csv'], ['reviewed', 1, 'review', 'strict,lenient', 12, 12, 12, null, 'reviews.csv']]);
  const page = await lead.page('/label-sources?set=fresh');
  assert.match(page, /first<\/a>[^]*>0<\/td><td class="number">0<[^]*reviewed<\/a>[^]*>25<\/td><td class="number">25</);
  const reviewed = (await lead.json('GET', '/api/v1/labels/reviewed?set=fresh')).body;
  assert.deepEqual([reviewed.images, reviewed.labelled, reviewed.counted, reviewed.why], [25, 25, 25, null]);
  for (const m of reviewed.reviews) {
    assert.deepEqual([m.correct, m.correct + m.unclear], [right(m.model, 'fresh', ['correct']), right(m.model, 'fresh', ['correct', 'unclear'])]);
  }
  const csv = await (await lead.get('/api/v1/labels/reviewed/scores.csv?set=fresh')).text();
  assert.equal(csv, await must(['multilabel', dir, '--set', 'fresh', '--labels', 'reviewed']));
  assert.match(await lead.page('/label-sources/reviewed?set=fresh'), new RegExp(`sharp</a></th>[^]*${(100 * right('sharp', 'fresh', ['correct']) / 25).toFixed(1)}`));
  assert.equal((await lead.json('GET', '/api/v1/labels/first')).body.labels[0].n, 12);

  for (const [format, ending] of [['table', 'csv'], ['jsonl', 'jsonl'], ['tfds', 'jsonl'], ['real', 'json'], ['annotations', 'json']]) {
    const r = await lead.get(`/api/v1/labels/reviewed/file?format=${format}`);
    assert.match(r.headers.get('content-disposition'), new RegExp(`reviewed\\.${ending}`));
    assert.equal(await r.text(), await must(['export', 'labels', dir, 'reviewed', '--format', format]));
  }
  assert.equal((await lead.get('/api/v1/labels/reviewed/file?format=xml')).status, 400);
  assert.equal((await lead.get('/api/v1/labels/reviewed/file?format=objects')).status, 400);

  /* Of a part, by superclass, and how many labels are right. */
  await must(['superclasses', dir, 'kinds', file('kinds.csv', `class,superclass\n${WNIDS[0]},stone\n${WNIDS[1]},pome\n`)]);
  const ask = `/api/v1/labels/reviewed?set=fresh&subset=class:${WNIDS[0]}&groups=%40kinds`;
  const part = (await lead.json('GET', ask)).body;
  assert.deepEqual([part.subset, part.superclasses, part.counted], [`class:${WNIDS[0]}`, '@kinds/1', SETS.fresh.filter(({ wnid }) => wnid === WNIDS[0]).length]);
  assert.equal(part.images_by_labels.reduce((sum, { images }) => sum + images, 0), part.counted);
  assert.equal(await lead.page('/api/v1/labels/reviewed/scores.csv?set=fresh&groups=%40kinds'), await must(['multilabel', dir, '--set', 'fresh', '--labels', 'reviewed', '--groups', '@kinds']));
  const whole = (await lead.json('GET', '/api/v1/labels/reviewed?set=fresh&groups=%40kinds')).body;
  for (const m of whole.reviews) {
    const own = whole.groups.filter(({ model }) => model === m.model);
    assert.deepEqual(own.map((g) => g.superclass), ['pome', 'stone']);
    assert.deepEqual(['n', 'correct', 'lenient_correct'].map((name) => own[0][name] + own[1][name]), [m.n, m.correct, m.correct + m.unclear]);
    assert.equal(own[1].correct, part.reviews.find(({ model }) => model === m.model).correct);
  }
  const chart = (await lead.json('GET', `/charts/label-source-numbers/json?set=fresh&subset=class:${WNIDS[0]}&labels=reviewed`)).body;
  for (const { n, images } of part.images_by_labels) assert.equal(chart.rows[n][1], images / part.counted);
  const shown = await lead.page(`/label-sources/reviewed?set=fresh&groups=${encodeURIComponent('@kinds')}`);
  assert.match(shown, /data-live-topic="models"[^]*id="groups-table"/);
  assert.match(shown, /<option\s+value="@kinds\/1" selected>kinds \(2\)/);
  assert.equal((await lead.get('/label-sources/reviewed?groups=%40none')).status, 404);

  /* Why there are no scores. */
  for (const [source, at, why] of [['reviewed', 'closed', /sealed/], ['first', 'fresh', /has no image of this set/]]) {
    const { body } = await lead.json('GET', `/api/v1/labels/${source}?set=${at}`);
    assert.match(body.why, why);
    assert.deepEqual([body.reviews, body.labels, body.counted], [[], [], 0]);
    assert.match(await lead.page(`/label-sources/${source}?set=${at}`), /No scores/);
  }
  assert.equal((await lead.get('/api/v1/labels/reviewed/scores.csv?set=closed')).status, 403);
  assert.equal((await lead.json('GET', '/api/v1/labels/none')).status, 404);
});

test('what there is not is said', async () => {
  for (const [query, status, code, detail] of [
    ['labels=nothing', 404, 'label-source', /Choose one of: first, reviewed\./],
    ['labels=reviewed/2', 404, 'label-source', /its newest is 1/],
    ['labels=reviewed:main', 400, 'label-rule', /whose rules are: strict, lenient/],
    ['labels=first', 400, 'labels-missing', /The label source first\/1 has no image of this set/],
    ['new_labels=x', 404, 'label-source', /There is no label source x/],
    ['new=closed&labels=reviewed', 403, 'set-sealed', /sealed/],
  ]) {
    for (const path of ['/api/v1/scores', '/api/v1/measures', '/api/v1/measures/fit', '/api/v1/measures/classes']) {
      const r = await lead.json('GET', `${path}?${query}`);
      assert.deepEqual([r.status, r.body.code], [status, code], `${path}?${query}`);
      assert.match(r.body.detail, detail);
    }
  }
});

test('a program sends labels with a token, is told wrong rows by their place, and sends them again without harm', async () => {
  const { token } = await newToken(dir, 'lead'), client = new Client(url);
  const send = async (labels, fields = {}, file = 'api.csv') => {
    const { status, headers, body } = await client.json('POST', '/api/v1/labels', { name: 'api', labels, file, ...fields }, { authorization: `Bearer ${token}` });
    return { status, location: headers.get('location'), body };
  };
  for (const format of ['tfds', 'annotations', 'real', 'table']) {
    const text = await lead.page(`/api/v1/labels/reviewed/file?format=${format}&set=fresh`), fields = { name: `api-${format}`, ...(format === 'real' ? { set: 'fresh' } : {}) };
    const first = await send(text, fields);
    assert.deepEqual([first.status, first.body.source, first.body.version], [202, `api-${format}`, null], JSON.stringify(first.body));
    assert.equal(first.location, `/api/v1/jobs/${first.body.job}`);
    const job = await until(async () => { const { body } = await lead.json('GET', first.location); return body.is_open ? null : body; }, first.location);
    assert.equal(job.state, 'done', job.note);
    assert.equal(await lead.page(`/api/v1/labels/api-${format}/file?format=${format}&set=fresh`), text);
    assert.deepEqual(await send(text, fields), { status: 200, location: null, body: { source: `api-${format}`, version: 1, job: null, url: `/api/v1/labels/api-${format}` } });
    assert.equal((await lead.json('GET', `/api/v1/labels/api-${format}`)).body.versions.length, 1);
  }
  const good = `image,label,verdict\n${SETS.fresh[0].image},${WNIDS[0]},correct\n`, bad = (n) => 'nobody,n00000001,correct\n'.repeat(n);
  for (const [labels, fields, status, code, detail] of [
    [good + bad(1), {}, 400, 'labels-rows', /^1 row of api\.csv cannot be imported, so nothing was written\. api\.csv:3: [^/]*nobody/],
    [good + bad(60), {}, 400, 'labels-rows', /^50 or more rows of api\.csv .*api\.csv:3: .*; api\.csv:4: /],
    [good, { name: 'api-tfds' }, 409, 'label-replace', /api-tfds/], [good, { name: 'a b' }, 400, 'label-name', /name/], ['', {}, 400, 'labels-file', /Choose a file/],
    [good, { set: 'none' }, 404, 'set', /none/], [good, { kind: 'odd' }, 400, 'usage', /kind must be/], [7, {}, 400, 'labels-file', /Choose a file/],
    ['x'.repeat(9 << 20), {}, 413, null, /./],
  ]) {
    const r = await send(labels, fields);
    assert.equal(r.status, status, JSON.stringify(r.body));
    if (code) assert.equal(r.body.code, code);
    assert.match(r.body.detail, detail);
  }
  assert.equal((await lead.json('GET', '/api/v1/labels/api')).status, 404, 'nothing was written');
  const { token: viewing } = await newToken(dir, 'lead', 'expert');
  for (const [headers, status] of [[{}, 401], [{ authorization: `Bearer ${viewing}` }, 403], [{ authorization: 'Bearer none' }, 401]]) {
    assert.equal((await client.json('POST', '/api/v1/labels', { name: 'api', labels: good }, headers)).status, status);
  }
});

test('a file of labels that is uploaded is imported by a job, and written again as it came', async () => {
  const send = async (labels, fields = {}) => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ csrf: lead.csrf, name: 'sent', set: '', kind: '', reason: '', ...fields })) body.append(name, value);
    body.append('labels', new Blob([labels]), '../labels.json');
    return lead.fetch('/label-sources', { method: 'POST', body });
  };
  const ended = async (r) => {
    assert.equal(r.status, 303, await r.text());
    const at = `/api/v1${r.headers.get('location').replace(/\?.*/, '')}`;
    return until(async () => { const { body } = await lead.json('GET', at); return body.is_open ? null : body; }, at);
  };
  await lead.page('/label-sources');
  const tfds = await lead.page('/api/v1/labels/reviewed/file?format=tfds&set=fresh');
  const done = await ended(await send(tfds));
  assert.equal(done.state, 'done', done.note);
  assert.match(done.command, /import labels DIR DIR\/uploads\/sent-[0-9a-f]{8}\.labels --name sent$/);
  assert.equal(await lead.page('/api/v1/labels/sent/file?format=tfds&set=fresh'), tfds);
  assert.equal((await lead.json('GET', '/api/v1/labels/sent')).body.versions[0].by, 'lead');
  const real = await lead.page('/api/v1/labels/sent/file?format=real&set=fresh');
  assert.equal((await ended(await send(real, { name: 'real', set: 'fresh' }))).state, 'done');
  assert.equal(await lead.page('/api/v1/labels/real/file?format=real&set=fresh'), real);

  /* Other content under the same name is somebody's decision; a bad row is named. */
  const other = `image,label,verdict\n${SETS.fresh[0].image},${WNIDS[0]},correct\n`;
  const refused = await send(other);
  assert.equal(refused.status, 409);
  assert.match(await refused.text(), /there already with other content|reason/);
  assert.equal((await ended(await send(other, { reason: 'reviewed again' }))).state, 'done');
  assert.deepEqual((await lead.json('GET', '/api/v1/labels/sent')).body.versions.map((v) => [v.version, v.reason ?? '']), [[2, 'reviewed again'], [1, '']]);
  const bad = await send(`${other}nobody,${WNIDS[0]},correct\n`, { name: 'bad' });
  assert.equal(bad.status, 400);
  assert.match(await bad.text(), /1 row of labels\.json cannot be imported, so nothing was written\. labels\.json:3: /);
  for (const [labels, fields, says] of [['', {}, /Choose a file/], [other, { name: 'set' }, /name/], [Buffer.from([0xff, 0xfe, 0]), {}, /no text in UTF-8/]]) {
    const r = await send(labels, fields);
    assert.deepEqual([r.status, says.test(await r.text())], [400, true]);
  }
});
