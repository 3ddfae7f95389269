/* The demo: the same seed twice, what is written beside the images, the people it simulates, how they
 * go on over HTTP while it is served, and what it says when it cannot be made. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Client, holdout, logLines, must, root, startServer, tempDir } from '../http/lib.mjs';
import { runNotebook } from '../http/notebook.mjs';
import { sqlite } from '../load/tools.mjs';
import { numbersAgain } from './demo_numbers.mjs';
import { objectsAgain } from './demo_objects.mjs';

const CAMPAIGNS = ['pilot', 'pictures'];
const demo = (dir, ...options) => ['demo', dir, '--size', 'tiny', '--quiet', ...options];
const query = (dir, sql) => sqlite(path.join(dir, 'holdout.db'), sql);
const read = (dir, name) => fs.readFileSync(path.join(dir, 'demo-images', name), 'utf8');

/* Names and contents of everything that was drawn or listed. */
function drawn(dir) {
  const base = path.join(dir, 'demo-images');
  return fs.readdirSync(base, { recursive: true }).sort().filter((name) => /\.[a-z]+$/.test(name))
    .map((name) => [name, createHash('sha256').update(fs.readFileSync(path.join(base, name))).digest('hex')]);
}

/* Who selected what in which grid, without the times, which go by the day the demo is made. */
async function votes(dir) {
  const all = [];
  for (const campaign of CAMPAIGNS) {
    const csv = await must(['export', 'votes', dir, '--campaign', campaign, '--panel-ids']);
    const [head, ...rows] = csv.trim().split('\n').map((line) => line.split(','));
    const columns = ['hit', 'worker', 'status', 'duration_s', 'mask_hex'].map((name) => head.indexOf(name));
    assert.ok(columns.every((i) => i >= 0), head.join());
    all.push(...rows.map((row) => [campaign, ...columns.map((i) => row[i])].join()));
  }
  return all;
}

function lists(dir) {
  const truth = read(dir, 'truth.jsonl').trim().split('\n').map((line) => JSON.parse(line));
  const names = new Map(truth.map((t) => [t.image, t]));
  assert.equal(names.size, truth.length, 'every image has one line');
  assert.equal(truth.length, drawn(dir).filter(([name]) => name.endsWith('.jpg')).length);
  for (const t of truth) {
    for (const o of t.objects) {
      const [left, top, width, height] = o.box;
      assert.ok(o.visibility >= 0 && o.visibility <= 1, t.image);
      assert.ok(left >= 0 && top >= 0 && left + width <= 360 && top + height <= 270, t.image);
      assert.match(o.class, /^n\d{8}$/);
    }
  }
  const photos = truth.filter((t) => t.set === 'candidate');
  const shows = (t) => t.objects.some((o) => o.class === t.class);
  assert.ok(photos.some((t) => !shows(t)) && photos.some((t) => t.drawing && shows(t)));
  assert.ok(truth.filter((t) => t.set === 'gold').every((t) => shows(t) && !t.drawing));
  const several = truth.filter((t) => new Set(t.objects.map((o) => o.class)).size > 1).length;
  assert.ok(several > truth.length * 0.3, `${several} of ${truth.length} images show several classes`);

  const twins = read(dir, 'near-duplicates.csv').trim().split('\n').slice(1).map((line) => line.split(','));
  assert.ok(twins.length > 0);
  for (const [image, of, change] of twins) {
    assert.equal(names.get(image).near_duplicate_of, of);
    assert.equal(names.get(image).change, change);
    assert.equal(names.get(image).class, names.get(of).class);
  }
}

async function people(dir) {
  assert.equal(await query(dir, "SELECT group_concat(DISTINCT kind) FROM person WHERE id NOT IN (SELECT person FROM account);"),
    'simulated\n');
  const csv = (await must(['export', 'workers', dir, '--panel-ids'])).trim().split('\n').map((line) => line.split(','));
  const [head, ...rows] = csv;
  const right = (row) => Number(row[head.indexOf('neg_correct')]) / Number(row[head.indexOf('neg_total')]);
  const all = rows.map(right).sort((a, b) => a - b);
  assert.ok(all.length >= 10);
  const spammer = rows.find((row) => row[0] === 'sim-005');
  assert.equal(right(spammer), 0, 'selects everything');
  assert.ok(all[all.length >> 1] > 0.7, `the median is right about ${all[all.length >> 1]} of the negative controls`);
  assert.deepEqual((await query(dir, "SELECT name, state FROM campaign ORDER BY id;")).trim().split('\n'),
    ['pilot|closed', 'objects|closed', 'pictures|open']);
  /* Written in the order of time, but for what the lead decided at the end. */
  assert.equal(await query(dir, `SELECT count(*) FROM event a JOIN event b ON b.id = a.id + 1
    WHERE b.at < a.at AND a.kind = 'answer' AND b.kind = 'answer';`), '0\n');
  assert.equal(await query(dir, 'SELECT count(*) FROM answer WHERE at > unixepoch() * 1000;'), '0\n');
}

/* The models' files and what they score. */
async function models(dir) {
  const base = path.join(dir, 'models');
  const files = fs.readdirSync(base).sort().map((name) => [name, fs.readFileSync(path.join(base, name)).toString('base64')]);
  return [files, await must(['score', dir, '--original', 'originals', '--new', 'pilot-best', '--top', '1'])];
}

/* Every model on both sets; the new one is frozen, says how it was chosen, and has the best of the pilot. */
async function baselines(dir) {
  const [head, ...rows] = (await models(dir))[1].trim().split('\n').map((line) => line.split(','));
  const column = (name) => rows.map((row) => row[head.indexOf(name)]);
  assert.deepEqual(column('model').sort(), ['random_features_2', 'random_features_32', 'random_features_8']);
  assert.deepEqual([...new Set(column('orig_n'))], ['36']);
  const sets = await must(['set', 'list', dir]);
  assert.match(sets, /^originals,0,original,36,import,frozen,/m);
  const images = Number(/^pilot-best,0,new,(\d+),top,frozen,/m.exec(sets)[1]);
  assert.deepEqual([...new Set(column('new_n'))], [String(images)]);
  const { campaign, frequency_at_least: least, most_of_a_class: most } = JSON.parse(
    await query(dir, "SELECT parameters FROM revision JOIN image_set s ON s.id = image_set WHERE s.name = 'pilot-best';"));
  assert.deepEqual([campaign, least, most], ['pilot', 0.7, 10]);
  const rowsOf = async (sql) => (await query(dir, sql)).trim().split('\n').map((line) => line.split('|').map(Number));
  const members = new Map(await rowsOf(`SELECT image, class FROM set_list_image i JOIN revision r ON r.list = i.list
    JOIN image_set s ON s.id = image_set WHERE s.name = 'pilot-best';`));
  const shown = await rowsOf(`SELECT c.image, g.class, avg(mask >> position & 1) FROM answer a
    JOIN assignment t ON t.id = a.assignment JOIN grid g ON g.id = t.grid JOIN campaign k ON k.id = g.campaign
    JOIN grid_cell c ON c.grid = g.id WHERE k.name = 'pilot' AND role = 0 AND NOT surplus GROUP BY 1;`);
  assert.equal(members.size, images);
  for (const id of new Set(shown.map(([, classId]) => classId))) {
    const good = shown.filter(([, classId, frequency]) => classId === id && frequency >= least);
    const chosen = shown.filter(([image]) => members.get(image) === id);
    assert.equal(chosen.length, Math.min(most, good.length));
    assert.ok(chosen.every(([, classId, frequency]) => classId === id && frequency >= least));
  }
}

/* What experts say in the label review, without the times. */
const verdicts = (dir) => query(dir, `SELECT k.part, k.position, k.account, k.problematic, c.wnid, v.verdict FROM label_look k
  JOIN label_look_verdict v ON v.look = k.id JOIN class c ON c.id = v.class ORDER BY k.id, c.id;`);

/* Two experts, both kinds of disputes, repeats; labels that are not what was collected are wrong for most who looked. */
async function planted(dir) {
  const parts = (await query(dir, 'SELECT part, count(*) FROM label_look GROUP BY 1;')).trim().split('\n').map((row) => row.split('|'));
  assert.deepEqual(parts.map(([part]) => part), ['adjudication', 'repeat', 'review']);
  const [, figures] = (await must(['label-review', 'agreement', dir, 'doubtful-labels'])).trim().split('\n');
  const alpha = Number(figures.split(',')[4]);
  assert.ok(alpha > 0.4 && alpha < 1, figures);
  const rows = async (more) => Number(await query(dir, `SELECT count(*) FROM label_look k JOIN label_look_verdict v ON v.look = k.id JOIN label_review_label l
    ON l.review = k.review AND l.position = k.position AND l.class = v.class AND l.origins & 1 JOIN label_review_image r ON r.review = k.review
    AND r.position = k.position JOIN image i ON i.id = r.image WHERE i.class <> l.class AND k.part = 'review' ${more};`));
  const [wrong, all] = [await rows("AND v.verdict = 'wrong'"), await rows('')];
  assert.ok(all >= 2 && wrong > all / 2, `${wrong} of ${all}`);
}

async function leastAgreement(server, dir) {
  const [login, password] = fs.readFileSync(path.join(dir, 'demo-login.txt'), 'utf8').split('\n');
  const lead = await new Client(server.url).login(login, password);
  const html = await lead.page('/workers?sort=relative');
  const spammers = (await query(dir, `SELECT pseudonym FROM person JOIN identity ON person = id
    WHERE external_id IN ('sim-005', 'sim-010');`)).trim().split('\n');
  const [first] = /(?<=\/workers\/)p[0-9a-z]+/.exec(html);
  assert.ok(spammers.includes(first), `a spammer agrees least with the others, not ${first}`);
}

/* The page of objects and its files: the chart has the numbers of the JSON, the files all pairs. */
async function objectsFiles(server, dir) {
  const [login, password] = fs.readFileSync(path.join(dir, 'demo-login.txt'), 'utf8').split('\n');
  const lead = await new Client(server.url).login(login, password);
  const { summary, ...pairs } = (await lead.json('GET', '/api/v1/objects')).body;
  const { columns, rows } = (await lead.json('GET', '/charts/objects-numbers/json')).body;
  for (const [column, images] of [['Objects', summary.by_objects], ['Labels that anybody ticked', summary.by_selected_labels]]) {
    const want = new Map(images.map((one) => [one.n, one.images / summary.images]));
    assert.deepEqual(rows.map((row) => row[columns.indexOf(column)]), rows.map((row, n) => want.get(n) ?? 0), column);
  }
  const html = await lead.page('/objects');
  for (const name of ['cooccurring', 'confused']) {
    const at = `/api/v1/objects/${name}.csv`;
    assert.ok(html.includes(`href="${at}"`), at);
    const [, ...lines] = (await (await lead.get(at)).text()).trim().split('\n').map((line) => line.split(','));
    assert.ok(lines.length > 5 && lines.length === pairs[name].length, at);
    assert.deepEqual(lines[0].slice(0, 2), [pairs[name][0].class_a, pairs[name][0].class_b]);
  }
}

/* `holdout demo --serve`, as lib.mjs starts `holdout serve`. */
const serve = (t, dir, ...options) => startServer(t, dir, { command: ['demo', dir, '--serve', '--quiet', ...options] });

test('a demo', { timeout: 600000 }, async (t) => {
  const base = tempDir(t);
  const [one, two] = ['one', 'two'].map((name) => path.join(base, name));
  await Promise.all([must(demo(one, '--seed', '7')), must(demo(two, '--seed', '7'))]);

  await t.test('the same seed draws the same images and the same votes', async () => {
    assert.deepEqual(drawn(one), drawn(two));
    assert.deepEqual(await votes(one), await votes(two));
  });
  await t.test('the same seed makes the same baselines, sets and scores', async () => {
    assert.deepEqual(await models(one), await models(two));
    await baselines(one);
  });
  await t.test('experts say the same of labels, disagree, and find errors that were planted', async () => {
    assert.deepEqual(await verdicts(one), await verdicts(two));
    await planted(one);
  });
  await t.test('the truth beside the images', () => lists(one));
  await t.test('simulated people are marked and differ in skill', () => people(one));
  await t.test('check finds nothing', () => must(['check', one]));
  await t.test('its main numbers follow from its exports', (tt) => numbersAgain(tt, one));

  await t.test('objects that people see are those of its truth', (tt) => objectsAgain(tt, one, tempDir(tt)));

  await t.test('while it is served they go on over HTTP', async (tt) => {
    const count = async () => Number(await query(one, 'SELECT count(*) FROM answer;'));
    const before = await count();
    const server = await serve(tt, one, '--pace', '1000');
    while (await count() < before + 5); /* each look starts a program: that is wait enough */
    await server.stop();
    const now = await count();
    const lines = logLines(server);
    const answers = lines.filter((l) => l.route === '/api/v1/assignments/:assignment/answer');
    assert.equal(answers.length, now - before, 'every one came over HTTP');
    assert.ok(answers.every((l) => l.status === 200), JSON.stringify(answers.find((l) => l.status !== 200)));
    assert.deepEqual(lines.filter((l) => l.msg === 'simulated visitors'), [], 'nothing went wrong for them');
    assert.equal(await query(one, "SELECT count(*) FROM person WHERE kind = 'worker';"), '0\n');
    await must(['check', one]);
  });

  await t.test('without visitors nobody comes, and nothing is loaded for drawing', async (tt) => {
    const server = await serve(tt, two, '--no-visitors');
    const status = fs.readdirSync(`/proc/${server.child.pid}/task`)
      .map((task) => fs.readFileSync(`/proc/${server.child.pid}/task/${task}/comm`, 'utf8').trim());
    assert.ok(!status.includes('visitors'), status.join());
    assert.doesNotMatch(fs.readFileSync(`/proc/${server.child.pid}/maps`, 'utf8'), /freetype|libcurl/);
    await leastAgreement(server, two);
    await objectsFiles(server, two);
    assert.match(await runNotebook(two, server), /^average selection frequency of originals\/0: 0\.\d+, as the server says$/m);
    await server.stop();
  });

  await t.test('it never runs out: a fresh campaign comes by itself, with people of its own', async (tt) => {
    const done = (name) => query(two, `SELECT count(*) FROM answer w JOIN assignment a ON a.id = w.assignment
      JOIN grid g ON g.id = a.grid JOIN campaign k ON k.id = g.campaign WHERE k.name GLOB '${name}';`).then(Number);
    let server = await serve(tt, two, '--pace', '2000');
    while (await done('pictures-*') < 5);
    await server.stop();
    assert.equal(await done('pictures'), 60, 'the first one is complete');
    const lines = logLines(server);
    assert.equal(lines.filter((l) => l.msg === 'the demo continues in a fresh campaign')[0].campaign, 'pictures-2');
    assert.deepEqual(lines.filter((l) => l.msg === 'simulated visitors'), [], 'nothing went wrong for them');
    assert.equal(await query(two, "SELECT count(*) FROM person WHERE kind = 'worker';"), '0\n');
    /* The next start goes on there, and says so. */
    const before = await done('pictures-*');
    server = await serve(tt, two, '--pace', '2000');
    while (await done('pictures-*') <= before);
    await server.stop();
    assert.equal((await holdout(['demo', two, '--another', '2', '--quiet'])).code, 1, 'there is that part');
    await must(['check', two]);
  });

  await t.test('made once: a second call leaves it alone', async () => {
    const before = await query(two, 'SELECT max(id) FROM event;');
    await must(demo(two, '--seed', '9'));
    assert.equal(await query(two, 'SELECT max(id) FROM event;'), before);
  });
});

test('a demo that cannot be made says why', async (t) => {
  const base = tempDir(t);
  const dir = path.join(base, 'demo');
  const refused = async (message, ...args) => {
    const r = await holdout(args);
    assert.notEqual(r.code, 0);
    assert.match(r.err, message);
    return r.code;
  };
  await refused(/apt-get install fonts-noto-color-emoji/, ...demo(dir, '--font', path.join(base, 'none.ttf')));
  assert.equal(fs.existsSync(path.join(dir, 'holdout.db')), false, 'the next try starts anew');
  await refused(/not a font with colour pictures/, ...demo(dir, '--font', path.join(root, 'VERSION')));
  assert.equal(await refused(/--size must be/, 'demo', dir, '--size', 'huge'), 2);
  assert.equal(await refused(/--pace/, 'demo', dir, '--pace', '0'), 2);

  fs.mkdirSync(dir, { recursive: true });
  fs.writeFileSync(path.join(dir, 'holdout.db'), '');
  await refused(/did not finish or did not make/, ...demo(dir));
  fs.writeFileSync(path.join(dir, 'demo-ready'), '');
  await refused(/from an earlier version/, ...demo(dir));
});
