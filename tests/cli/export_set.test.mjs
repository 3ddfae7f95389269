/* `holdout export set` and reading its folder back with `import set`: what is in the folder, what is withheld, what is
 * refused, what is left when it is killed or the disk is full. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';

import { Client, PASSWORD, faultBin, holdout, must, newProject, startServer, tempDir, wholeFile } from '../http/lib.mjs';
import { WIDE, answer, lease, newStudy, newToken, png } from '../http/study.mjs';
import { FaultFile } from '../load/tools.mjs';
import { copyOf, fails, put, sql } from './tools.mjs';

const whole = wholeFile();
/* Names that no file may have as they are, two that differ by capitals alone, one that says what it is. */
const ODD = ['../up', 'a/b', 'A/B', 'Case', 'case', 'photo.PNG', '.hidden', 'a "quoted", name', 'ü'.repeat(120)];
const SET = [...ODD, 'n00000001-candidate-0', 'n00000001-candidate-1', 'n00000002-candidate-3', 'known-by-name'];
const wnidOf = (name) => (name.startsWith('n00000002') ? 'n00000002' : 'n00000001');
let study; /* a study with answers, and the frozen set "odd" of the names above; copied by who changes it */
let reference; /* the file of the image "referenced" */

const cell = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
function csv(text) {
  const rows = [];
  let row = [''], quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted && c === '"' && text[i + 1] === '"') row[row.length - 1] += text[i++];
    else if (c === '"') quoted = !quoted;
    else if (!quoted && c === ',') row.push('');
    else if (!quoted && c === '\n') { rows.push(row); row = ['']; } else row[row.length - 1] += c;
  }
  const header = rows.shift();
  return rows.map((r) => Object.fromEntries(header.map((h, i) => [h, r[i]])));
}
const read = (...names) => fs.readFileSync(path.join(...names), 'utf8');
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const folderOf = (dir, target, ...more) => ['export', 'set', dir, 'odd', '--format', 'folder', '--output', target, ...more];
/* Exports into a new folder; its path. */
async function exported(t, dir, ...more) {
  const target = path.join(tempDir(t), 'out');
  await must(folderOf(dir, target, ...more));
  return target;
}
const files = (folder) => fs.readdirSync(folder, { recursive: true }).map(String)
  .filter((f) => fs.statSync(path.join(folder, f)).isFile()).sort();
/* An empty project with the classes and images of an exported folder. */
async function emptyWith(t, folder) {
  const dir = await newProject(t);
  await must(['import', 'classes', dir, path.join(folder, 'classes.csv')]);
  await must(['import', 'images', dir, path.join(folder, 'images.csv')]);
  return dir;
}
const revisions = (dir) => sql(dir, `SELECT s.name, s.role, r.number, r.strategy, r.parameters, hex(l.digest), l.images,
  (SELECT group_concat(t.state || ':' || t.reason, '|') FROM revision_state t WHERE t.revision = r.id) FROM revision r
  JOIN image_set s ON s.id = r.image_set JOIN set_list l ON l.id = r.list WHERE s.name = 'odd' ORDER BY r.id;`);

before(async () => {
  study = await newStudy(whole);
  const base = tempDir(whole);
  const row = (name, i) => ({ id: name, path: `${i}.png`, class: wnidOf(name), taken_at: '2019-05-04', source_id: `photo-${i}`,
    link: `https://photos.example/${i}`, author: `author ${i % 3}, "x"`, licence: ['CC BY 2.0', 'CC0 1.0'][i % 2] });
  ODD.forEach((name, i) => fs.writeFileSync(path.join(base, `${i}.png`), png(name)));
  const manifest = path.join(base, 'odd.jsonl');
  fs.writeFileSync(manifest, ODD.map((name, i) => `${JSON.stringify(row(name, i))}\n`).join(''));
  await must(['import', 'images', study, manifest]);
  reference = path.join(base, 'referenced.png');
  fs.writeFileSync(reference, png('referenced'));
  const other = path.join(base, 'other.jsonl');
  fs.writeFileSync(other, `${JSON.stringify({ id: 'referenced', path: 'referenced.png', class: 'n00000002' })}\n`);
  await must(['import', 'images', study, other, '--keep', 'reference']);
  const list = path.join(base, 'list.csv');
  fs.writeFileSync(list, ['image,wnid', ...SET.map((name) => `${cell(name)},${wnidOf(name)}`)].join('\n'));
  await must(['import', 'set', study, 'odd', list]);
  const server = await startServer(whole, study, { env: WIDE });
  const client = new Client(server.url);
  for (const [person, selected] of [['ann', [...Array(22).keys()]], ['bob', [0, 2, 4, 6, 8]], ['cas', []]]) {
    const { assignment } = await lease(client, person, 22);
    assert.equal((await answer(client, assignment, { selected, client_id: `answer-${person}` })).status, 200);
  }
  await server.stop();
});

test('a list', async (t) => {
  const lines = `image,wnid\n${SET.map((name) => `${cell(name)},${wnidOf(name)}\n`).join('')}`;
  assert.equal(await must(['export', 'set', study, 'odd/0', '--format', 'list']), lines);
  assert.equal(await must(['export', 'set', study, 'odd']), lines);
  const file = path.join(tempDir(t), 'list.csv');
  await must(['export', 'set', study, 'odd', '--output', file]);
  assert.equal(fs.readFileSync(file, 'utf8'), lines);
  await fails(['export', 'set', study, 'odd', '--output', file], /already exists/);
  await fails(['export', 'set', study, 'none'], /no image set none. Choose one of: odd/);
  await fails(['export', 'set', study, 'odd/7'], /no revision odd\/7/);
  for (const [message, ...args] of [
    [/--format must be/, '--format', 'zip'], [/only one of --link/, '--format', 'folder', '--link', '--reflink'],
    [/need --format folder/, '--link'], [/need --format folder/, '--format', 'list', '--pool'],
    [/name of a folder/, '--format', 'folder', '--output', '']]) {
    await fails(['export', 'set', study, 'odd', ...args], message, { code: 2 });
  }
});

test('a folder that others can use', async (t) => {
  const out = await exported(t, study, '--pool');
  assert.deepEqual(fs.readdirSync(path.dirname(out)), ['out']);
  const manifest = JSON.parse(read(out, 'manifest.json'));
  const rows = csv(read(out, 'manifest.csv'));
  const counts = await must(['export', 'frequencies', study]);
  const votes = new Map(csv(counts).map((r) => [`${r.image},${r.wnid}`, r]));

  assert.equal(manifest.digest, sha256(SET.map((name) => `${name},${wnidOf(name)}`).map((l) => Buffer.from(l))
    .sort(Buffer.compare).map(String).join('\n')));
  assert.deepEqual([manifest.set, manifest.revision, manifest.role, manifest.state, manifest.unsealed_early, manifest.strategy],
    ['odd', 0, 'new', 'frozen', false, 'import']);
  assert.deepEqual(manifest.states.map((s) => [s.state, s.reason]), [['frozen', 'A published list was imported, which is final.']]);
  assert.match(manifest.tool.version, /^\d+\.\d+/);
  assert.deepEqual([manifest.images, manifest.files, manifest.without_pixels, manifest.withheld], [13, 12, 1, 0]);

  assert.deepEqual(rows.map((r) => [r.row, r.image, r.wnid, r.label]),
    SET.map((name, i) => [String(i), name, wnidOf(name), String(Number(wnidOf(name).at(-1)) - 1)]));
  for (const r of rows) {
    if (r.image === 'known-by-name') {
      assert.deepEqual([r.pixels, r.path, r.sha256, r.bytes, r.width], ['none', '', '', '', '']);
    } else {
      const bytes = fs.readFileSync(path.join(out, r.path));
      assert.ok(bytes.equals(png(r.image)), r.image);
      assert.deepEqual([r.pixels, r.sha256, r.bytes, r.width, r.height], ['file', sha256(bytes), String(bytes.length), '24', '16']);
      assert.match(r.path, /^images\/n0000000[12]\/[^/.\\:*?"<>|\s][^/\\:*?"<>|\s]*\.png$/i);
    }
  }
  const paths = rows.map((r) => r.path).filter(Boolean);
  assert.equal(new Set(paths.map((p) => p.toLowerCase())).size, 12, 'names differ where capitals do not count');
  assert.ok(paths.includes('images/n00000001/Case.png') && paths.includes('images/n00000001/photo.PNG'));
  const quoted = rows[ODD.indexOf('a "quoted", name')];
  assert.deepEqual([quoted.author, quoted.licence, quoted.link, quoted.source_id, quoted.taken_at, quoted.role],
    ['author 1, "x"', 'CC0 1.0', 'https://photos.example/7', 'photo-7', '2019-05-04', 'candidate']);
  assert.deepEqual(manifest.licences.map((l) => [l.licence, l.images]).sort(), [['', 4], ['CC BY 2.0', 5], ['CC0 1.0', 4]]);

  let shown = 0, selected = 0, measured = 0, sum = 0;
  for (const f of csv(read(out, 'frequencies.csv'))) {
    const v = votes.get(`${f.image},${f.wnid}`) ?? { n_assignments: '0', n_selected: '0' };
    assert.deepEqual([f.n_assignments, f.n_selected], [v.n_assignments, v.n_selected], f.image);
    const n = Number(f.n_assignments), k = Number(f.n_selected);
    assert.equal(f.frequency, n ? (k / n).toFixed(6) : '');
    assert.ok(n ? Number(f.lo) <= k / n && k / n <= Number(f.hi) && Number(f.hi) - Number(f.lo) > 0.5 : f.lo === '', f.image);
    shown += n; selected += k; measured += n > 0; sum += n ? k / n : 0;
  }
  assert.ok(measured >= 2 && selected > 0, 'some images of the set have answers');
  assert.deepEqual([manifest.votes.view, manifest.votes.images_with_answers, manifest.votes.n_assignments, manifest.votes.n_selected],
    ['default', measured, shown, selected]);
  assert.ok(Math.abs(manifest.votes.average_frequency - sum / measured) < 1e-9);
  assert.equal(manifest.votes.interval.method, 'delete-a-group jackknife over workers');
  assert.ok(manifest.votes.interval.lo <= selected / shown && selected / shown <= manifest.votes.interval.hi);

  /* Who was asked, under which terms; the list was imported and nobody reviewed it. */
  const [campaign] = manifest.campaigns;
  assert.equal(manifest.campaigns.length, 1);
  const given = Number(await sql(study, 'SELECT count(*) FROM answer;'));
  const [terms] = JSON.parse((await sql(study, `SELECT json_array(json_object('rule', rule_text, 'pay', pay_cents, 'n', answers_per_grid,
    'population', population, 'layout', layout, 'minutes', expected_minutes, 'version', instruction_version)) FROM campaign;`)).trim());
  assert.deepEqual([campaign.name, campaign.kind, campaign.use, campaign.source, campaign.population], ['main', 'main', 'frequencies', 'people', terms.population]);
  assert.deepEqual([campaign.answers_per_grid, campaign.pay.cents, campaign.expected_minutes, campaign.layout, campaign.rule_text, campaign.instruction_version],
    [terms.n, terms.pay, terms.minutes, terms.layout, terms.rule, terms.version]);
  assert.deepEqual([campaign.answers, campaign.people], [{ given, surplus: 0, out: 0 }, { all: 3, simulated: 0, imported: 0 }]);
  assert.deepEqual(campaign.consents.map((c) => [c.version, c.sha256, c.places]), [['0', null, 3]], "the program's own text");
  assert.ok(campaign.first_answer_at <= campaign.last_answer_at && campaign.last_answer_at <= manifest.exported_at);
  assert.equal(campaign.closed_at, null);
  assert.deepEqual(manifest.review, { classes: 2, reviewed: 0, frequencies_shown: 0, imported: 0 });

  const pool = csv(read(out, 'pool.csv'));
  assert.deepEqual(pool.map((r) => r.image), (await sql(study, "SELECT name FROM image WHERE role = 'candidate' ORDER BY id;")).trim().split('\n'));
  assert.deepEqual(pool.filter((r) => r.in_set === '1').map((r) => r.image).sort(), [...SET].sort());
  for (const r of pool) {
    const v = votes.get(`${r.image},${r.wnid}`) ?? { n_assignments: '0', n_selected: '0' };
    assert.deepEqual([r.n_assignments, r.n_selected], [v.n_assignments, v.n_selected], r.image);
  }

  const metadata = read(out, 'metadata.jsonl').trim().split('\n').map((l) => JSON.parse(l));
  assert.deepEqual(metadata.map((m) => m.file_name), paths);
  assert.deepEqual(metadata.map((m) => m.image_id), SET.slice(0, 12));
  assert.ok(!metadata.some((m) => 'image' in m), 'their column of pixels is called so');
  const sums = spawnSync('sha256sum', ['-c', '--strict', '--quiet', 'SHA256SUMS'], { cwd: out, encoding: 'utf8' });
  assert.equal(sums.status, 0, sums.stdout + sums.stderr);
  assert.deepEqual(read(out, 'SHA256SUMS').trim().split('\n').map((l) => l.slice(66)).sort(), files(out).filter((f) => f !== 'SHA256SUMS'));
  const readme = read(out, 'README.md');
  for (const text of ['# odd, revision 0', manifest.digest, '## State: frozen', '12 of them as files', '| CC BY 2.0 | 5 |',
    '| not recorded | 4 |', 'holdout import set DIR odd .', '## Who was asked', `- **main** (main): ${given} answers of 3 people, from 20`,
    '0 of 2 classes were reviewed.']) assert.ok(readme.includes(text), text);
});

test('copies, and hard links where they are asked for', async (t) => {
  const dir = copyOf(t, study);
  const copies = await exported(t, dir), base = path.dirname(dir);
  await must(folderOf(dir, path.join(base, 'linked'), '--link'));
  const rows = csv(read(copies, 'manifest.csv')).filter((r) => r.path);
  for (const r of rows) {
    const own = fs.statSync(path.join(dir, 'images', r.sha256.slice(0, 2), `${r.sha256}.source`)).ino;
    assert.notEqual(fs.statSync(path.join(copies, r.path)).ino, own);
    assert.equal(fs.statSync(path.join(base, 'linked', r.path)).ino, own);
  }
  assert.equal(read(copies, 'manifest.csv'), read(base, 'linked', 'manifest.csv'));
});

test('a folder is read back equal', async (t) => {
  const dir = copyOf(t, study);
  const list = put(t, 'sealed.csv', `image,wnid\n${SET.slice(0, 5).map((name) => `${cell(name)},${wnidOf(name)}`).join('\n')}`);
  await must(['import', 'set', dir, 'odd', list, '--sealed']);
  await must(['set', 'unseal', dir, 'odd', '--reason', 'a look before the end']);
  await must(['set', 'freeze', dir, 'odd', '--reason', 'the *end* | <b>']);
  await must(['set', 'release', dir, 'odd', '--reason', 'out']);
  await fails(['set', 'freeze', dir, 'odd', '--reason', 'again'], /is already released/);
  const out = await exported(t, dir), manifest = JSON.parse(read(out, 'manifest.json'));
  assert.deepEqual([manifest.revision, manifest.unsealed_early, manifest.states.map((s) => s.state)], [1, true, ['unsealed', 'frozen', 'released']]);
  assert.match(read(out, 'README.md'), /unsealed: a look before the end \(models could be scored on it before it was final\)/);
  assert.match(read(out, 'README.md'), /frozen: the \\\*end\\\* \\\| \\<b\\>/);

  const back = await emptyWith(t, out);
  assert.match((await holdout(['import', 'set', back, 'odd', out, '--dry-run'])).err, /5 images read, 0 are new .*dry run/);
  await must(['import', 'set', back, 'odd', out]);
  const [, second] = (await revisions(dir)).trim().split('\n');
  assert.equal((await revisions(back)).trim(), second.replace('odd|new|1|', 'odd|new|0|'));
  const was = await sql(back, '.dump');
  assert.match((await holdout(['import', 'set', back, 'odd', path.join(out, 'manifest.json')])).err, /0 new revisions, released/);
  assert.equal(await sql(back, '.dump'), was, 'importing twice changes nothing');
  const again = await exported(t, back);
  for (const name of ['manifest.csv', 'images.csv', 'classes.csv']) assert.equal(read(again, name), read(out, name), name);
  assert.deepEqual(files(path.join(again, 'images')), files(path.join(out, 'images')));

  const names = await newProject(t); /* without `import images`: by name alone */
  await must(['import', 'classes', names, path.join(out, 'classes.csv')]);
  await must(['import', 'set', names, 'other', out, '--sealed']);
  assert.match(await must(['set', 'list', names]), new RegExp(`other,0,new,5,import,sealed,.*${manifest.digest}`));
});

test('a manifest that was changed is refused, and nothing is written', async (t) => {
  const out = await exported(t, study);
  const dir = await emptyWith(t, out);
  const was = await sql(dir, '.dump');
  const text = read(out, 'manifest.json'), list = read(out, 'manifest.csv');
  const change = (f) => { const m = JSON.parse(text); f(m); return JSON.stringify(m); };
  for (const [message, json] of [
    [/not the manifest of an exported set/, change((m) => { m.format = 'x'; })],
    [/another version of holdout/, change((m) => { m.format_version = 2; })],
    [/"role" must be/, change((m) => { m.role = 'gold'; })],
    [/"strategy" must be a word/, change((m) => { m.strategy = '../x'; })],
    [/"digest" must be 64 hex/, change((m) => { m.digest = 'ff'; })],
    [/does not match the digest in the manifest.json/, change((m) => { m.digest = m.digest.replace(/^./, (c) => (c === '0' ? '1' : '0')); })],
    [/does not match the digest/, change((m) => { m.images = 12; })],
    [/"parameters" must be an object/, change((m) => { m.parameters = []; })],
    [/"parameters" has more than/, change((m) => { m.parameters = { x: 'y'.repeat(70000) }; })],
    [/"states" must lead from/, change((m) => { m.states.push({ ...m.states[0] }); })],
    [/"states" must lead from/, change((m) => { m.states = [{ state: 'frozen', reason: '' }]; })],
    [/"states" must be a list/, change((m) => { delete m.states; })],
    [/manifest.json:1: /, '{'], [/manifest.json:1: /, '{"format": 1, "format": 2}'],
  ]) {
    fs.writeFileSync(path.join(out, 'manifest.json'), json);
    await fails(['import', 'set', dir, 'odd', out], message);
  }
  fs.writeFileSync(path.join(out, 'manifest.json'), text);
  const other = csv(list).find((r) => r.pixels === 'file');
  fs.writeFileSync(path.join(out, 'manifest.csv'), list.replace(other.sha256, 'ab'.repeat(32)));
  await fails(['import', 'set', dir, 'odd', out], /1 images have different bytes in this project from those that .*manifest\.csv names; the first is \.\.\/up\./);
  fs.writeFileSync(path.join(out, 'manifest.csv'), `${list.split('\n').slice(0, -2).join('\n')}\n`);
  await fails(['import', 'set', dir, 'odd', out], /does not match the digest/);
  fs.rmSync(path.join(out, 'manifest.csv'));
  await fails(['import', 'set', dir, 'odd', out], /manifest.csv: no such file/);
  await fails(['import', 'set', dir, 'odd', path.dirname(out)], /has no manifest.json/);
  assert.equal(await sql(dir, '.dump'), was);
});

test('what was taken down leaves a tombstone, wherever the set goes', async (t) => {
  const dir = copyOf(t, study);
  const server = await startServer(t, dir, { env: WIDE });
  const lead = await new Client(server.url).login('lead');
  const id = async (name) => (await sql(dir, `SELECT id FROM image WHERE name = '${name}';`)).trim();
  const decide = async (name, decision, reason) =>
    assert.equal((await lead.post(`/flags/${await id(name)}`, { decision, reason })).status, 303);
  await decide('Case', 'takedown', 'asked by the author, "now"');
  await decide('photo.PNG', 'quarantine', 'being looked at');
  await decide('n00000002-candidate-9', 'takedown', 'never in the set');
  await server.stop();

  const whole13 = JSON.parse(read(await exported(t, study), 'manifest.json'));
  const out = await exported(t, dir, '--pool'), manifest = JSON.parse(read(out, 'manifest.json'));
  assert.deepEqual([manifest.digest, manifest.images, manifest.files, manifest.withheld], [whole13.digest, 13, 10, 2]);
  assert.deepEqual(csv(read(out, 'tombstones.csv')).map((r) => [r.row, r.image, r.state, r.reason, r.decided_at.slice(0, 2)]), [
    ['3', 'Case', 'takedown', 'asked by the author, "now"', '20'], ['5', 'photo.PNG', 'quarantine', 'being looked at', '20']]);
  const withheld = csv(read(out, 'manifest.csv')).filter((r) => r.pixels === 'withheld');
  assert.deepEqual(withheld.map((r) => [r.image, r.path, r.sha256, r.link, r.author, r.source_id]),
    ['Case', 'photo.PNG'].map((name) => [name, '', '', '', '', '']));
  const gone = csv(read(out, 'pool.csv')).filter((r) => r.withheld === '1');
  assert.deepEqual(gone.map((r) => [r.image, r.link, r.author]).sort(), ['Case', 'n00000002-candidate-9', 'photo.PNG'].map((n) => [n, '', '']));
  const hashes = [png('Case'), png('photo.PNG')].map(sha256);
  for (const f of files(out)) {
    const bytes = fs.readFileSync(path.join(out, f));
    assert.ok(!hashes.includes(sha256(bytes)) && !hashes.some((h) => bytes.includes(h)), f);
  }
  assert.match(read(out, 'README.md'), /2 withheld \(tombstones\.csv\)/);

  const back = await emptyWith(t, out);
  const r = await holdout(['import', 'set', back, 'odd', out]);
  assert.equal(r.code, 0, r.err);
  assert.match(r.err, /1 images were taken down where the set comes from/);
  assert.equal(await revisions(back), await revisions(dir));
  const was = await sql(back, '.dump');
  await must(['import', 'set', back, 'odd', out]);
  assert.equal(await sql(back, '.dump'), was);
  assert.deepEqual(csv(read(await exported(t, back), 'tombstones.csv')).map((x) => [x.image, x.state, x.reason]),
    [['Case', 'takedown', 'asked by the author, "now"']]);

  /* A lead who clears it here has the last word. */
  await must(['user', 'add', back, 'lead', '--role', 'lead', '--password-file', put(t, 'password', PASSWORD)]);
  const here = await startServer(t, back, { env: WIDE });
  const other = await new Client(here.url).login('lead');
  const at = (await sql(back, "SELECT id FROM image WHERE name = 'Case';")).trim();
  assert.equal((await other.post(`/flags/${at}`, { decision: 'clear', reason: 'they agreed after all' })).status, 303);
  await here.stop();
  const cleared = await sql(back, '.dump');
  await must(['import', 'set', back, 'odd', out]);
  assert.equal(await sql(back, '.dump'), cleared);
});

test('tombstones that were changed are refused by line, and nothing is written', async (t) => {
  const dir = copyOf(t, study), server = await startServer(t, dir, { env: WIDE });
  const lead = await new Client(server.url).login('lead');
  const id = (await sql(dir, "SELECT id FROM image WHERE name = 'Case';")).trim();
  assert.equal((await lead.post(`/flags/${id}`, { decision: 'takedown', reason: 'gone' })).status, 303);
  await server.stop();
  const out = await exported(t, dir), file = path.join(out, 'tombstones.csv'), text = read(out, 'tombstones.csv');
  const back = await emptyWith(t, out), was = await sql(back, '.dump');
  const row = (name, state, reason) => `0,${name},n00000001,${state},,${reason}\n`;
  for (const [message, changed] of [
    [/tombstones\.csv:3: image case is not among the images that manifest\.csv says are withheld/, text + row('case', 'takedown', 'x')],
    [/tombstones\.csv:3: image never-there is not among/, text + row('never-there', 'takedown', 'x')],
    [/tombstones\.csv:3: image Case appears twice/, text + row('Case', 'quarantine', '')],
    [/tombstones\.csv:2: image Case was taken down without a reason/, text.replace('gone', ' ')],
    [/tombstones\.csv:2: image Case has a reason of more than 500 bytes/, text.replace('gone', 'x'.repeat(501))],
    [/tombstones\.csv:2: image Case has another state than/, text.replace('takedown', 'remove')],
    [/tombstones\.csv:1: .*reason/, text.replace('reason', 'why')],
  ]) {
    assert.notEqual(changed, text);
    fs.writeFileSync(file, changed);
    await fails(['import', 'set', back, 'odd', out], message);
    await fails(['import', 'set', back, 'odd', out, '--dry-run'], message);
  }
  fs.rmSync(file);
  await fails(['import', 'set', back, 'odd', out], /tombstones\.csv: no such file/);
  assert.equal(await sql(back, '.dump'), was);
  fs.writeFileSync(file, text);
  await must(['import', 'set', back, 'odd', out]);
});

test('refused: nothing half-made stays', async (t) => {
  const dir = copyOf(t, study), base = tempDir(t), target = path.join(base, 'out');
  const untouched = (names) => assert.deepEqual(fs.readdirSync(base).sort(), names);
  fs.mkdirSync(target);
  fs.writeFileSync(path.join(target, 'mine'), 'x');
  await fails(folderOf(dir, target), /out is not empty\. Nothing was exported/);
  assert.deepEqual(fs.readdirSync(target), ['mine']);
  fs.rmSync(target, { recursive: true });
  fs.writeFileSync(target, 'x');
  await fails(folderOf(dir, target), /out is not a folder/);
  fs.rmSync(target);
  fs.symlinkSync(base, target);
  await fails(folderOf(dir, target), /out is not a folder/);
  fs.rmSync(target);
  fs.mkdirSync(`${target}.partial`);
  fs.writeFileSync(path.join(`${target}.partial`, 'mine'), 'x');
  await fails(folderOf(dir, target), /out\.partial is in the way and does not come from an export/);
  assert.deepEqual(fs.readdirSync(`${target}.partial`), ['mine']);
  fs.rmSync(`${target}.partial`, { recursive: true });

  const hash = sha256(png('case')), file = path.join(dir, 'images', hash.slice(0, 2), `${hash}.source`);
  const bytes = fs.readFileSync(file);
  const wrong = Buffer.from(bytes);
  wrong[wrong.length - 1] ^= 1;
  fs.writeFileSync(file, wrong);
  await fails(folderOf(dir, target, '--verify'), /image case are not those that were imported/);
  fs.writeFileSync(file, bytes.subarray(1));
  await fails(folderOf(dir, target), /image case are not as many as were imported/);
  fs.rmSync(file);
  await fails(folderOf(dir, target), /image case are missing/);
  fs.writeFileSync(file, bytes);
  untouched([]);

  const list = put(t, 'list.csv', 'image,wnid\nreferenced,n00000002\n');
  await must(['import', 'set', dir, 'far', list]);
  const far = ['export', 'set', dir, 'far', '--format', 'folder', '--output', target];
  const theirs = fs.readFileSync(reference);
  const changed = Buffer.from(theirs);
  changed[20] ^= 1;
  fs.writeFileSync(reference, changed); /* elsewhere anybody may change it: always looked at */
  await fails(far, /image referenced are not those that were imported/);
  untouched([]);
  fs.writeFileSync(reference, theirs);
  await must([...far, '--verify']);
  await fails([...far.slice(0, -1), '/proc/out'], /cannot create folder \/proc\/out\.partial/);
  fs.rmSync(target, { recursive: true });
  fs.mkdirSync(target);
  const clone = await holdout(folderOf(dir, path.join(base, 'clone'), '--reflink')); /* not every file system can */
  if (clone.code !== 0) assert.match(clone.err, /cannot be cloned into .* leave out --reflink to copy the files instead/);
  fs.rmSync(path.join(base, 'clone'), { recursive: true, force: clone.code !== 0 });
  await must(folderOf(dir, `${target}/`)); /* an empty folder becomes the export */
  untouched(['out']);
});

test('killed or out of room at any moment: the target is not there, and the next export makes it', async (t) => {
  const dir = copyOf(t, study), base = tempDir(t), target = path.join(base, 'out');
  const fault = new FaultFile(base);
  t.after(() => fault.close());
  const run = () => holdout(folderOf(dir, target), { binary: faultBin, env: fault.env });
  let kills = 0, r;
  for (let n = 1; n < 200; n += kills < 6 ? 1 : 4) {
    fault.killAfter(n);
    r = await run();
    fault.killAfter(0);
    if (r.signal !== 'SIGKILL') break;
    kills++;
    assert.ok(!fs.existsSync(target) || fs.existsSync(path.join(target, 'SHA256SUMS')), `killed at ${n}`);
    if (fs.existsSync(target)) fs.rmSync(target, { recursive: true });
  }
  assert.ok(kills >= 8, `${kills} kills`);
  assert.equal(r.code, 0, r.err);
  assert.ok(!fs.existsSync(`${target}.partial`), 'what the killed ones left is gone');
  const sums = spawnSync('sha256sum', ['-c', '--quiet', 'SHA256SUMS'], { cwd: target });
  assert.equal(sums.status, 0);
  fs.rmSync(target, { recursive: true });
  for (const turn of ['failSpace', 'failSync']) {
    fault[turn](-1);
    r = await run();
    fault[turn](0);
    assert.equal(r.code, 1);
    assert.match(r.err, /No space left|Input\/output error/);
    assert.deepEqual(fs.readdirSync(base).filter((f) => f.startsWith('out')), []);
  }
});

test('the job of the page exports below the project, each time into a folder of its own', async (t) => {
  const dir = copyOf(t, study);
  const { token } = await newToken(dir, 'lead');
  const server = await startServer(t, dir, { env: { ...WIDE, HOLDOUT_JOBS_JOBS_AT_ONCE: '1' } });
  const client = new Client(server.url), headers = { authorization: `Bearer ${token}` };
  const start = (members) => client.json('POST', '/api/v1/jobs', { kind: 'export set', arguments: { format: 'folder', ...members } }, headers);
  for (const folder of ['odd-0', 'odd-0-2']) {
    const begun = await start({ set: 'odd/0', link: true });
    assert.equal(begun.status, 202, JSON.stringify(begun.body));
    let job = begun.body;
    for (const end = Date.now() + 60000; Date.now() < end && ['queued', 'running'].includes(job.state);) {
      await new Promise((resolve) => { setTimeout(resolve, 20); });
      job = (await client.json('GET', `/api/v1/jobs/${begun.body.id}`, undefined, headers)).body;
    }
    assert.equal(job.state, 'done', JSON.stringify(job));
    assert.match(job.note, new RegExp(`^odd/0: 13 images, 12 files of [0-9.]+ MB, in exports/${folder}\\.$`));
    assert.equal(JSON.parse(read(dir, 'exports', folder, 'manifest.json')).files, 12);
  }
  assert.deepEqual(fs.readdirSync(path.join(dir, 'exports')).sort(), ['odd-0', 'odd-0-2']);
  for (const members of [{}, { set: '--output' }, { set: 'odd', output: '/tmp/x' }, { set: 'odd', format: 'list' }]) {
    assert.equal((await start(members)).status, 400, JSON.stringify(members));
  }
  const target = path.join(tempDir(t), 'backup');
  await must(['backup', dir, target]);
  assert.ok(!files(target).some((f) => f.includes('odd-0')), 'exports can be made again: no backup has them');
});

/* What a set says of other campaigns: an imported one, one of simulated people with a consent text, a decision since. */
test('campaigns of other kinds', async (t) => {
  const dir = copyOf(t, study);
  const consent = 'You agree to look at photos.';
  await sql(dir, `UPDATE person SET kind = 'simulated'; UPDATE campaign SET simulated = 1, state = 'closed', population = 'students *of* one school';
    INSERT INTO event (id, at, kind, subject) SELECT max(id) + 1, 1700000000000, 'study.consent', 1 FROM event;
    INSERT INTO consent (id, campaign, version, text) SELECT max(id), 1, '1', '${consent}' FROM event;
    INSERT INTO event (id, at, kind, subject) SELECT max(id) + 1, 1700000001000, 'campaign.closed', 1 FROM event;
    INSERT INTO event (id, at, kind, subject) SELECT max(id) + 1, 1700000002000, 'answer.state', 1 FROM event;
    INSERT INTO answer_state (id, answer, field, value, rule) SELECT (SELECT max(id) FROM event), min(id), 'analysis', 'out', 'test' FROM answer;`);
  const out = await exported(t, dir);
  const [k] = JSON.parse(read(out, 'manifest.json')).campaigns;
  assert.deepEqual([k.source, k.people, k.answers.out, k.closed_at], ['simulated', { all: 3, simulated: 3, imported: 0 }, 1, '2023-11-14T22:13:21.000Z']);
  assert.deepEqual(k.consents, [{ version: '0', sha256: null, places: 3 }, { version: '1', sha256: sha256(consent), places: 0 }]);
  assert.ok(!read(out, 'manifest.json').includes(consent), 'its text may name people');
  const readme = read(out, 'README.md');
  assert.match(readme, /\d+ answers of 3 simulated people: nobody looked at the images/);
  assert.match(readme, /Population: students \\\*of\\\* one school/);

  await sql(dir, "UPDATE campaign SET simulated = 0, imported = 1; UPDATE person SET kind = 'imported'; DELETE FROM consent;");
  const [other] = JSON.parse(read(await exported(t, dir), 'manifest.json')).campaigns;
  assert.deepEqual([other.source, other.pay, other.rule_text, other.answers_per_grid], ['imported', null, null, null]);
});
