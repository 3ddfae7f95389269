/* all_forms.mjs - every form that posts, found on the pages of a world in which everything that the route
 * table names has been made, and every such form that the templates hold. Nothing here is a list that
 * somebody has to keep. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { Client, must, root } from './lib.mjs';
import { writer } from './model_world.mjs';
import { formsOf, isText } from './page_forms.mjs';
import { routes, target } from './routes.mjs';
import { answer, join, lease } from './study.mjs';

export const pattern = (at) => {
  const parts = at.split('?')[0].split('/');
  const fits = (r) => {
    const own = r.pattern.split('/');
    return r.method === 'POST' && own.length === parts.length && own.every((p, i) => p[0] === ':' || p === parts[i]);
  };
  const list = routes.filter(fits).sort((a, b) => a.pattern.split(':').length - b.pattern.split(':').length);
  return list[0]?.pattern ?? null;
};

/* Names that differ by an image or a row are one. */
export const plain = (name) => name.replace(/-?\d+$/, '-N');
const namesOf = (form) => [...new Set(form.controls.map((c) => plain(c.name ?? '')).filter(Boolean))].sort();
export const keyOf = (form) => `${pattern(form.action)} ${namesOf(form).join(',')}`;

/* Something to type into or to choose from. */
export const typedControls = (form) => form.controls.filter((c) => c.name && c.name !== 'username' && (isText(c) || /^(select|radio|checkbox)$/.test(c.type)));

const linksOf = (html) => [...html.matchAll(/ href="(\/[^"#]*)/g)].map((m) => m[1].replaceAll('&amp;', '&'))
  .filter((at) => !/^\/(static|charts|api|help)|\.(csv|json|svg)|\/export/.test(at));

/* One address of each kind: which rows of a list are open is the same form. */
const kind = (at) => at.split('?')[0].replace(/\d+/g, 'N').replace(/n0000000N?/g, 'W') + (/[?&](do|decided|undo|set|all|show|value)=/.exec(at)?.[1] ?? '');

const page = async (client, at) => {
  const r = await client.get(at);
  const is = r.status === 200 && /text\/html/.test(r.headers.get('content-type') ?? '');
  return is ? r.text() : (await r.body?.cancel(), null);
};

/* Adds to `found` the forms of these pages and of those that they link to: { page, form, who }. */
async function collect(client, who, starts, found, most = 400) {
  const wait = [...starts], seen = new Map();
  for (let n = 0; n < wait.length && n < most; n++) {
    const html = await page(client, wait[n]);
    for (const form of html ? formsOf(html) : []) {
      const key = keyOf(form);
      if (!found.has(key)) found.set(key, { page: wait[n], form, who, key });
    }
    for (const at of who === 'visitor' || !html ? [] : linksOf(html)) {
      const k = kind(at);
      if (!wait.includes(at) && (seen.get(k) ?? 0) < 2) {
        seen.set(k, (seen.get(k) ?? 0) + 1);
        wait.push(at);
      }
    }
  }
}

/* Pages of workers, in each state of a place. */
async function workerPages(world) {
  const client = new Client(world.url);
  const id = world.unique('person');
  const { place, assignment } = await lease(client, id);
  const pages = ['/work/campaign/main', `/work/assignment/${assignment}`, `/work/assignment/${assignment}/flag`];
  const again = new Client(world.url);
  const at = `/work/place/${await join(again, id)}`;
  const fresh = `/work/place/${await join(new Client(world.url), world.unique('person'))}`;
  return [[client, [...pages, `/work/place/${place ?? ''}`]], [again, [`${at}/leave`, at]], [client, [fresh, `${fresh}/leave`]]];
}

/* A surge, somebody who flagged several, and flags that are dismissed. */
async function flags(world) {
  for (let n = 0; n < 3; n++) {
    const client = new Client(world.url);
    const { assignment } = await lease(client, world.unique('person'));
    for (let position = 0; position < 4; position++) {
      await client.json('POST', `/api/v1/assignments/${assignment}/flags`, { position, kind: 'other', note: 'odd' });
    }
    await answer(client, assignment, { client_id: world.unique('client-id') });
  }
}

/* Everybody has classified its images: their labels may be reviewed. */
async function answeredEvaluation(world) {
  await must(['evaluation', 'create', world.dir, 'answered', '--new', 'fresh', '--classes', 'n00000002', '--images', '1', '--seed', '1', '--people', 'keeper']);
  const r = await world.keeper.post('/evaluations/answered/0', { wnid: 'n00000002', do: 'save' });
  assert.equal(r.status, 303, await r.text());
  return '/evaluations/answered';
}

/* A choice is there where two sources score one set. */
export async function secondSource(world, at) {
  const file = writer(world.dir)(`${world.unique('second')}.csv`, 'image,p1\nn00000001-candidate-0,n00000002\n');
  await must(['import', 'predictions', world.dir, file, '--model', /models\/([^/]+)/.exec(at)[1]]);
}

/* Everything that a form may be about is there; `client` is an administrator. */
export async function everyForm(world, client) {
  const found = new Map();
  await flags(world);
  const starts = ['/', '/login', '/account', '/admin', '/jobs', '/history', '/flags?show=all', '/views/new', '/picks', '/picks/n00000001',
    '/sets/new?do=plan&strategy=top&set=sampled&answers=1', '/campaigns/settings/study', '/campaigns/main/participants'];
  for (const route of routes.filter((r) => r.method === 'POST' && !r.api)) {
    const at = await target(world, route);
    if (route.pattern.startsWith('/work/') || route.pattern === '/invite/:invite') continue;
    for (let p = at; p; p = p.replace(/\/[^/]*$/, '')) if (!starts.includes(p)) starts.push(p);
    if (route.pattern.endsWith('/sources')) {
      await secondSource(world, at);
      await collect(client, 'admin', [`${at}?set=fresh/0`], found, 1);
      await client.post(at, { ...world.chosen, reason: 'the newer one' });
      starts.push(`${at}?set=fresh/0`);
    }
    if (route.pattern.includes('/:wnid/frequencies')) await collect(client, 'admin', [...starts], found);
  }
  await client.post(`/flags/dismiss`, { person: (await world.keeper.json('GET', '/api/v1/campaigns/main/participants?limit=1')).body.items[0].pseudonym });
  await client.post(`/admin/accounts/${world.victim}/disable`, { password: world.password });
  await must(['label-review', 'change', world.dir, 'reviews', '--add', 'admin']);
  starts.push(await answeredEvaluation(world));
  await collect(client, 'admin', starts, found);
  for (const [who, pages] of await workerPages(world)) await collect(who, who, pages, found);
  const invite = await target(world, routes.find((r) => r.pattern === '/invite/:invite' && r.method === 'POST'));
  await collect(new Client(world.url), 'visitor', [invite, '/login'], found);
  return [...found.values()];
}

/* --- templates --- */

const literal = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const loose = (text) => new RegExp(`^${text.split(/\{\{[^}]*\}\}/).map(literal).join('[^?]*')}$`);

/* { file, line, action, names, typed } of every form that posts, as expressions that its pages fit; typed: it
 * asks for something. */
export function templateForms() {
  const dir = path.join(root, 'templates');
  const whole = (text) => text.replaceAll(/\{\{> ([^\s}]+)\}\}/g,
    (_, partial) => whole(fs.readFileSync(path.join(dir, `${partial}.mustache`), 'utf8')));
  const list = [];
  for (const file of fs.readdirSync(dir, { recursive: true }).filter((f) => f.endsWith('.mustache'))) {
    const text = fs.readFileSync(path.join(dir, file), 'utf8');
    for (const m of text.matchAll(/<form\b[^>]*method="post"[^>]*>([^]*?)<\/form>/g)) {
      const action = /action="([^"]*)"/.exec(m[0])[1];
      const names = [...whole(m[1]).matchAll(/<(?:input|select|textarea|button)\b[^>]*?\sname="([^"]*)"/g)].map((n) => loose(n[1]));
      list.push({ file, line: text.slice(0, m.index).split('\n').length, action: loose(action), names,
        typed: /<(select|textarea)|<input(?![^>]*type="hidden")/.test(m[1]) });
    }
  }
  return list;
}

/* Whether a form of a page may have come from this one of a template. */
export const isOf = (form, template) => template.action.test(form.action)
  && form.controls.every((c) => !c.name || c.name === 'form_page' || c.form || template.names.some((n) => n.test(c.name)));
