/* study.test.mjs - `holdout study` and `holdout import participants`. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { holdout, must, newProject, tempDir } from '../http/lib.mjs';
import { sqlite } from '../load/tools.mjs';

/* A project with an open campaign "main"; no pixels are needed. */
async function project(t) {
  const dir = await newProject(t);
  await must(['generate', dir, '--campaign', 'main', '--images', '420', '--classes', '2', '--grids', '4']);
  return dir;
}

const settings = async (dir, ...options) => JSON.parse(await must(['study', dir, 'main', '--json', ...options]));

test('study: prints the settings, changes what the options say and nothing else', async (t) => {
  const dir = await project(t);
  const before = await settings(dir);
  assert.equal(before.link, '/work/campaign/main?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}');
  assert.deepEqual([before.link_key, before.known_only, before.consent_version, before.language], ['', false, '0', 'en']);
  assert.equal(before.codes.complete, '');
  for (const outcome of ['partial', 'screened-out', 'no-consent', 'technical', 'withdrawn', 'full']) {
    assert.match(before.codes[outcome], /^[0-9A-F]{10}$/);
  }
  const events = await sqlite(`${dir}/holdout.db`, 'SELECT count(*) FROM event;');
  assert.deepEqual(await settings(dir), before);
  assert.equal(await sqlite(`${dir}/holdout.db`, 'SELECT count(*) FROM event;'), events, 'looking is no event');

  const after = await settings(dir, '--link-key', 'a-key-of-mine', '--parameters', 'pid,round', '--known-only',
    '--return-url', 'https://panel.example/?cc={code}', '--code', 'partial=PART', '--code', 'complete=DONE',
    '--contact', 'Ann', '--protocol', '7', '--language', 'de', '--place-minutes', '30', '--floor', '900',
    '--partial-grids', '3', '--source', 'lab', '--set', 'server.public_url=https://holdout.example/');
  assert.deepEqual(after, {
    ...before, link_key: 'a-key-of-mine', parameters: ['pid', 'round'], known_only: true, contact: 'Ann',
    return_url: 'https://panel.example/?cc={code}', codes: { ...before.codes, partial: 'PART', complete: 'DONE' },
    protocol: '7', language: 'de', place_minutes: 30, floor_cents: 900, partial_grids: 3, source: 'lab',
    link: 'https://holdout.example/work/campaign/main?key=a-key-of-mine&pid={{%PROLIFIC_PID%}}&round={{%STUDY_ID%}}',
  });
  const drawn = await settings(dir, '--link-key', 'auto', '--anybody', '--language', 'browser');
  assert.match(drawn.link_key, /^[A-Za-z0-9_-]{22}$/);
  assert.deepEqual([drawn.known_only, drawn.language, drawn.codes.partial], [false, '', 'PART']);
  const none = await settings(dir, '--link-key', 'none', '--return-url', 'none');
  assert.deepEqual([none.link_key, none.return_url], ['', '']);
  assert.match(await must(['study', dir, 'main']), /^code partial +PART$/m);
});

test('study: consent texts from a file', async (t) => {
  const dir = await project(t);
  const file = path.join(tempDir(t), 'consent.txt');
  fs.writeFileSync(file, 'We keep your answers.\n');
  assert.equal((await settings(dir, '--consent-file', file)).consent_version, '1');
  assert.equal((await settings(dir, '--consent-file', file, '--consent-version', 'irb-2')).consent_version, 'irb-2');
  const twice = await holdout(['study', dir, 'main', '--consent-file', file, '--consent-version', 'irb-2', '--contact', 'x']);
  assert.equal(twice.code, 1);
  assert.match(twice.err, /already a version irb-2/);
  assert.equal((await settings(dir)).contact, '', 'all or nothing');
  fs.writeFileSync(file, '');
  assert.equal((await holdout(['study', dir, 'main', '--consent-file', file])).code, 1);
});

test('study: what is wrong is said, and nothing is written', async (t) => {
  const dir = await project(t);
  const before = await settings(dir);
  const usage = [['--code', 'partial'], ['--code', 'returned=X'], ['--code', 'lost=X'], ['--known-only', '--anybody'],
    ['--partial-grids', '0'], ['--place-minutes', 'x'], ['--consent-version', '2']];
  for (const options of usage) {
    assert.equal((await holdout(['study', dir, 'main', ...options])).code, 2, options.join(' '));
  }
  const refused = [['--link-key', 'short'], ['--return-url', 'javascript:x'], ['--parameters', 'a,a'], ['--source', 'local'],
    ['--code', 'partial='], ['--language', 'english'], ['--consent-file', '/does/not/exist']];
  for (const options of refused) {
    assert.equal((await holdout(['study', dir, 'main', '--contact', 'x', ...options])).code, 1, options.join(' '));
  }
  assert.equal((await holdout(['study', dir, 'nothing'])).code, 1);
  assert.deepEqual(await settings(dir), before);
});

test('import participants: the whole list or nothing, and twice is once', async (t) => {
  const dir = await project(t);
  const file = path.join(tempDir(t), 'list.csv');
  const list = (text) => {
    fs.writeFileSync(file, text);
    return holdout(['import', 'participants', dir, file, '--campaign', 'main']);
  };
  const known = async () => (await sqlite(`${dir}/holdout.db`, `SELECT i.source || ':' || i.external_id
    FROM participant p JOIN identity i USING (person) ORDER BY 1;`)).trim().split('\n').filter(Boolean);

  const bad = await list(`participant_id,Status\nann,ok\n,ok\nbob,ok\nann,ok\n${'x'.repeat(129)},ok\n=1+1,ok\n-x,ok\n`);
  assert.equal(bad.code, 1);
  assert.match(bad.err, /list\.csv:7: the id =1\+1 begins with =/);
  for (const line of [3, 5, 6, 7, 8]) assert.match(bad.err, new RegExp(`list\\.csv:${line}: `));
  assert.equal((await list('name\nann\n')).code, 1);
  assert.equal((await list('participant_id\nann\n"open\n')).code, 1);
  assert.deepEqual(await known(), []);
  assert.equal((await holdout(['import', 'participants', dir, file])).code, 2);

  assert.match((await list('Submission,participant_id\n1,ann\n2, bob \n')).err, /2 participants read, 2 new/);
  assert.match((await list('external_id\nbob\nzoë\n')).err, /2 participants read, 1 new/);
  assert.deepEqual(await known(), ['panel:ann', 'panel:bob', 'panel:zoë']);
  fs.writeFileSync(file, 'participant_id\ncat\n');
  await must(['import', 'participants', dir, file, '--campaign', 'main', '--dry-run']);
  assert.equal((await known()).length, 3);
});

test('study: the link has the host of public_url, or says which setting gives it', async (t) => {
  const dir = await project(t);
  const bare = await holdout(['study', dir, 'main']);
  assert.match(bare.out, /^link +\/work\/campaign\/main\?/m);
  assert.match(bare.err, /warning: The link has no host, because server\.public_url is not set\. .*config\.ini/);
  const whole = await holdout(['study', dir, 'main'], { env: { HOLDOUT_SERVER_PUBLIC_URL: 'https://holdout.example' } });
  assert.match(whole.out, /^link +https:\/\/holdout\.example\/work\/campaign\/main\?/m);
  assert.doesNotMatch(whole.err, /no host/);
});
