/* Charts as files: the bytes that the page shows, the same rows as CSV and JSON, headers that let a
 * picture do nothing but be looked at. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Client, must, root, tempDir } from './lib.mjs';
import { importModel, importSet, writer } from './model_world.mjs';
import { answer, lease, FULL, startStudy } from './study.mjs';

/* THE table of charts. */
const source = fs.readFileSync(path.join(root, 'server/web/core/charts.c'), 'utf8');
const names = [...source.matchAll(/^ {4}\{"([a-z-]+)", ROLE_([A-Z]+), /gm)].map((m) => m[1]);

async function world(t) {
  const study = await startStudy(t);
  const lead = await new Client(study.client.url).login('lead');
  const { assignment } = await lease(study.client, 'person', FULL);
  const r = await answer(study.client, assignment, { selected: [0, 5], client_id: 'client-0', active_ms: 1000 });
  assert.equal(r.status, 200, JSON.stringify(r.body));
  const file = writer(tempDir(t));
  await importSet(study.dir, file, 'originals', ['--role', 'original']);
  await importSet(study.dir, file, 'fresh');
  for (const set of ['originals', 'fresh']) await importModel(study.dir, file, 'sharp', set, 5);
  await must(['label-review', 'create', study.dir, 'doubts', '--set', 'originals', '--experts', 'keeper']);
  const person = /\/workers\/(p[0-9a-z]+)/.exec(await lead.page('/workers'))[1];
  const wnid = /href="\/classes\/([^"/?]+)"/.exec(await lead.page('/classes'))[1];
  return { study, lead, person, wnid, all: `metric=l2&campaign=main&wnid=${wnid}&view=default&person=${person}&model=sharp&set=fresh&review=doubts` };
}

/* Figures of a page: { id, svg, links }. */
function figures(html) {
  return html.split('<figure class="chart"').slice(1).map((part) => ({
    svg: /<svg [^]*?<\/svg>/.exec(part)[0],
    links: [...part.matchAll(/href="(\/charts\/[^"]+)"/g)].map((m) => m[1].replaceAll('&amp;', '&')),
  }));
}

/* Rows of RFC 4180 text. */
function csvRows(text) {
  assert.ok(text.endsWith('\r\n'));
  const rows = [[]];
  for (const m of text.matchAll(/("(?:[^"]|"")*"|[^,"\r\n]*)(,|\r\n)/g)) {
    rows.at(-1).push(m[1].startsWith('"') ? m[1].slice(1, -1).replaceAll('""', '"') : m[1]);
    if (m[2] === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

test('charts', async (t) => {
  const { lead, study, all, wnid, person } = await world(t);
  assert.ok(names.includes('help-binomial'), 'the table was found');
  assert.deepEqual(names, [...names].sort(), 'the table is in order');

  await t.test('every chart comes as SVG, CSV and JSON with the same rows', async () => {
    for (const name of names) {
      const get = async (format) => {
        const r = await lead.get(`/charts/${name}/${format}?${all}`);
        assert.equal(r.status, 200, `${name} ${format}: ${r.status}`);
        assert.match(r.headers.get('content-disposition'), new RegExp(`; filename="${name}\\.${format}"$`));
        assert.equal(r.headers.get('x-content-type-options'), 'nosniff');
        return r;
      };
      const svg = await get('svg');
      assert.equal(svg.headers.get('content-type'), 'image/svg+xml');
      assert.equal(svg.headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'; sandbox");
      const picture = await svg.text();
      assert.match(picture, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^]*<\/svg>$/);
      assert.match(picture, /<title id="[^"]+-title">[^<]+<\/title>\n<desc id="[^"]+-desc">[^<]+<\/desc>/);
      assert.ok(!/<script|<style| style=| on[a-z]+=/.test(picture), name);

      const csv = await get('csv');
      assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8');
      const [head, ...rows] = csvRows(await csv.text());
      const json = await (await get('json')).json();
      assert.ok(json.title && json.description, name);
      assert.deepEqual(json.columns, head);
      assert.equal(json.rows.length, rows.length, name);
      json.rows.forEach((row, i) => row.forEach((cell, k) => {
        if (typeof cell === 'number') assert.equal(Number(rows[i][k]), cell);
        else assert.equal(rows[i][k], cell ?? '');
      }));
    }
  });

  await t.test('a page and the file have the same bytes', async () => {
    const seen = new Set();
    for (const at of ['/', '/help/numbers', '/campaigns/main', `/classes/${wnid}`, `/workers/${person}`]) {
      /* A chart of the last minutes may move on between the two looks. */
      let differs = [];
      for (let again = 0; again < 5 && (again === 0 || differs.length); again++) {
        differs = [];
        for (const { svg, links } of figures(await lead.page(at))) {
          assert.deepEqual(links.map((l) => /^\/charts\/[^/]+\/(\w+)/.exec(l)[1]), ['svg', 'csv', 'json']);
          seen.add(links[0]);
          if (await (await lead.get(links[0])).text() !== svg) differs.push(links[0]);
        }
      }
      assert.deepEqual(differs, [], at);
    }
    assert.ok([...seen].some((l) => l.startsWith('/charts/help-binomial/')));
  });

  await t.test('HEAD says what GET says', async () => {
    const [get, head] = await Promise.all(['GET', 'HEAD'].map((method) =>
      lead.fetch('/charts/help-binomial/svg', { method })));
    for (const name of ['content-type', 'content-length', 'content-disposition', 'content-security-policy']) {
      assert.equal(head.headers.get(name), get.headers.get(name), name);
    }
    assert.equal(await head.text(), '');
  });

  await t.test('what is not there, and what is asked wrongly', async () => {
    for (const at of ['/charts/none/svg', '/charts/help-binomial/png', '/charts/help-binomial/svg.exe',
      '/charts/%3Cscript%3E/svg']) {
      const r = await lead.get(at);
      assert.equal(r.status, 404, at);
      assert.ok(!(await r.text()).includes('<script>'), at);
    }
    const asks = names.filter((n) => n.startsWith('campaign-'));
    for (const name of asks) {
      for (const campaign of ['', 'none', '%3Csvg%20onload=alert(1)%3E', 'a'.repeat(5000)]) {
        const r = await lead.get(`/charts/${name}/svg?campaign=${campaign}`);
        assert.ok([404, 414].includes(r.status), `${name} of ${campaign.slice(0, 30)}: ${r.status}`);
      }
    }
    /* Parameters that a chart does not know change nothing but its id. */
    const [plain, more] = await Promise.all(['', '?wnid=%22%3E%3Cb%3E&campaign=x'].map(async (query) =>
      (await lead.get(`/charts/help-binomial/svg${query}`)).text()));
    assert.equal(more.replace(/chart-help-binomial-[0-9a-f]{8}/g, 'chart-help-binomial'), plain);
  });

  await t.test('each chart has its role', async () => {
    const worker = await new Client(study.client.url).login('worker');
    assert.equal((await worker.get('/charts/help-binomial/svg')).status, 200);
    for (const name of names.filter((n) => !n.startsWith('help-'))) {
      const r = await worker.get(`/charts/${name}/json?${all}`);
      assert.equal(r.status, 403, name);
    }
    const nobody = await new Client(study.client.url).get('/charts/help-binomial/svg');
    assert.equal(nobody.status, 303);
  });
});
