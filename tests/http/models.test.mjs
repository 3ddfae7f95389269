/* Pages and API of models and sets: the table equals `holdout score`, what is sealed is told nowhere, running,
 * adding, noting and removing a model, and what a request may not say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MODELS as GAPS, addGapWorld } from './gap_world.mjs';
import { Client, must, newProject, startServer, tempDir, until } from './lib.mjs';
import { MODELS, SETS, WNIDS, addModels, dropModel, importModel, importSet, predictions, rightOf, writer } from './model_world.mjs';
import { startStudy } from './study.mjs';

async function begin(t) {
  const study = await startStudy(t, { env: { HOLDOUT_JOBS_JOBS_AT_ONCE: '1' } });
  const file = writer(tempDir(t));
  await addModels(study.dir, file);
  const lead = await new Client(study.server.url).login('lead');
  return { ...study, file, lead };
}

const get = async (client, at) => {
  const r = await client.json('GET', at);
  assert.equal(r.status, 200, `${at}: ${JSON.stringify(r.body)}`);
  return r.body;
};
const text = async (client, at) => (await client.get(at)).text();
/* The texts of a table's cells, row by row. */
const cells = (html, id) => {
  const table = new RegExp(`id="${id}"[^]*?<tbody>([^]*?)</tbody>`).exec(html);
  assert.ok(table, `there is a table ${id}`);
  return [...table[1].matchAll(/<tr[^>]*>([^]*?)<\/tr>/g)].map(([, row]) =>
    [...row.matchAll(/<t[hd][^>]*>([^]*?)<\/t[hd]>/g)].map(([, cell]) =>
      cell.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ').trim()));
};

async function ended(client, location) {
  const job = await until(async () => {
    const { body } = await client.json('GET', `/api/v1${location}`);
    return ['done', 'failed', 'cancelled'].includes(body.state) ? body : null;
  }, location);
  return job;
}

/* Right answers over images of one class, in points. */
const onClass = (list, wrong, wnid) => {
  const own = list.map((image, i) => [image.wnid, i % wrong !== wrong - 1]).filter(([of]) => of === wnid);
  return (100 * own.filter(([, right]) => right).length) / own.length;
};
/* Both classes are in both sets; the originals' shares weigh both sides. */
function commonGap(model) {
  const share = (wnid) => SETS.originals.filter((i) => i.wnid === wnid).length / SETS.originals.length;
  const side = (set) => WNIDS.reduce((sum, wnid) => sum + share(wnid) * onClass(SETS[set], MODELS[model][set], wnid), 0);
  return side('originals') - side('fresh');
}
const signed = (n, digits = 0) => Number(n).toFixed(digits).replace('-', '\u2212');
const change = (n) => (Number(n) > 0 ? `+${n}` : signed(n));
/* A number of the table with its bounds, if there are any. */
const bounded = (value, lo, hi, between, form) => (lo === '' ? form(value) : `${form(value)} ${form(lo)}${between}${form(hi)}`);

async function table({ dir, lead }) {
  const pair = ['score', dir, '--original', 'originals', '--new', 'fresh'];
  for (const top of ['1', '5']) {
    const csv = await must([...pair, '--top', top]), common = await must([...pair, '--top', top, '--common']);
    assert.equal(await text(lead, `/api/v1/scores.csv?original=originals&new=fresh/0&top=${top}`), csv);
    assert.equal(await text(lead, `/api/v1/scores.csv?top=${top}`), csv, 'that is the newest pair');
    assert.equal(await text(lead, `/api/v1/scores.csv?top=${top}&common=1`), common);
    for (const format of ['markdown', 'latex']) {
      const printed = await must([...pair, '--top', top, '--common', '--format', format, '--level', '.995', '--summary']);
      assert.equal(await text(lead, `/api/v1/scores.${format}?top=${top}&common=1&level=0.995&summary=1`), printed);
    }
    assert.equal(await text(lead, `/api/v1/scores/testbed.csv?top=${top}`), await must(['export', 'scores', dir, '--format', 'testbed', '--top', top]));
    const columns = csv.slice(0, csv.indexOf('\n')).split(',').length;
    assert.equal(common.split('\n').map((l) => l.split(',').slice(0, columns).join(',')).join('\n'), csv, 'the same and more columns');
  }
  const [head, ...lines] = (await text(lead, '/api/v1/scores.csv?common=1')).trimEnd().split('\n').map((l) => l.split(','));
  const { items, original, new: fresh, gaps } = await get(lead, '/api/v1/scores');
  assert.deepEqual([original, fresh, items.length, lines.length], ['originals/0', 'fresh/0', 2, 2]);
  assert.deepEqual([gaps.orig_classes, gaps.new_classes, gaps.common_classes, gaps.same_shares, gaps.leads], [2, 2, 2, false, 'common_gap']);
  assert.deepEqual([gaps.method, gaps.resamples, gaps.seed], ['paired bootstrap of images within class', 1000, 0]);
  assert.equal(await text(lead, '/api/v1/scores/long.csv?level=0.995'), await must(['export', 'scores', dir, '--level', '.995']));
  const html = await lead.page('/models');
  assert.match(html, /different shares of the same classes/);
  assert.match(html, /paired bootstrap of images within class, one resample for all 2 models, 1,000 resamples, seed 0\./);
  assert.doesNotMatch(html, /gaps-pending/, 'small sets are not waited for');
  const shown = cells(html, 'models-table');
  for (const [i, line] of lines.entries()) {
    const row = Object.fromEntries(head.map((name, at) => [name, line[at]]));
    for (const [name, value] of Object.entries(items[i])) {
      assert.equal(typeof value === 'number' ? Number(row[name]) : row[name], value ?? '', name);
    }
    const wrong = MODELS[row.model];
    assert.equal(Number(row.orig_correct), rightOf(SETS.originals, wrong.originals));
    assert.equal(Number(row.new_correct), rightOf(SETS.fresh, wrong.fresh));
    assert.ok(Math.abs(row.common_gap - commonGap(row.model)) < 1e-9, row.common_gap);
    for (const name of ['gap', 'common_gap', 'orig_rank', 'new_rank', 'delta_rank']) {
      assert.ok(Number(row[`${name}_lo`]) <= Number(row[name]) && Number(row[name]) <= Number(row[`${name}_hi`]), `${name}: ${line}`);
    }
    const at = shown.find((r) => r[0] === row.model);
    const point = (v) => signed(v, 1), whole = (v) => `${v}`;
    assert.deepEqual([at[2], at[4], ...at.slice(6, 11)], [
      `${row.p_orig} ${row.p_orig_lo}\u2013${row.p_orig_hi}`, `${row.p_new} ${row.p_new_lo}\u2013${row.p_new_hi}`,
      bounded(row.common_gap, row.common_gap_lo, row.common_gap_hi, ' to ', point), bounded(row.gap, row.gap_lo, row.gap_hi, ' to ', point),
      bounded(row.orig_rank, row.orig_rank_lo, row.orig_rank_hi, '\u2013', whole),
      bounded(row.new_rank, row.new_rank_lo, row.new_rank_hi, '\u2013', whole),
      bounded(row.delta_rank, row.delta_rank_lo, row.delta_rank_hi, ' to ', change)]);
  }
  assert.deepEqual(shown.at(-1).slice(0, 1).concat(shown.at(-1).slice(2, 11)), ['net', ...Array(9).fill('\u2013')]);
  for (const [sort, first] of [['name', 'dull'], ['gap', 'sharp'], ['new-1', 'sharp'], ['rank', 'sharp'], ['parameters', 'net']]) {
    const falling = ['new-1', 'parameters'].includes(sort) ? 'falling' : 'rising';
    const names = cells(await lead.page(`/models?sort=${sort}&order=${falling}`), 'models-table').map((r) => r[0]);
    const of = items.map((m) => m.common_gap);
    assert.equal(names[0], sort === 'gap' && of[0] > of[1] ? items[1].model : first, sort);
  }
  const overview = cells(await lead.page('/'), 'models-table');
  assert.deepEqual(overview, shown.map((r) => r.slice(0, 11)), 'the overview has the same table');
  for (const row of shown.filter((r) => r[0] !== 'net')) {
    assert.deepEqual(cells(await lead.page(`/models/${row[0]}?set=fresh`), 'gap-table'), [row.slice(6, 11)], 'the model\'s page too');
  }
  assert.doesNotMatch(await lead.page('/models/net'), /gap-table/);
  assert.match(await lead.page('/help/models'), /accuracy on the originals minus the accuracy on the new set/);
}

async function sealed({ dir, lead, file }) {
  const refused = ['/models?new=closed', '/models?original=closed/0', '/models/sharp?set=closed',
    '/charts/models-scatter/svg?new=closed', '/charts/models-accuracy/csv?new=closed',
    '/charts/model-classes/json?model=sharp&set=closed', '/api/v1/scores?new=closed',
    '/api/v1/scores.csv?new=closed', '/api/v1/models/sharp/predictions?set=closed',
    '/models/sharp/sources?set=closed', '/api/v1/models/sharp/sources?set=closed'];
  for (const at of refused) {
    const r = await lead.get(at, { accept: 'application/json' });
    const body = await r.text();
    assert.equal(r.status, 403, `${at}\n${body}`);
    assert.match(body, /Freeze it when it is final/, 'the remedy');
    if (at.startsWith('/api/')) assert.equal(JSON.parse(body).code, 'set-sealed');
  }
  /* What is said of the models elsewhere knows nothing of the set's images: no count of theirs. */
  const n = SETS.closed.length;
  const quiet = ['/models', '/models/sharp', '/', '/sets/closed/0', `/classes/${WNIDS[0]}`, '/api/v1/models', '/api/v1/models/sharp'];
  for (const at of quiet) {
    const body = await text(lead, at);
    assert.doesNotMatch(body, new RegExp(`n ${n}\\b|"n":${n}\\b|n <a[^>]*>${n}<`), at);
  }
  const sealed = await lead.page('/sets/closed/0');
  assert.doesNotMatch(sealed, /id="scores-table"/);
  assert.match(sealed, /<strong>Sealed<\/strong>/);
  const scored = (await get(lead, '/api/v1/models/sharp')).scores.map((s) => s.set);
  assert.deepEqual(scored, ['fresh/0', 'originals/0']);

  const list = (await get(lead, '/api/v1/sets/closed/0?limit=1000')).items;
  assert.deepEqual(list.map((i) => i.image), SETS.closed.map((i) => i.image));
  for (const { id } of list) {
    const page = await lead.page(`/images/${id}`);
    assert.match(page, /What models say about this image is not shown/);
    assert.doesNotMatch(page, /\/models\/sharp/);
  }
  const open = (await get(lead, '/api/v1/sets/fresh/0')).items[0];
  assert.match(await lead.page(`/images/${open.id}`), /\/models\/sharp/);

  await must(['set', 'freeze', dir, 'closed', '--reason', 'done']);
  for (const at of refused) assert.equal((await lead.get(at)).status, 200, at);
  assert.match(await lead.page(`/images/${list[0].id}`), /\/models\/sharp/);
  const { top1 } = (await get(lead, '/api/v1/models/sharp')).scores.find((s) => s.set === 'closed/0');
  assert.deepEqual([top1.correct, top1.n], [rightOf(SETS.closed, MODELS.sharp.closed), n]);
  await importModel(dir, file, 'later', 'closed', 2);
  assert.deepEqual((await get(lead, '/api/v1/models/later')).scores.map((s) => s.set), ['closed/0']);
}

async function oneModel({ lead }) {
  const { items, total } = await get(lead, '/api/v1/models/dull/predictions?set=fresh');
  const wrong = MODELS.dull.fresh;
  assert.equal(total, SETS.fresh.length);
  assert.deepEqual(items.map((i) => [i.image, i.label, i.labels[0] === i.label]),
    SETS.fresh.map(({ image, wnid }, i) => [image, wnid, i % wrong !== wrong - 1]));
  assert.ok(items.every((i, at) => Math.abs(i.scores[0] - (0.6 + 0.01 * at)) < 1e-6));
  assert.deepEqual((await get(lead, '/api/v1/models/dull/predictions')).items, items, 'of the newest new set');
  let paged = [];
  for (let at = '/api/v1/models/dull/predictions?set=fresh&limit=7'; at;) {
    const page = await get(lead, at);
    paged = [...paged, ...page.items];
    at = page.next_url;
  }
  assert.deepEqual(paged, items);

  const html = await lead.page('/models/dull?set=fresh');
  const expected = WNIDS.map((wnid) => {
    const own = items.filter((i) => i.label === wnid);
    return [wnid, own.length, own.filter((i) => i.labels[0] === wnid).length];
  });
  const shown = cells(html, 'classes-table');
  for (const [wnid, n, right] of expected) {
    const row = shown.find((r) => r[1] === wnid);
    assert.ok(row[2].startsWith(`${(100 * right / n).toFixed(1)} `) && row[2].endsWith(`n ${n}`), row[2]);
    assert.match(row[3], new RegExp(`^${n - right}\\b`));
  }
  /* The worst first; of equal ones the class of more images; the heads turn it round. */
  const sorted = async (query) => cells(await lead.page(`/models/dull?set=fresh&${query}`), 'classes-table').map((r) => r[1]);
  const worst = (sign) => [...expected].sort(([a, n, k], [b, m, l]) => sign * (k / n - l / m) || m - n || (a < b ? -1 : 1)).map(([wnid]) => wnid);
  const wnids = expected.map(([wnid]) => wnid).sort();
  assert.deepEqual(shown.map((r) => r[1]), worst(1));
  for (const [query, order] of [['order=falling', worst(-1)], ['sort=wnid', wnids], ['sort=wnid&order=falling&page=9', [...wnids].reverse()]]) {
    assert.deepEqual(await sorted(query), order, query);
  }
  const missed = Object.fromEntries(expected.map(([wnid, n, k]) => [wnid, n - k]));
  assert.equal(missed[(await sorted('sort=wrong'))[0]], Math.max(...Object.values(missed)));
  const mistakes = (page) => [...page.matchAll(/<li class="card">[^]*?class="mono"[^>]*>([^<]+)</g)].map((m) => m[1]);
  const surest = items.filter((i) => i.labels[0] !== i.label).sort((a, b) => b.scores[0] - a.scores[0]);
  assert.deepEqual(mistakes(html), surest.map((i) => i.image));
  assert.deepEqual(mistakes(await lead.page(`/models/dull?set=fresh&class=${WNIDS[0]}`)),
    surest.filter((i) => i.label === WNIDS[0]).map((i) => i.image));

  const { sources, mixed, kind, file } = await get(lead, '/api/v1/models/dull');
  assert.deepEqual([kind, file, mixed, sources.length], ['import', null, null, 3]);
  assert.ok(sources.every((s) => s.is_import && s.by === 'command line' && s.k === 2 && s.scored));
  const net = await get(lead, '/api/v1/models/net');
  assert.deepEqual([net.kind, net.scores, net.sources], ['onnx', [], []]);
  assert.match(net.hash, /^[0-9a-f]{128}$/);
  assert.equal(net.recipe.crop, 32);
}

/* The files of the rows of an import, told once more with some answers turned. */
async function sources({ dir, lead, file }) {
  const before = (await get(lead, '/api/v1/models/dull')).scores.find((s) => s.set === 'fresh/0');
  assert.deepEqual([before.made_by, before.sources, before.others], ['dull-fresh.jsonl', 1, 0]);
  const scores = await get(lead, PAIR);
  assert.deepEqual(scores.made_by.find((m) => m.name === 'dull').fresh.made_by, 'dull-fresh.jsonl');
  assert.match(await lead.page('/models?new=fresh'), /dull-fresh\.jsonl/);
  assert.match(await lead.page('/sets/fresh/0'), /dull-fresh\.jsonl/);

  /* Another file for the frozen set: nothing changes. */
  const turned = [0, 7];
  const rows = predictions(SETS.fresh, MODELS.dull.fresh).map((p, i) => (turned.includes(i) ? { ...p, labels: [...p.labels].reverse() } : p));
  await must(['import', 'predictions', dir, '--model', 'dull', '--set', 'fresh', file('second.jsonl', rows.map((p) => `${JSON.stringify(p)}\n`).join(''))]);
  const score = async () => (await get(lead, '/api/v1/models/dull')).scores.find((s) => s.set === 'fresh/0');
  assert.deepEqual(await score(), { ...before, others: 1 });
  assert.deepEqual((await get(lead, PAIR)).items, scores.items);
  const at = '/models/dull/sources?set=fresh/0';
  const said = await get(lead, `/api/v1${at}`);
  const [one, two] = said.sources;
  assert.deepEqual([one.made_by, one.counts, two.made_by, two.about, two.counts, two.differs], ['dull-fresh.jsonl', true, 'second.jsonl', 'this set', false, 2]);
  assert.deepEqual(said.differences.map((d) => [d.image, d.source, d.other_source]), turned.map((i) => [SETS.fresh[i].image, one.source, two.source]));
  const html = await lead.page(at);
  assert.match(html, /The set is frozen: its scores stay as they are/);
  assert.deepEqual(cells(html, 'differ-table').map((r) => r[0]), turned.map((i) => SETS.fresh[i].image));
  const [image] = (await get(lead, '/api/v1/sets/fresh/0')).items;
  const own = await lead.page(`/images/${image.id}`);
  assert.match(own, /file dull-fresh\.jsonl/);
  assert.match(own, /file second\.jsonl/);

  const choose = (fields) => lead.post('/models/dull/sources', { set: 'fresh/0', ...fields });
  for (const [fields, status] of [[{ source: two.source }, 400], [{ source: 1e9, reason: 'x' }, 404], [{ source: 'x', reason: 'x' }, 404],
    [{ undo: 1, reason: 'x' }, 404], [{ set: 'none', source: two.source, reason: 'x' }, 404], [{ set: 'closed', source: two.source, reason: 'x' }, 404],
    [{ set: '', source: two.source, reason: 'x' }, 400]]) {
    assert.equal((await choose(fields)).status, status, JSON.stringify(fields));
  }
  assert.deepEqual(await score(), { ...before, others: 1 });
  assert.equal((await choose({ source: two.source, reason: 'the <first> was shifted' })).status, 303);
  const after = await score();
  assert.deepEqual([after.source, after.made_by, after.others], [two.source, 'second.jsonl', 1]);
  assert.notEqual(after.top1.correct, before.top1.correct);
  assert.match(await lead.page(at), /was chosen<\/strong><span class="name">[^<]*: the &lt;first&gt; was shifted/);
  const { items } = await get(lead, '/api/v1/models/dull/predictions?set=fresh');
  assert.ok(items.every((i) => i.source === two.source));
  assert.equal((await choose({ undo: 1, reason: 'it was not' })).status, 303);
  assert.deepEqual(await score(), { ...before, others: 1 });
  const history = JSON.stringify((await get(lead, '/api/v1/history?area=models')).items);
  assert.match(history, /chose which predictions of dull score fresh\/0: the <first> was shifted/);
  assert.match(history, /undid the choice of which predictions of dull score fresh\/0: it was not/);

  /* Answers in another order are told on the model's page. */
  await importSet(dir, file, 'shuffled', [], SETS.fresh.slice(0, 10));
  assert.doesNotMatch(await lead.page('/models/dull'), /no better than chance/);
  const list = Array.from({ length: 300 }, (_, i) => ({ image: `shuffled-${i}`, wnid: WNIDS[i % 2] }));
  await importSet(dir, file, 'many', [], list);
  const lost = list.map(({ image }, i) => ({ image, labels: [WNIDS[(i >> 1) % 2], WNIDS[1 - ((i >> 1) % 2)]] }));
  await must(['import', 'predictions', dir, '--model', 'lost', file('lost.jsonl', lost.map((p) => `${JSON.stringify(p)}\n`).join(''))]);
  const page = await lead.page('/models/lost');
  assert.match(page, /<strong>No better than chance<\/strong><span>On many\/0 it is right no more often/);
  assert.match(page, /<span class="badge warning">no better than chance<\/span>/);
}

async function sets({ lead }) {
  const { items } = await get(lead, '/api/v1/sets');
  assert.deepEqual(items.map((s) => [s.name, s.role, s.revisions.length]).sort(),
    [['closed', 'new', 1], ['fresh', 'new', 1], ['originals', 'original', 1]]);
  const first = await get(lead, '/api/v1/sets/fresh/0?limit=3');
  assert.deepEqual(first.items.map((i) => i.position), [0, 1, 2]);
  const rest = await get(lead, first.next_url.replace('limit=3', 'limit=1000'));
  assert.deepEqual([...first.items, ...rest.items].map((i) => i.image), SETS.fresh.map((i) => i.image));
  assert.equal(rest.next, null);
  const reply = await lead.get('/api/v1/sets/fresh/0');
  const again = await lead.get('/api/v1/sets/fresh/0', { 'if-none-match': reply.headers.get('etag') });
  assert.equal(again.status, 304);
  const own = [...(await lead.page(`/sets/fresh/0?class=${WNIDS[0]}`)).matchAll(/<li class="card">/g)];
  assert.equal(own.length, SETS.fresh.filter((i) => i.wnid === WNIDS[0]).length);
  assert.match(await lead.page('/sets'), /\/sets\/closed\/0/);
  assert.match(await lead.page('/sets/fresh'), new RegExp(items.find((s) => s.name === 'fresh').revisions[0].digest));
}

const PAIR = '/api/v1/scores?original=originals&new=fresh';

async function adding({ dir, lead }) {
  dropModel(dir, 'deep/other net.onnx');
  dropModel(dir, 'broken.onnx', Buffer.from('not a model'));
  const page = await lead.page('/models');
  assert.match(page, /value="deep\/other net\.onnx"/);
  assert.match(page, /value="othernet"/, 'a name that may be one is proposed');
  for (const bad of ['../holdout.db', '/etc/passwd', 'none.onnx', 'deep/.hidden.onnx', 'deep', '', 'deep//other net.onnx', '-x.onnx']) {
    const r = await lead.post('/models', { file: bad, name: 'other' });
    assert.equal(r.status, 400, bad);
  }
  for (const name of ['', '.x', 'a/b', 'x'.repeat(64), 'a b']) {
    assert.equal((await lead.post('/models', { file: 'broken.onnx', name })).status, 400, name);
  }
  const add = async (fields) => {
    const r = await lead.post('/models', fields);
    assert.equal(r.status, 303, await r.text());
    return ended(lead, r.headers.get('location'));
  };
  assert.equal((await add({ file: 'broken.onnx', name: 'broken' })).state, 'failed');
  assert.equal((await lead.get('/models/broken')).status, 404);
  const added = await add({ file: 'deep/other net.onnx', name: 'other', note: 'by the page' });
  assert.equal(added.state, 'done', JSON.stringify(added));
  assert.equal((await get(lead, '/api/v1/models/other')).note, 'by the page');
  assert.doesNotMatch(await lead.page('/models'), /value="deep\/other net\.onnx"/);

  const run = (model, fields) => lead.post(`/models/${model}/predict`, fields);
  for (const [model, fields, status] of [['sharp', { what: 'all' }, 409], ['other', { what: 'nothing' }, 400],
    ['other', { what: 'set:none' }, 404], ['other', { what: 'class', wnid: 'n99999999' }, 404], ['none', { what: 'all' }, 404]]) {
    assert.equal((await run(model, fields)).status, status, JSON.stringify(fields));
  }
  const sets = ['set:fresh/0', 'original'];
  for (const what of sets) {
    const r = await run('other', { what });
    assert.equal(r.status, 303, await r.text());
    const job = await ended(lead, r.headers.get('location'));
    assert.equal(job.state, 'done', JSON.stringify(job));
  }
  const { scores, mixed } = await get(lead, '/api/v1/models/other');
  assert.deepEqual(scores.map((s) => [s.set, s.top1.n]), [['fresh/0', SETS.fresh.length], ['originals/0', SETS.originals.length]]);
  assert.equal(mixed, null);
  assert.equal((await get(lead, PAIR)).items.length, 3);
  const before = await lead.page('/models/other');

  assert.equal((await lead.post('/models/other/note', { note: 'it <is> "good"' })).status, 303);
  assert.match(await lead.page('/models/other'), /it &lt;is&gt; &quot;good&quot;/);
  assert.equal((await lead.post('/models/other/note', { note: 'x'.repeat(2001) })).status, 400);
  assert.equal((await lead.post('/models/other/remove', { reason: 'not needed' })).status, 303);
  assert.equal((await get(lead, PAIR)).items.length, 2);
  assert.match(await lead.page('/models/other'), /<strong>Removed<\/strong>/);
  assert.match(await lead.page('/models'), /value="deep\/other net\.onnx"/);
  assert.equal((await run('other', { what: 'all' })).status, 409);
  assert.equal((await add({ file: 'deep/other net.onnx', name: 'other' })).state, 'done');
  assert.deepEqual(cells(await lead.page('/models/other'), 'scores-table'), cells(before, 'scores-table'), 'its predictions were kept');
  const history = JSON.stringify((await get(lead, '/api/v1/history?area=models')).items);
  for (const word of ['other', 'not needed']) assert.ok(history.includes(word), history);
}

async function badRequests({ lead }) {
  for (const [at, status] of [['/models?sort=size', 400], ['/models?order=up', 400], ['/models?top=3', 400],
    ['/models?scale=cubic', 400], ['/models?new=none', 404], ['/models?new=fresh/7', 404], ['/models/none', 404],
    ['/models/sharp?top=2', 400], ['/models/sharp?sort=x', 400], ['/models/sharp?page=0', 400], ['/models/sharp?order=up', 400],
    ['/models/sharp?class=n1', 404],
    ['/models/sharp?set=none', 404], ['/sets/none', 404], ['/sets/fresh/1', 404], ['/sets/fresh/x', 404],
    ['/sets/fresh/0?from=x', 400], ['/sets/fresh/0?class=n1', 404], ['/api/v1/sets/fresh/0?limit=1001', 400],
    ['/api/v1/models/sharp/predictions?set=none', 404], ['/api/v1/models/sharp/predictions?set=fresh&after=-1', 400],
    ['/charts/models-scatter/svg?scale=cubic', 400], ['/charts/model-classes/svg?model=sharp&set=', 404],
    ['/charts/models-accuracy/svg?top=9', 400], ['/api/v1/scores.csv?common=yes', 400], ['/api/v1/scores.latex?summary=yes', 400], ['/api/v1/scores?level=0.9', 400]]) {
    const r = await lead.get(at);
    assert.equal(r.status, status, `${at}\n${await r.text()}`);
  }
  assert.equal((await lead.get('/models/sharp?page=99999')).status, 200);
  for (const scale of ['probit', 'logit', 'linear']) {
    assert.match(await text(lead, `/charts/models-scatter/svg?scale=${scale}`), /^<svg/);
  }
}

/* One project for all: what changes it comes last. */
test('models and sets', async (t) => {
  const world = await begin(t);
  await t.test('the table says what holdout score says, and what is counted here', () => table(world));
  await t.test('classes, mistakes, predictions and sources of one model', () => oneModel(world));
  await t.test('sets: revisions, images in order, one class', () => sets(world));
  await t.test('what a request may not say', () => badRequests(world));
  await t.test('what is sealed is told nowhere', () => sealed(world));
  await t.test('a model is added from its file, runs, is noted and removed', () => adding(world));
  await t.test('what scores a frozen set stays, and is chosen with a reason', () => sources(world));
});

test('a set that lacks classes of the originals: the gap on those that both have leads', async (t) => {
  const dir = await newProject(t);
  await addGapWorld(dir, writer(tempDir(t)));
  const server = await startServer(t, dir);
  const lead = await new Client(server.url).login('admin');
  const html = await lead.page('/models?original=old&new=fresh');
  assert.match(html, /The originals have 24 classes, the new set 19\. The gap is over the 19 that both have \(190 and 190 images\)/);
  const { items, gaps } = await get(lead, '/api/v1/scores?original=old&new=fresh');
  assert.deepEqual([gaps.leads, gaps.orig_classes, gaps.new_classes, gaps.common_classes], ['common_gap', 24, 19, 19]);
  const shown = cells(html, 'models-table');
  for (const [name, [old, fresh]] of Object.entries(GAPS)) {
    const at = shown.find((r) => r[0] === name).slice(5), m = items.find((i) => i.model === name);
    const point = (v) => signed(v, 1);
    assert.ok(Math.abs(m.common_gap - 10 * (old - fresh)) < 1e-9);
    assert.ok(at.includes(`${point(10 * (old - fresh))} ${point(m.common_gap_lo)} to ${point(m.common_gap_hi)}`), `${at}`);
    assert.ok(at.includes(`${point(m.gap)} ${point(m.gap_lo)} to ${point(m.gap_hi)}`), `${at}`);
  }
  const { gap, common_gap: common } = items.find((i) => i.model === 'small');
  assert.ok(gap > 0 && common < 0, 'the raw gap has the other sign');
  assert.match(await text(lead, '/charts/models-scatter/json?original=old&new=fresh'), /different classes/);
  assert.match(await lead.page('/models?original=old&new=none'), /The gap is over the 5 that both have/);
  /* From the link on the page: what the page shows. */
  const [, link] = /href="([^"]*scores\.csv[^"]*)"/.exec(html);
  assert.match(await text(lead, link.replaceAll('&amp;', '&')), /^orig_rank,.*common_gap,/);
});
