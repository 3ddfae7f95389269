/* `holdout said`: how often people find in images what models say is in them, computed again from every vote. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client, linesIn, must, newProject, startServer, tempDir } from '../http/lib.mjs';
import { MODELS, SETS, addMeasuresWorld, right, wnid } from '../http/measures_world.mjs';
import { fails, put, says } from './tools.mjs';

const VOTES = 10;
const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;
const table = (csv) => {
  const [head, ...lines] = csv.trim().split('\n').map((line) => line.split(','));
  return Object.fromEntries(lines.map((cells) => [cells[0], Object.fromEntries(head.map((name, i) => [name, cells[i]]))]));
};

/* Ten people see the originals of the second class under the first one, which is what models say that are wrong. */
async function askAboutOthers(t, dir) {
  const shown = SETS.old.filter(({ c, selected }) => c === 1 && selected !== null);
  const selected = (i) => (i * 3) % (VOTES + 1);
  const write = linesIn(tempDir(t));
  const hit = { hit: 0, uuid: 'hit-other', wnid: wnid(0), time: '2018-10-01 00:00:00', source_file: 'f', excluded: '',
    label: [], pos: [], neg: shown.map(({ idx }) => idx), all: shown.map(({ idx }) => idx) };
  const rows = Array.from({ length: VOTES }, (_, v) => {
    const mask = shown.reduce((m, one, bit) => (v < selected(bit) ? m | 1n << BigInt(bit) : m), 0n);
    return `${v},0,other-${v},A,1538352000,60,${mask.toString(16).padStart(12, '0')}`;
  });
  await must(['import', 'hits', dir, write('hits.jsonl', [JSON.stringify(hit)]), '--campaign', 'other']);
  await must(['import', 'votes', dir, write('votes.csv', ['assignment,hit,worker,status,accept_time,duration_s,mask_hex', ...rows]), '--campaign', 'other']);
  return new Map(shown.map((one, i) => [one.image, selected(i) / VOTES]));
}

test('what people say of predictions, of labels and of what models say instead', async (t) => {
  const dir = await newProject(t);
  await addMeasuresWorld(t, dir);
  const before = table(await must(['said', dir, '--set', 'old']));
  const asked = SETS.old.filter(({ selected }) => selected !== null);
  const wrong = (list, model) => list.filter((one) => right([one], model, 1) === 0);
  for (const model of Object.keys(MODELS)) assert.deepEqual([before[model].asked, before[model].others], [String(right(asked, model, 1)), '0']);
  const others = await askAboutOthers(t, dir);
  /* The usual view is of the campaign "imported" and of "other"; labels have the votes that they had. */
  const { out, err } = await says(['said', dir, '--set', 'old', '--seed', '7'], /large: nobody was asked about what is said of \d+ of 126 images/);
  assert.match(err, /The labels: nobody was asked about what is said of 6 of 126 images/);
  const rows = table(out);
  assert.deepEqual(Object.keys(rows), ['', ...Object.keys(MODELS).sort()]);
  const labels = asked.map(({ selected }) => selected / VOTES);
  assert.deepEqual([rows[''].images, rows[''].asked, rows[''].others, rows[''].others_frequency], ['126', '120', '0', '']);
  assert.ok(Math.abs(rows[''].frequency - mean(labels)) < 1e-12);
  for (const model of Object.keys(MODELS)) {
    const row = rows[model];
    const instead = wrong(SETS.old.filter(({ image }) => others.has(image)), model).map(({ image }) => others.get(image));
    const found = [...asked.filter((one) => right([one], model, 1)).map(({ selected }) => selected / VOTES), ...instead];
    assert.deepEqual([row.images, row.asked, row.others].map(Number), [126, found.length, instead.length], model);
    assert.ok(Math.abs(row.frequency - mean(found)) < 1e-12 && Math.abs(row.others_frequency - mean(instead)) < 1e-12, model);
    [0, 1, 2, 3, 4].forEach((k) => assert.equal(Number(row[`others_${k}`]),
      instead.filter((f) => Math.min(4, Math.floor(f * 5 + 1e-9)) === k).length, `${model} ${k}`));
    /* The percentiles lie where the standard error of a mean says, and follow the seed. */
    const m = mean(found), se = Math.sqrt(mean(found.map((f) => (f - m) ** 2)) / found.length);
    assert.ok(Math.abs(row.frequency_lo - (m - 1.96 * se)) < se / 4 && Math.abs(row.frequency_hi - (m + 1.96 * se)) < se / 4, model);
  }
  assert.equal(await must(['said', dir, '--set', 'old', '--seed', '7']), out);
  assert.notEqual(await must(['said', dir, '--set', 'old', '--seed', '8']), out);
  const json = JSON.parse(await must(['said', dir, '--set', 'old', '--model', 'small', '--seed', '7', '--json', '--subset', `class:${wnid(1)}`]));
  assert.deepEqual([json.lines.length, json.lines[0].model, json.lines[1].model, json.lines[1].others, json.seed],
    [2, null, 'small', wrong(SETS.old.filter(({ image }) => others.has(image)), 'small').length, 7]);
  await overHttp(t, dir, others);
});

/* Pages, replies and charts say the same; and how many labels people find in the images of that class. */
async function overHttp(t, dir, others) {
  const lead = await new Client((await startServer(t, dir)).url).login('admin');
  const get = async (at, name = 'measures') => (await lead.json('GET', name === 'measures' ? `/api/v1/measures/${at}` : `/charts/${name}/json?${at}`)).body;
  assert.equal(await lead.page('/api/v1/measures/said.csv?set=old'), await must(['said', dir, '--set', 'old', '--resamples', '1000']));
  const said = await get('said?set=old');
  const [labels, large] = said.items;
  assert.deepEqual([said.view, said.resamples, labels.model, large.model], ['default', 1000, null, 'large']);
  const chart = await get('set=old&models=large', 'measures-said');
  assert.ok(JSON.stringify(chart.rows).includes(`"large",${right(SETS.old, 'large', 1) / 126},${large.frequency}`), JSON.stringify(chart.rows));
  assert.match(await lead.page('/measures/said?set=old'), new RegExp(`${large.frequency.toFixed(3)}<`));
  assert.match(await lead.page(`/measures/said?set=old&class=${wnid(1)}`), /Not the label/);
  assert.match(await lead.page(`/measures/said?set=fresh/0&view=default`), /4 models/);
  assert.equal((await lead.json('GET', '/api/v1/measures/said?view=none')).body.code, 'no-view');

  /* Of an image with two labels the other one counts when it is found often enough; whose own nobody found has none. */
  const valid = (one, t, by) => (one.selected === 0 ? 0 : 1 + (others.has(one.image) && Math.round(others.get(one.image) * VOTES) * 10 >= t * (by === 'label' ? one.selected : VOTES)));
  const asked = SETS.old.filter(({ selected }) => selected !== null);
  for (const by of ['label', 'people']) {
    const got = await get(`valid?set=old&by=${by}`);
    assert.deepEqual([got.images, got.several, got.unasked, got.by], [asked.length, others.size, 6, by]);
    for (const t of [5, 6, 7, 8, 9, 10]) {
      for (const n of [0, 1, 2]) {
        const row = got.items.find((one) => Math.round(one.threshold * 10) === t && one.labels === n);
        assert.equal(row.images, asked.filter((one) => valid(one, t, by) === n).length, `${by} ${t} ${n}`);
      }
    }
    const two = got.items.find((row) => row.threshold === 0.5 && row.labels === 2);
    const bars = await get(`set=old${by === 'people' ? '&by=people' : ''}`, 'measures-valid');
    assert.ok(Math.abs(bars.rows[1][1] - two.share) < 1e-12, JSON.stringify(bars));
    assert.match(await lead.page(`/measures/valid?set=old&by=${by}`), new RegExp(`>${(100 * two.share).toFixed(1)}<`));
  }
  const file = put(t, 'seen.csv', ['image,label,object,main', ...SETS.old.flatMap(({ image, c, idx }) => [`${image},${wnid(c)},0,1`, ...(idx % 2 ? [`${image},${wnid((c + 1) % 6)},1,0`] : [])])].join('\n'));
  await must(['import', 'labels', dir, file, '--name', 'seen', '--kind', 'objects']);
  const groups = (await get('valid?set=old&labels=seen')).items.filter((row) => row.threshold === 1 && row.labels === 2);
  assert.deepEqual(groups.map((row) => row.images), ['all', 'single', 'multi'].map((_, i) => asked.filter((one) => valid(one, 10, 'label') === 2 && (i === 0 || one.idx % 2 === i - 1)).length));
  assert.match(await lead.page('/measures/valid?set=fresh/2&class=' + wnid(3)), /Threshold/);
}

test('what is refused, and what is sealed', async (t) => {
  const dir = await newProject(t);
  await addMeasuresWorld(t, dir, { models: false });
  const hidden = SETS.old.slice(0, 9);
  await must(['import', 'set', dir, 'closed', put(t, 'closed.csv', ['image,wnid', ...hidden.map((one) => `${one.image},${one.wnid}`)].join('\n')), '--sealed']);
  const rows = table(await must(['said', dir, '--set', 'old']));
  assert.deepEqual([rows[''].images, Object.keys(rows)], ['117', ['']]);
  await fails(['said', dir, '--set', 'closed'], /closed\/0 is sealed/);
  await fails(['said', dir, '--set', 'none'], /none/);
  await fails(['said', dir, '--set', 'old', '--model', 'nobody'], /nobody/);
  await fails(['said', dir], /give --set/, { code: 2 });
  await fails(['said', dir, '--set', 'old', '--resamples', '0'], /--resamples/, { code: 2 });
});
