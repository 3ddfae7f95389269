/* Every form of the product, sent empty and with wrong values as a browser without scripts sends it. Which
 * forms there are says the route table: a row without an entry here fails. What was typed is kept, the
 * message stands beside its field, the first wrong field has the focus, and no page is a dead end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { secondSource } from './all_forms.mjs';
import { Client, PASSWORD, must } from './lib.mjs';
import { fieldsOf, formsOf, isText, leadsTo } from './page_forms.mjs';
import { newWorld, routes, target } from './routes.mjs';
import { answer, join, lease, startStudy } from './study.mjs';

const LONG = 'x'.repeat(3000);
const ODD = 'wrong "<value>" é';

/* Whose answer a form needs: `page` is where it stands, when that is not found from its address; `tries` are
 * what is typed: [fields, the first wrong field or null where nothing is wrong]. `button` is pressed. */
const FORMS = new Map([
  ['/account/password', { tries: [[{}, 'old_password'], [{ old_password: 'no' }, 'old_password'], [{ old_password: PASSWORD, new_password: 'short' }, 'new_password']] }],
  ['/account/sessions/end', { tries: [[{}, null]] }],
  ['/account/tokens/:token/revoke', { tries: [[{}, null]] }],
  ['/admin/accounts/:account/disable', { tries: [[{}, 'password'], [{ password: ODD }, 'password']] }],
  ['/admin/accounts/:account/enable', { before: disable, tries: [[{}, 'password'], [{ password: ODD }, 'password']] }],
  ['/admin/accounts/:account/role', { tries: [[{}, 'password'], [{ password: ODD }, 'password']] }],
  ['/admin/invites', { tries: [[{}, 'password'], [{ password: PASSWORD, note: LONG }, 'note']] }],
  ['/admin/invites/:invite/revoke', { tries: [[{}, null]] }],
  ['/admin/tokens', { tries: [[{}, 'password'], [{ password: PASSWORD }, 'name'], [{ password: PASSWORD, name: 'x', days: ODD }, 'days'], [{ password: PASSWORD, name: LONG, days: '1' }, 'name']] }],
  ['/admin/tokens/:token/revoke', { tries: [[{}, null]] }],
  ['/campaigns/:campaign/participants/:place/pay', { button: 'reject', tries: [[{}, 'reason'], [{ reason: LONG }, 'reason'], [{ reason: 'x', bonus: ODD }, 'bonus']] }],
  ['/campaigns/:campaign/state/:state', { at: '/campaigns/settings/state/open', page: () => '/campaigns/settings/plan', tries: [[{}, null]] }],
  ['/campaigns/:campaign/study', { tries: [[{}, 'source'], [{ source: ODD, link_key: ODD }, 'link_key'],
    [{ source: 'panel', signing: ODD, signing_key: LONG }, 'signing'], [{ signing: 'RS256', signing_key: ODD }, 'signing_key']] }],
  ['/campaigns/:campaign/study/consent', { tries: [[{}, 'consent_text']] }],
  ['/campaigns/:campaign/study/key', { tries: [[{}, null]] }],
  ['/campaigns/:campaign/terms', { at: '/campaigns/fresh/terms', before: freshDraft, page: () => '/campaigns/fresh/plan', tries: [[{}, 'title'],
    [{ title: ODD, pay: ODD }, 'pay'], [{ title: ODD, pay: '1.50', grids_per_place: '1', minutes: ODD }, 'minutes'], [{ title: LONG }, 'title']] }],
  ['/campaigns/new', { tries: [[{ campaign: '' }, 'campaign'], [{ campaign: ODD, title: ODD }, 'campaign'], [{ campaign: 'new' }, 'campaign'], [{ campaign: 'x', title: '' }, 'title'], [{ campaign: 'main' }, 'campaign']] }],
  ['/classes/:wnid/decisions', { tries: [[{ 'note-13': LONG }, null]] }],
  ['/decisions', { page: somebodyOut, tries: [[{}, 'reason'], [{ reason: LONG }, 'reason']] }],
  ['/decisions/:decision/continue', { none: 'only while a decision is cut off' }],
  ['/decisions/:decision/undo', { page: () => '/history', tries: [[{}, null]] }],
  ['/duplicates/:image', { none: 'verdicts of neighbours (duplicates.test.mjs)' }],
  ['/duplicates/undo', { none: 'a button that names what it takes back' }],
  ['/duplicates/search', { none: 'a choice that always has a value (duplicates.test.mjs)' }],
  ['/evaluations', { tries: [[{}, 'name'], [{ name: ODD }, 'name'], [{ name: 'x', new: '' }, 'original'], [{ name: 'x', new: 'fresh/0', images: ODD }, 'images'],
    [{ name: 'x', new: 'fresh/0', images: '4', classes: LONG }, 'classes']] }],
  ['/evaluations/:evaluation/:position', { none: 'a choice of a class; what is refused: evaluation.test.mjs' }],
  ['/evaluations/:evaluation/change', { none: 'a choice and buttons' }],
  ['/flags/:image', { page: flagged, button: 'takedown', tries: [[{}, 'reason'], [{ reason: LONG }, 'reason']] }],
  ['/flags/dismiss', { none: 'a button that names its flags' }],
  ['/flags/restore', { none: 'a button that names what it restores' }],
  ['/guide/:wnid/edit', { none: 'a text of any kind; what is refused: label_review.test.mjs' }],
  ['/guide/:wnid/relations', { none: 'a choice of a class; what is refused: label_review.test.mjs' }],
  ['/invite/:invite', { visitor: true, tries: [[{}, 'login'], [{ login: ODD, new_password: PASSWORD }, 'login']] }],
  ['/jobs/:job/again', { none: 'only of a job that has ended' }],
  ['/jobs/:job/cancel', { tries: [[{}, null]] }],
  ['/labels/:list/:position', { none: 'a choice for each label; what is refused: label_review.test.mjs' }],
  ['/labels/:list/adjudicate/:position', { none: 'the same form' }],
  ['/labels/:list/change', { none: 'a choice and buttons' }],
  ['/labels/:list/:position/stand', { none: 'buttons' }],
  ['/labels/new', { tries: [[{}, 'name'], [{ name: 'x', reviewers: '10' }, 'reviewers'], [{ name: ODD }, 'name'], [{ name: 'x', images: '999' }, 'images']] }],
  ['/labels/:list/undo', { none: 'a button that names what it takes back' }],
  ['/login', { visitor: true, tries: [[{}, 'login'], [{ login: ODD, password: ODD }, 'login']] }],
  ['/logout', { none: 'a button' }],
  ['/label-sources', { tries: [[{}, 'name'], [{ name: ODD }, 'name'], [{ name: 'x' }, 'labels']] }],
  ['/label-plans', { tries: [[{}, 'name'], [{ name: LONG }, 'name'], [{ name: 'x' }, 'models']] }],
  ['/label-plans/potential/:plan/freeze', { tries: [[{}, 'name'], [{ name: ODD }, 'name']] }],
  ['/measures/subsets', { tries: [[{}, 'name'], [{ name: ODD }, 'name'], [{ name: 'x', definition: ODD }, 'definition'], [{ name: 'x', definition: 'problematic', note: LONG }, 'note']] }],
  ['/measures/superclasses', { tries: [[{}, 'name'], [{ name: ODD }, 'name'], [{ name: 'x' }, 'list'], [{ name: 'x', list: ODD }, 'list']] }],
  ['/models', { tries: [[{}, 'name'], [{ name: ODD, note: ODD }, 'name']] }],
  ['/models/:model/facts', { tries: [[{ group: LONG }, 'group'], [{ year: ODD }, 'year'], [{ parameters: '-1' }, 'parameters']] }],
  ['/models/:model/note', { tries: [[{ note: LONG }, 'note']] }],
  ['/models/:model/predict', { tries: [[{ what: 'class', wnid: ODD }, 'wnid']] }],
  ['/models/:model/remove', { tries: [[{ reason: LONG }, 'reason']] }],
  ['/models/:model/sources', { before: (world, client, at) => secondSource(world, at), page: (at) => `${at}?set=fresh/0`, tries: [[{}, 'reason'], [{ reason: LONG }, 'reason']] }],
  ['/picks', { tries: [[{}, 'size'], [{ size: ODD, keywords_most: ODD }, 'size']] }],
  ['/picks/:wnid', { tries: [[{ note: LONG }, null]] }],
  ['/sets/:set/:revision/:wnid/frequencies', { tries: [[{}, null]] }],
  ['/sets/:set/:revision/:wnid/turns', { tries: [[{}, null]] }],
  ['/sets/:set/:revision/discriminator', { tries: [[{}, null]] }],
  ['/sets/:set/:revision/export', { tries: [[{}, null]] }],
  ['/sets/:set/:revision/rounds', { page: (at) => at.replace(/rounds$/, 'review'), tries: [[{}, 'originals'], [{ originals: ODD, repeats: '5' }, 'originals']] }],
  ['/sets/:set/:revision/state/:state', { tries: [[{}, 'reason'], [{ reason: LONG }, 'reason']] }],
  ['/sets/new', { page: () => '/sets/new?do=plan&strategy=top&set=sampled&answers=1', tries: [[{}, null]] }],
  ['/views', { page: () => '/views/new', button: 'save', tries: [[{ name: '' }, 'name'], [{ name: ODD, description: ODD }, 'name']] }],
  ['/work/assignment/:assignment', { visitor: true, tries: [[{}, null]] }],
  ['/training', { tries: [[{}, 'name'], [{ name: ODD }, 'name'], [{ name: 'x', unlocks: ODD }, 'unlocks'], [{ name: 'x', mark: ODD }, 'mark'],
    [{ name: 'x', mark: '80', classes: ODD }, 'classes']] }],
  ['/training/:list/:position', { none: 'a choice of a class; what is refused: training.test.mjs' }],
  ['/training/:list/:position/suggest', { none: 'buttons; what is refused: training.test.mjs' }],
  ['/training/:list/change', { none: 'buttons' }],
  ['/work/assignment/:assignment/flag', { page: (at) => at, visitor: true, tries: [[{}, 'cell'], [{ cell: '0', note: ODD }, 'kind']] }],
  ['/work/campaign/:campaign', { visitor: true, tries: [[{}, null]] }],
  ['/work/campaign/:campaign/decline', { visitor: true, tries: [[{}, null]] }],
  ['/work/place/:place/leave', { visitor: true, page: (at) => at, tries: [[{}, null]] }],
  ['/work/place/:place/proof', { visitor: true, before: guest, page: (at) => at.replace(/proof$/, 'leave'), tries: [[{}, 'code'], [{ code: ODD }, 'code']] }],
  ['/work/place/:place/next', { visitor: true, tries: [[{}, null]] }],
  ['/workers/:person/forget', { page: (at) => at, tries: [[{}, null]] }],
  ['/workers/:person/notes', { before: someone, tries: [[{}, 'text'], [{ text: LONG }, 'text']] }],
]);

async function freshDraft(world) {
  await must(['grids', world.dir, '--campaign', 'fresh', '--kind', 're-measurement', '--quiet']);
}

async function disable(world, client, at) {
  const r = await client.post(at.replace('enable', 'disable'), { password: PASSWORD });
  assert.equal(r.status, 303, await r.text());
}

/* Whoever answered is on the page of people. */
async function someone(world) {
  const client = new Client(world.url);
  const { assignment } = await lease(client, world.unique('person'));
  await answer(client, assignment, { client_id: world.unique('client-id') });
  const { items } = (await world.keeper.json('GET', '/api/v1/campaigns/main/participants?limit=500')).body;
  return `/workers/${items.find((p) => p.grids_answered > 0).pseudonym}/notes`;
}

/* Who comes with somebody's id has a secret that proves nothing. */
async function guest(world) {
  const id = world.unique('person');
  await join(new Client(world.url), id);
  return `/work/place/${await join(new Client(world.url), id)}/proof`;
}

async function somebodyOut(at, world) {
  const notes = await someone(world);
  return `/decisions/new?value=out&person=${/workers\/(\w+)/.exec(notes)[1]}`;
}

async function flagged(at, world) {
  const client = new Client(world.url);
  const { assignment } = await lease(client, world.unique('person'));
  await client.json('POST', `/api/v1/assignments/${assignment}/flags`, { position: 0, kind: 'other', note: 'odd' });
  return '/flags?show=all';
}

const posts = routes.filter((r) => r.method === 'POST' && !r.api);

/* The page on which the form stands: its own address or one above it. */
async function pageWith(client, at, page) {
  const tries = page ? [page] : [];
  for (let p = at; p && !page; p = p.replace(/\/[^/]*$/, '')) tries.push(p);
  for (const one of tries) {
    const r = await client.get(one);
    const html = await r.text();
    if (r.status === 200 && formsOf(html).some((f) => leadsTo(f, at) || page === '/flags?show=all')) return { page: one, html };
  }
  assert.fail(`no page has a form for ${at}: ${tries.join(', ')}`);
}

const headingOf = (html) => /<h1[^>]*>([^]*?)<\/h1>/.exec(html)?.[1].replace(/<[^>]*>/g, '').trim();

function refused(r, html, was, form, typed, field) {
  assert.ok(r.status >= 400 && r.status < 500, `${r.status}`);
  assert.equal(headingOf(html), headingOf(was), 'the same page');
  assert.match(html, /role="alert"/);
  const at = formsOf(html).find((f) => f.action === form.action && f.controls.some((c) => c.name === field));
  assert.ok(at, `the form with ${field} is there`);
  for (const c of at.controls.filter(isText).filter((x) => x.type !== 'password' && x.name in typed)) {
    assert.equal(c.value, typed[c.name], `${c.name} keeps what was typed`);
  }
  const wrong = at.controls.find((c) => c.name === field && c.invalid);
  assert.ok(wrong, `${field} is marked; marked are: ${at.controls.filter((c) => c.invalid).map((c) => c.name)}`);
  const ids = (wrong.describedby ?? '').split(' ');
  const says = ids.map((id) => new RegExp(`id="${id}"[^>]*>([^<]+)<`).exec(html)?.[1]).filter(Boolean).join(' ');
  assert.match(says, /\w+ \w+/, `${field} has its message beside it`);
  assert.ok(wrong.focused, `${field} has the focus`);
}

async function tried(world, client, route, entry, typed, field) {
  let at = entry.at ?? await target(world, route);
  at = await entry.before?.(world, client, at) ?? at;
  const { page, html } = await pageWith(client, at, await entry.page?.(at, world));
  const forms = formsOf(html).filter((f) => leadsTo(f, at));
  const form = (forms.length ? forms : formsOf(html).filter((f) => f.action.startsWith('/flags/'))).find((f) => !field || f.controls.some((c) => c.name === field));
  assert.ok(form, `${page} has a form with ${field}`);
  const texts = Object.fromEntries(form.controls.filter(isText).map((c) => [c.name, field === null || route.pattern === '/views' ? c.value : '']));
  const values = { ...texts, ...typed };
  const named = form.controls.filter((c) => c.tag === 'button' && c.name);
  const button = named.find((c) => c.value === entry.button) ?? named[0];
  const to = forms.length ? at : form.action;
  const r = await client.fetch(to, { method: 'POST', body: fieldsOf(form, values, button) });
  const reply = await r.text();
  if (field === null) {
    assert.ok(r.status < 400, `${r.status} ${/role="alert"[^]{0,300}/.exec(reply)?.[0] ?? reply.slice(0, 500)}`);
  } else {
    refused(r, reply, html, form, values, field);
  }
}

test('every form, empty and wrong', async (t) => {
  const world = await newWorld(await startStudy(t));
  for (const route of posts) {
    const entry = FORMS.get(route.pattern);
    await t.test(route.pattern, async () => {
      assert.ok(entry, 'a form needs an entry in FORMS');
      for (const [typed, field] of entry.tries ?? []) {
        const client = new Client(world.url);
        if (!entry.visitor) await client.login('admin');
        await tried(world, client, route, entry, typed, field);
      }
    });
  }
  assert.deepEqual([...FORMS.keys()].filter((p) => !posts.some((r) => r.pattern === p)), [], 'entries without a row');
});
