/* recompute.mjs - the dashboard's numbers once more, by other means: from the exported grids and votes
 * alone, in JavaScript, after the definitions (server/domain/votes/agreement.h,
 * server/stats/cluster.h). Nothing here asks the program for anything but its exports.
 * Used by tests/golden (the published votes) and tests/browser (the demo). */
import assert from 'node:assert/strict';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { sqlite } from '../load/tools.mjs';
import { must } from './lib.mjs';

const LIMIT = { limit: 600000 };
const ROLES = ['candidate', 'positive', 'negative', 'gold'];

/* Grids and answers of one campaign: `hits` is `export hits`, `votes` is `export votes`. */
export function readCampaign(hits, votes) {
  const grids = new Map(JSON.parse(hits).map((h) => {
    const role = new Map();
    for (const i of h.images_to_label) role.set(i, 'candidate');
    for (const i of h.images_pos_control) role.set(i, 'positive');
    for (const i of h.images_neg_control) role.set(i, 'negative');
    for (const i of h.images_gold ?? []) role.set(i, 'gold');
    return [String(h.hit), {
      wnid: h.wnid, excluded: Boolean(h.excluded),
      cells: h.images_all.map((image) => ({ image, role: role.get(image) })),
    }];
  }));
  const answers = votes.trimEnd().split('\n').slice(1).map((line) => {
    const [, hit, worker, status, at, , hex] = line.split(',');
    const mask = BigInt(`0x${hex}`);
    const ticks = Uint8Array.from({ length: 48 }, (_, j) => Number(mask >> BigInt(j) & 1n));
    return { grid: grids.get(hit), worker, out: status === 'R', at: Number(at), ticks };
  });
  return { grids: [...grids.values()], answers };
}

/* The same of a CLASSIFY campaign: `responses` is `export responses`, `order` its --format order; a task's cells are its labels. */
export function readTicks(responses, order) {
  const rows = (csv) => csv.trimEnd().split('\n').slice(1).map((line) => line.split(','));
  const grids = new Map(rows(order).map(([image, wnid, labels]) => [image, { wnid, excluded: false, cells: labels.split('+') }]));
  const answers = rows(responses).map(([image, , worker, , ticked]) => {
    const grid = grids.get(image), said = ticked.split('+');
    return { grid, worker, out: false, ticks: Uint8Array.from(grid.cells, (label) => Number(said.includes(label))) };
  });
  return { grids: [...grids.values()], answers };
}

const selected = (answer, j) => answer.ticks[j];
const tally = () => ({ n: 0, selected: 0 });

function add(map, key, x) {
  if (!map.has(key)) map.set(key, tally());
  const t = map.get(key);
  t.n += 1;
  t.selected += x;
}

/* Of everything that is in the analysis: sums by role, by role and class, by role and worker, by image. */
export function count(campaigns) {
  const sums = new Map(ROLES.map((r) => [r, tally()]));
  const byClass = new Map();  /* "role wnid" */
  const byWorker = new Map(); /* "role worker", and "role wnid worker" */
  const images = new Map();   /* "role wnid image" */
  let votes = 0;
  for (const { grids, answers } of campaigns) {
    for (const g of grids) {
      for (const { image, role } of g.cells) {
        const key = `${role} ${g.wnid} ${image}`;
        if (!images.has(key)) images.set(key, tally());
      }
    }
    for (const a of answers) {
      if (a.out || a.grid.excluded) continue;
      a.grid.cells.forEach(({ image, role }, j) => {
        const x = selected(a, j);
        votes += 1;
        sums.get(role).n += 1;
        sums.get(role).selected += x;
        add(byClass, `${role} ${a.grid.wnid}`, x);
        add(byWorker, `${role} ${a.worker}`, x);
        add(byWorker, `${role} ${a.grid.wnid} ${a.worker}`, x);
        add(images, `${role} ${a.grid.wnid} ${image}`, x);
      });
    }
  }
  return { sums, byClass, byWorker, images, votes };
}

/* Images with at least ten answers by bin of their frequency, for one role. Fifths are exact in
 * integers: 5 * selected / n. */
export function histogram(counted, role, wnid = '') {
  const bins = [0, 0, 0, 0, 0];
  for (const [key, { n, selected: k }] of counted.images) {
    if (n >= 10 && key.startsWith(`${role} ${wnid}`)) bins[Math.min(4, Math.floor(5 * k / n))] += 1;
  }
  return bins;
}

/* wnid -> originals with at least ten answers, for the classes on grids. */
export function coverage(counted) {
  const covered = new Map();
  for (const [key, { n }] of counted.images) {
    const [role, wnid] = key.split(' ');
    if (role === 'positive') covered.set(wnid, (covered.get(wnid) ?? 0) + (n >= 10 ? 1 : 0));
  }
  return covered;
}

/* Right answers to controls: how many of how many. */
export function scores(campaign) {
  const all = { positive: tally(), negative: tally(), gold: tally() };
  for (const a of campaign.answers) {
    if (a.out || a.grid.excluded) continue;
    a.grid.cells.forEach(({ role }, j) => {
      if (role === 'positive' || role === 'negative') {
        all[role].n += 1;
        all[role].selected += role === 'positive' ? selected(a, j) : 1 - selected(a, j);
      }
    });
  }
  return all;
}

/* worker -> { n, relative }: mean over their answers of (agreement with the others minus the mean
 * agreement of the grid's counted answers). */
export function relative(campaigns) {
  const of = new Map();
  for (const { answers } of campaigns) {
    const byGrid = new Map();
    for (const a of answers) {
      if (!byGrid.has(a.grid)) byGrid.set(a.grid, []);
      byGrid.get(a.grid).push(a);
    }
    for (const [grid, all] of byGrid) {
      if (grid.excluded) continue;
      const counted = all.filter((a) => !a.out);
      const agreement = (a) => {
        const others = counted.filter((o) => o !== a);
        if (others.length === 0) return null;
        let sum = 0;
        for (let j = 0; j < grid.cells.length; j++) {
          const same = others.filter((o) => selected(o, j) === selected(a, j)).length;
          sum += same / others.length;
        }
        return sum / grid.cells.length;
      };
      const of_counted = counted.map(agreement).filter((x) => x !== null);
      const mean = of_counted.reduce((s, x) => s + x, 0) / of_counted.length;
      for (const a of all) {
        const x = agreement(a);
        if (x === null) continue;
        if (!of.has(a.worker)) of.set(a.worker, { n: 0, sum: 0 });
        const w = of.get(a.worker);
        w.n += 1;
        w.sum += x - mean;
      }
    }
  }
  return new Map([...of].map(([worker, { n, sum }]) => [worker, { n, relative: sum / n }]));
}

/* --- the interval of a proportion whose votes cluster by worker --- */

/* P(T <= t) for Student's t with v degrees of freedom, by Simpson's rule on the density: slow, plain. */
function studentCdf(t, v) {
  const steps = 4000;
  const f = (x) => (1 + x * x / v) ** (-(v + 1) / 2);
  /* The density's constant by the same integral, in u = x / (1 + |x|): the whole line. */
  const g = (u) => (Math.abs(u) >= 1 ? 0 : f(u / (1 - Math.abs(u))) / (1 - Math.abs(u)) ** 2);
  const simpson = (a, b) => {
    const h = (b - a) / steps;
    let s = g(a) + g(b);
    for (let i = 1; i < steps; i++) s += (i % 2 ? 4 : 2) * g(a + i * h);
    return s * h / 3;
  };
  const u = t / (1 + Math.abs(t));
  return 0.5 + simpson(0, u) / (2 * simpson(0, 1));
}

const quantiles = new Map(); /* of 0.975, by degrees of freedom */

function studentQuantile(v) {
  if (quantiles.has(v)) return quantiles.get(v);
  let lo = 0;
  let hi = 200;
  for (let i = 0; i < 60; i++) {
    const mid = (lo + hi) / 2;
    if (studentCdf(mid, v) < 0.975) lo = mid; else hi = mid;
  }
  quantiles.set(v, (lo + hi) / 2);
  return (lo + hi) / 2;
}

/* parts: [{ n, selected }], one a worker; at least two of them, 0 < p < 1. */
export function clustered(parts) {
  const n = parts.reduce((s, w) => s + w.n, 0);
  const p = parts.reduce((s, w) => s + w.selected, 0) / n;
  const m = parts.length;
  const squares = parts.reduce((s, w) => s + (w.selected - p * w.n) ** 2, 0);
  const sd = Math.sqrt(m / (m - 1) * squares) / n;
  const half = studentQuantile(m - 1) * sd / (p * (1 - p));
  const logit = Math.log(p / (1 - p));
  const back = (x) => 1 / (1 + Math.exp(-x));
  return { lo: back(logit - half), hi: back(logit + half) };
}

/* The parts of one role, by worker; of one class where it is named. */
export function parts(counted, role, wnid = '') {
  const prefix = wnid ? `${role} ${wnid} ` : `${role} `;
  return [...counted.byWorker].filter(([key]) =>
    key.startsWith(prefix) && key.split(' ').length === (wnid ? 3 : 2)).map(([, t]) => t);
}

/* --- against the program --- */

const near = (got, want, what) => assert.ok(Math.abs(got - want) < 1e-7, `${what}: ${got} instead of ${want}`);

function sameFrequency(said, sum, workers, what) {
  assert.deepEqual([said.n, said.selected], [sum.n, sum.selected], what);
  near(said.frequency, sum.selected / sum.n, what);
  const ci = clustered(workers);
  near(said.lo, ci.lo, `${what}, lower bound`);
  near(said.hi, ci.hi, `${what}, upper bound`);
}

/* A project's campaigns as its exports say; `names` are those of the default view. */
export async function exported(dir, names) {
  const campaigns = [];
  for (const name of names) {
    const hits = await must(['export', 'hits', dir, '--campaign', name, '--format', 'study'], LIMIT);
    campaigns.push(readCampaign(hits, await must(['export', 'votes', dir, '--campaign', name], LIMIT)));
  }
  return campaigns;
}

/* The overview once it knows the newest event: its statistics may be two seconds old. */
export async function settled(lead, dir) {
  const newest = Number(await sqlite(path.join(dir, 'holdout.db'), 'SELECT max(id) FROM event;'));
  for (const deadline = Date.now() + 60000; ;) {
    const { body } = await lead.json('GET', '/api/v1/overview');
    if (body.as_of >= newest) return body;
    assert.ok(Date.now() < deadline, `the statistics stay at event ${body.as_of} of ${newest}`);
    await wait(100);
  }
}

/* The overview, the people that it names, one campaign and some classes. `lead` is a signed-in
 * client; `campaigns` those of the default view, all others have no answers but in `beside`. */
export async function compare(lead, dir, campaigns, { name, beside = [], classes = 5 }) {
  const counted = count(campaigns);
  const all = await settled(lead, dir);
  const answers = [...campaigns, ...beside].flatMap((c) => c.answers);
  assert.equal(all.answers, answers.length);
  assert.equal(all.votes, counted.votes);
  assert.equal(all.people.all, new Set(answers.map((a) => a.worker)).size);
  for (const [said, role] of [[all.originals, 'positive'], [all.candidates, 'candidate']]) {
    sameFrequency(said, counted.sums.get(role), parts(counted, role), role);
  }
  assert.deepEqual(all.histogram.originals, histogram(counted, 'positive'));
  assert.deepEqual(all.histogram.candidates, histogram(counted, 'candidate'));
  const covered = coverage(counted);
  assert.equal(all.coverage.reached, [...covered.values()].filter((n) => n >= all.coverage.target).length);
  for (const w of all.coverage.worst) assert.equal(w.covered, covered.get(w.wnid) ?? 0, w.wnid);

  const people = relative([...campaigns, ...beside]);
  /* By their numbers: an imported study's exports have its own names of people. */
  const less = [...people.values()].sort((a, b) => a.relative - b.relative)
    .filter((p) => p.n >= all.look.agreement.least_answers && p.relative <= all.look.agreement.below);
  assert.equal(all.look.agreement.people, less.length);
  all.look.agreement.rows.forEach((row, i) => {
    assert.equal(row.n, less[i].n, row.pseudonym);
    near(row.relative, less[i].relative, `relative agreement of ${row.pseudonym}`);
  });

  const { body: one } = await lead.json('GET', `/api/v1/campaigns/${name}`);
  const mine = campaigns[0];
  assert.equal(one.answers.all, mine.answers.length);
  assert.equal(one.answers.out, mine.answers.filter((a) => a.out && !a.grid.excluded).length);
  const right = scores(mine);
  for (const role of ['positive', 'negative']) {
    assert.deepEqual([one.scores[role].n, one.scores[role].selected], [right[role].n, right[role].selected], role);
  }

  const wnids = [...covered.keys()].sort().slice(0, classes);
  const items = new Map((await list(lead, '/api/v1/classes')).map((k) => [k.wnid, k]));
  for (const wnid of wnids) {
    for (const [field, role] of [['originals', 'positive'], ['candidates', 'candidate']]) {
      const sum = counted.byClass.get(`${role} ${wnid}`);
      if (sum) sameFrequency(items.get(wnid)[field], sum, parts(counted, role, wnid), `${role} of ${wnid}`);
    }
    for (const row of (await list(lead, `/api/v1/classes/${wnid}/frequencies`))) {
      const mineToo = ROLES.map((r) => counted.images.get(`${r} ${wnid} ${row.image}`)).filter(Boolean)
        .reduce((s, t) => ({ n: s.n + t.n, selected: s.selected + t.selected }), tally());
      assert.deepEqual([row.n, row.selected], [mineToo.n, mineToo.selected], `${row.image} of ${wnid}`);
    }
  }
  return { counted, overview: all };
}

/* All items of a list, page after page. */
async function list(lead, at) {
  const items = [];
  for (let cursor = ''; cursor !== null;) {
    const r = await lead.json('GET', `${at}?limit=1000${cursor && `&after=${encodeURIComponent(cursor)}`}`);
    assert.equal(r.status, 200, JSON.stringify(r.body));
    items.push(...r.body.items);
    cursor = r.body.next ?? null;
  }
  return items;
}
