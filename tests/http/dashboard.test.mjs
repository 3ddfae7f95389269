/* The figures of the dashboard, recomputed here from the exports: counts, frequencies with intervals,
 * histogram, coverage, pace, the place in the grid, what needs a look. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client, must, newProject, startServer } from './lib.mjs';
import { FULL, SMALL, WIDE, answer, join, next, startStudy } from './study.mjs';

const PEOPLE = 11;
const T_10 = 2.2281388519649385; /* Student's t at 0.975, ten degrees: of eleven people */
const IMAGES = 50;
const FLOOR = 900;

const near = (got, want, within = 1e-9) =>
  assert.ok(Math.abs(got - want) <= within, `${got} is not ${want}`);
const sum = (list) => list.reduce((a, b) => a + b, 0);
const lines = (text) => text.trimEnd().split('\n').slice(1).map((l) => l.split(','));
const get = async (client, at) => (await client.json('GET', at)).body;
const bit = (mask, j) => Number((mask >> BigInt(j)) & 1n);

/* Everybody answers both grids; person i takes i + 1 seconds for each and selects what i says. */
async function everybodyAnswers({ client, dir }) {
  await must(['study', dir, 'main', '--floor', String(FLOOR)]);
  for (let i = 0; i < PEOPLE; i++) {
    const place = await join(client, `person-${i}`);
    for (let k = 0; k < 2; k++) {
      const grid = await next(client, place);
      const selected = Array.from({ length: grid.cells }, (_, j) => j).filter((j) => (j * 7 + i * i) % 11 < 3 + (i % 4));
      const r = await answer(client, grid.assignment,
        { selected, client_id: `person-${i}-grid-${k}`, active_ms: 1000 * (i + 1) });
      assert.equal(r.status, 200, JSON.stringify(r.body));
    }
    assert.equal((await next(client, place)).done, true);
  }
}

/* The overview once it tells every answer: the statistics may be two seconds old. */
async function newest(lead) {
  for (const deadline = Date.now() + 60000; ;) {
    const all = await get(lead, '/api/v1/overview');
    if (all.pace.answers === 2 * PEOPLE) return all;
    assert.ok(Date.now() < deadline, 'the statistics follow the answers');
    await new Promise((done) => { setTimeout(done, 50); });
  }
}

/* [{ worker, wnid, image, role, selected }] of the exports. */
async function votesOf(dir) {
  const hits = new Map(JSON.parse(await must(['export', 'hits', dir])).map((h) => [h.hit, h]));
  const roleOf = (h, image) =>
    (h.images_pos_control.includes(image) ? 'positive' : h.images_neg_control.includes(image) ? 'negative' : 'candidate');
  return lines(await must(['export', 'votes', dir])).flatMap(([, hit, worker, , , , mask]) => {
    const h = hits.get(Number(hit));
    return h.images_all.map((image, j) =>
      ({ worker, wnid: h.wnid, image, role: roleOf(h, image), selected: bit(BigInt(`0x${mask}`), j) }));
  });
}

/* stats/cluster.h: the ratio estimator by worker, on the logit scale. */
function pooled(votes, t) {
  const workers = [...new Set(votes.map((v) => v.worker))].map((w) => {
    const own = votes.filter((v) => v.worker === w);
    return { k: sum(own.map((v) => v.selected)), n: own.length };
  });
  const [k, n, m] = [sum(workers.map((w) => w.k)), sum(workers.map((w) => w.n)), workers.length];
  const p = k / n;
  const variance = m / (m - 1) * sum(workers.map((w) => (w.k - p * w.n) ** 2)) / n ** 2;
  const half = t * Math.sqrt(variance) / (p * (1 - p));
  const at = (x) => 1 / (1 + Math.exp(-(Math.log(p / (1 - p)) + x)));
  return { frequency: p, n, selected: k, lo: at(-half), hi: at(half) };
}

function assertPooled(got, votes) {
  const want = pooled(votes, T_10);
  assert.deepEqual([got.n, got.selected], [want.n, want.selected]);
  for (const name of ['frequency', 'lo', 'hi']) near(got[name], want[name]);
  assert.ok(got.text.startsWith(want.frequency.toFixed(2)), got.text);
}

const tableOf = (votes, role) => {
  const images = new Map();
  for (const v of votes.filter((w) => w.role === role)) {
    const one = images.get(`${v.wnid} ${v.image}`) ?? { wnid: v.wnid, n: 0, k: 0 };
    images.set(`${v.wnid} ${v.image}`, { ...one, n: one.n + 1, k: one.k + v.selected });
  }
  return [...images.values()].filter((i) => i.n >= 10);
};

const histogram = (images) => images.reduce((bins, { n, k }) => {
  bins[Math.min(4, Math.floor(5 * k / n))] += 1;
  return bins;
}, [0, 0, 0, 0, 0]);

/* Upper tail of the chi-square distribution, in closed form. */
function tail(x, degrees) {
  let [p, term] = degrees % 2 ? [erfc(Math.sqrt(x / 2)), Math.sqrt(2 * x / Math.PI) * Math.exp(-x / 2)] : [0, Math.exp(-x / 2)];
  for (let d = degrees % 2 ? 3 : 2; d <= degrees; d += 2) {
    p += term;
    term *= x / d;
  }
  return p;
}

/* By its continued fraction: exact enough for x above 1. */
function erfc(x) {
  let f = 0;
  for (let n = 200; n > 0; n--) f = n / 2 / (x + f);
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + f);
}

function checkOverview(all, votes) {
  assert.equal(votes.length, PEOPLE * (SMALL + FULL));
  assert.deepEqual(
    [all.view, all.votes, all.answers, all.surplus, all.grids, all.people],
    ['default', votes.length, 2 * PEOPLE, 0, { done: 0, all: 2 }, { all: PEOPLE, now: PEOPLE }]);
  assert.equal(all.images, 6 + 6 + 10 + 42 + 2);
  assertPooled(all.originals, votes.filter((v) => v.role === 'positive'));
  assertPooled(all.candidates, votes.filter((v) => v.role === 'candidate'));
  const [originals, candidates] = [tableOf(votes, 'positive'), tableOf(votes, 'candidate')];
  assert.equal(sum(all.histogram.candidates), 52);
  assert.deepEqual(all.histogram, { least_answers: 10, originals: histogram(originals), candidates: histogram(candidates) });

  const { coverage } = all;
  assert.deepEqual([coverage.target, coverage.classes, coverage.reached, coverage.impossible], [20, 2, 0, 2]);
  const covered = (wnid) => originals.filter((i) => i.wnid === wnid).length;
  assert.deepEqual(coverage.worst.map((c) => c.covered), coverage.worst.map((c) => covered(c.wnid)));
  assert.deepEqual(coverage.worst.map((c) => c.covered), coverage.worst.map((c) => c.covered).sort((a, b) => a - b));
  assert.equal(coverage.worst.length, 2);

  const [main] = all.campaigns;
  const left = 2 * 100 - 2 * PEOPLE;
  for (const pace of [all.pace, main.pace]) {
    assert.deepEqual([pace.answers, pace.last_hour, pace.last_day, pace.left], [2 * PEOPLE, 2 * PEOPLE, 2 * PEOPLE, left]);
    assert.ok(pace.minutes >= 9 && pace.minutes < 10);
    near(pace.per_minute, pace.answers / pace.minutes);
    near(pace.minutes_left, left / pace.per_minute, 1e-6);
    assert.match(pace.finish, /at this pace$/);
  }
}

function checkCampaign(k, votes) {
  const right = (role, value) => {
    const own = votes.filter((v) => v.role === role);
    return [own.length, own.filter((v) => v.selected === value).length];
  };
  const { positive, negative, gold } = k.scores;
  assert.deepEqual([positive.n, positive.selected], right('positive', 1));
  assert.deepEqual([negative.n, negative.selected], right('negative', 0));
  assert.deepEqual([gold.n, gold.frequency], [0, null]);
  assert.deepEqual(k.answers, { counted: 2 * PEOPLE, wanted: 200, all: 2 * PEOPLE, surplus: 0, out: 0 });
  assert.deepEqual([k.people.answering, k.people.most], [PEOPLE, 2]);
  near(k.people.most_share, 1 / PEOPLE);
  near(k.people.median_active_seconds, (PEOPLE + 1) / 2);
  assert.deepEqual([k.coverage.target, k.coverage.classes, k.coverage.next], [20, 2, null]);
  assert.deepEqual(k.coverage.below.map((c) => c.why), ['too few originals', 'too few originals']);

  /* Every candidate's vote stands in one place of its grid. */
  const { rows, chi_square: x, degrees, p } = k.positions;
  assert.deepEqual(rows.map((r) => r.position), Array.from({ length: 48 }, (_, i) => i + 1));
  const [n, selected] = [sum(rows.map((r) => r.n)), sum(rows.map((r) => r.selected))];
  assert.deepEqual([n, selected], [votes.filter((v) => v.role === 'candidate').length,
    votes.filter((v) => v.role === 'candidate' && v.selected).length]);
  assert.deepEqual([k.positions.test, k.positions.answers, k.positions.grids], ["Cochran's Q", 2 * PEOPLE, 0]);
  assert.equal(degrees, 47);
  near(p, tail(x, degrees));
  assert.match(k.positions.text, p < 0.001 ? /seems to matter/ : p < 0.05 ? /may be chance/ : /no sign that the position/);

  /* Nobody is paid, and two answers took i + 1 seconds each: everybody is under the floor. */
  const { pay } = k.people;
  assert.deepEqual([pay.places, pay.complete, pay.timed, pay.rate_cents, pay.floor_cents, pay.low], [PEOPLE, PEOPLE, PEOPLE, 0, FLOOR, true]);
  near(pay.median_active_seconds, PEOPLE + 1);
}

async function checkNobodyYet(lead) {
  const status = async (at) => (await lead.get(at)).status;
  assert.equal(await status('/api/v1/campaigns/none'), 404);
  assert.equal(await status('/api/v1/campaigns/main?classes=x'), 400);
  assert.equal(await status('/api/v1/campaigns/main?classes=-1'), 400);
  assert.equal(await status('/api/v1/campaigns/main?classes=99999999999999999999'), 400);
  for (const query of ['classes=x', 'page=0', 'show=lost', 'sort=luck', 'order=up']) {
    assert.equal(await status(`/campaigns/main?${query}`), 400, query);
  }
  const far = (await lead.json('GET', '/api/v1/campaigns/main?classes=9223372036854775807')).body.coverage;
  assert.deepEqual([far.below, far.next], [[], null]);
  const { pace, people } = (await lead.json('GET', '/api/v1/campaigns/main')).body;
  assert.deepEqual([pace.answers, pace.minutes_left, pace.finish], [0, null, 'no one is answering now']);
  assert.deepEqual([people.answering, people.most_share, people.median_active_seconds], [0, null, null]);
  assert.match(await lead.page('/campaigns/main?show=open&classes=2&page=2'), /data-live-url="\/campaigns\/main\?show=open&amp;classes=2&amp;page=2"/);
}

test('a study, recomputed from its exports', async (t) => {
  const study = await startStudy(t);
  const lead = await new Client(study.client.url).login('lead');
  await t.test('before anybody answers; what is asked wrongly', () => checkNobodyYet(lead));
  await everybodyAnswers(study);
  const votes = await votesOf(study.dir);
  const all = await newest(lead);
  await t.test('the overview', () => checkOverview(all, votes));
  await t.test('the campaign', async () => checkCampaign(await get(lead, '/api/v1/campaigns/main'), votes));
  await t.test('who is paid too little', () => {
    const { look } = all;
    assert.equal(look.pay.people, PEOPLE);
    assert.deepEqual(look.pay.rows.map((r) => [r.rate_cents, r.floor_cents]), Array(5).fill([0, FLOOR]));
  });
  await t.test('the first page says how it stands, then what needs a look, then four figures', async () => {
    const html = await lead.page('/');
    const text = (part) => part.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ').trim();
    const sentence = text(/<p class="lead">([^]*?)<\/p>/.exec(html)[1]);
    assert.match(sentence, new RegExp(`is open with ${2 * PEOPLE} of 200 answers, about .+ left at this pace\\.$`));
    assert.ok(html.includes('<p class="lead"><a href="/campaigns/main">'));
    const marks = ['id="look-head"', 'class="tiles"', 'id="charts-head"', 'id="campaigns-head"', 'id="history-head"'];
    const at = marks.map((mark) => html.indexOf(mark));
    assert.deepEqual(at, [...at].sort((a, b) => a - b), marks.join());
    assert.equal(html.match(/class="tile"/g).length, 4);
    assert.match(html, /of the latest 200 complete places were paid less than the minimum/);
  });
  await t.test('experts do not see people', async () => {
    const expert = await new Client(study.client.url).login('expert');
    assert.equal((await get(expert, '/api/v1/campaigns/main')).people.pay, null);
    assert.equal((await get(expert, '/api/v1/overview')).look, null);
    assert.ok(!/\/workers|\/history|\/flags/.test(await expert.page('/')));
  });
});

test('while nothing is open the first page leads to what can be opened', async (t) => {
  const { dir, client } = await startStudy(t);
  const lead = await new Client(client.url).login('lead');
  await must(['grids', dir, '--campaign', 'fresh', '--kind', 're-measurement', '--title', 'Which ones?', '--quiet']);
  assert.equal((await lead.post('/campaigns/main/state/closed')).status, 303);
  const sentence = async () => /<p class="lead">([^]*?)<\/p>/.exec(await lead.page('/'))[1];
  assert.equal(await sentence(), 'No campaign is open: <a href="/campaigns/fresh">Which ones? waits to be opened</a>.');
  await must(['grids', dir, '--campaign', 'fresher', '--kind', 're-measurement', '--quiet']);
  assert.equal(await sentence(), 'No campaign is open: <a href="/campaigns">2 wait to be opened</a>.');
});

/* Ten grids of five images in an order of their own, answered elsewhere by three people: two agree, the
 * third says the opposite; gold and controls play no part. */
async function imported(t) {
  const dir = await newProject(t);
  await must(['import', 'classes', dir, '-'], { input: 'cid,wnid,synset,gloss,wikipedia\n0,n00000001,apple,a fruit,\n' });
  const images = Array.from({ length: IMAGES }, (_, i) => `${i},image-${i},n00000001,cand,,`);
  await must(['import', 'image-list', dir, '-'], { input: `idx,image,wnid,kind,source_id,date_taken\n${images.join('\n')}\n` });
  const hits = Array.from({ length: 10 }, (_, h) => {
    const all = Array.from({ length: 5 }, (__, j) => 5 * h + j);
    return JSON.stringify({ hit: h, uuid: `hit-${h}`, wnid: 'n00000001', time: '2018-08-17 16:11:23', label: all, pos: [], neg: [], all });
  });
  await must(['import', 'hits', dir, '-'], { input: `${hits.join('\n')}\n` });
  const masks = ['3', '3', '1c'];
  const votes = masks.flatMap((mask, w) => hits.map((_, h) => `${10 * w + h},${h},w${w},A,1535546579,120,${mask}`));
  await must(['import', 'votes', dir, '-'],
    { input: `assignment,hit,worker,status,accept_time,duration_s,mask_hex\n${votes.join('\n')}\n` });
  const server = await startServer(t, dir, { env: WIDE });
  return { dir, lead: await new Client(server.url).login('admin') };
}

test('who agrees less than others, and an imported study', async (t) => {
  const { lead } = await imported(t);
  const all = (await lead.json('GET', '/api/v1/overview')).body;
  /* One of two others says the same: 1/2 and 1/2; the third agrees with nobody. */
  assert.equal(all.look.agreement.people, 1);
  const [odd] = all.look.agreement.rows;
  near(odd.relative, 0 - (0.5 + 0.5 + 0) / 3);
  assert.deepEqual([odd.n, odd.simulated, odd.blocked], [10, false, false]);
  const html = await lead.page('/');
  assert.ok(html.includes(`href="${odd.url}"`));
  assert.deepEqual([all.people.all, all.people.now, all.pace.answers], [3, 0, 0]);
  assert.deepEqual([all.campaigns[0].pace.finish, all.pace.finish], ['done elsewhere', 'no open campaign']);
  assert.match(await lead.page(all.campaigns[0].url), /saw the cells of a grid in the same order/);
});

test('an empty project says what to do next', async (t) => {
  const dir = await newProject(t);
  const server = await startServer(t, dir);
  const lead = await new Client(server.url).login('admin');
  const all = (await lead.json('GET', '/api/v1/overview')).body;
  assert.deepEqual([all.images, all.votes, all.grids, all.originals.frequency, all.coverage.classes], [0, 0, { done: 0, all: 0 }, null, 0]);
  assert.match(await lead.page('/'), /What to do next[\s\S]*holdout import classes/);
  await must(['import', 'classes', dir, '-'], { input: 'cid,wnid,synset,gloss,wikipedia\n0,n00000001,apple,a fruit,\n' });
  await must(['import', 'image-list', dir, '-'], { input: 'image,wnid,kind\na,n00000001,candidate\n' });
  assert.match(await lead.page('/'), /What to do next[\s\S]*holdout grids/);
});

/* One grid with gold of its own class and of another one: right is to select the one and to leave the other. */
test('gold is answered right, whatever is expected', async (t) => {
  const dir = await newProject(t);
  await must(['import', 'classes', dir, '-'], { input: 'cid,wnid,synset,gloss,wikipedia\n0,n00000001,apple,a fruit,\n1,n00000002,pear,a fruit,\n' });
  const images = ['gold-0,n00000001,gold', 'gold-1,n00000001,gold', 'gold-2,n00000002,gold', 'image-3,n00000001,cand'];
  await must(['import', 'image-list', dir, '-'],
    { input: `idx,image,wnid,kind,source_id,date_taken\n${images.map((row, i) => `${i},${row},,\n`).join('')}` });
  const hit = { hit: 0, uuid: 'hit-0', wnid: 'n00000001', time: '2018-08-17 16:11:23', label: [0, 1, 2, 3], pos: [], neg: [], gold: [0, 1, 2], all: [0, 1, 2, 3] };
  await must(['import', 'hits', dir, '-'], { input: `${JSON.stringify(hit)}\n` });
  const votes = ['3', '3', '7'].map((mask, w) => `${w},0,w${w},A,1535546579,120,${mask}\n`);
  await must(['import', 'votes', dir, '-'], { input: `assignment,hit,worker,status,accept_time,duration_s,mask_hex\n${votes.join('')}` });
  const lead = await new Client((await startServer(t, dir, { env: WIDE })).url).login('admin');

  const view = await lead.post('/views', { name: 'own', description: '', kind: 'main', do: 'save', save: '1' });
  assert.equal(view.status, 303, await view.text());
  for (const query of ['', '?view=own']) {
    const [apple] = (await get(lead, `/api/v1/classes${query}`)).items;
    assert.deepEqual([apple.gold_right.n, apple.gold_right.selected], [9, 8], `8 of 9 cells, 7 selected ${query}`);
    assert.ok(apple.gold_right.lo < 8 / 9 && apple.gold_right.hi > 8 / 9);
    const page = await lead.page(`/classes/n00000001${query}`);
    assert.match(page, /Gold answered right[^]{0,200}0\.89[^]{0,200}0\.\d\d\u20131\.00, n 9 votes on 3 images/);
    assert.doesNotMatch(page, /Gold selected/);
  }
  const [campaign] = (await get(lead, '/api/v1/overview')).campaigns;
  const { gold } = (await get(lead, `/api/v1${campaign.url}`)).scores;
  assert.deepEqual([gold.n, gold.selected], [9, 8]);
  assert.ok(gold.lo < 8 / 9 && gold.hi > 8 / 9, 'clustered by worker');
  assert.match(await lead.page(campaign.url), /Gold answered right<\/dt><dd>0\.89 \(n 9 votes, /);
  const people = await lead.page('/workers');
  assert.match(people, /100\s%<br><span class="muted">n 3, 29\u2013100/);
  assert.match(people, /67\s%<br><span class="muted">n 3, 9\u201399/);
});
