/* routes.mjs - the golden route table as data, and a plausible request for each of its rows. What
 * a row expects is read from the row; a new route is tried without a change here, a new parameter
 * or field should get a value. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { Client, PASSWORD, must, root, setCookies, until } from './lib.mjs';
import { SETS, addOnnx, dropModel, importSet, writer } from './model_world.mjs';
import { sqlite } from '../load/tools.mjs';
import { FULL, SMALL, answer, join, lease, newToken } from './study.mjs';

export const goldenFile = path.join(root, 'tests/http/routes.golden');

export const routes = fs.readFileSync(goldenFile, 'utf8').trimEnd().split('\n').map((line) => {
  const m = /^(\S+) +(\S+) +(none|worker|expert|lead|admin) +(-|csrf|capability|public) +(\d+) (.*)$/.exec(line);
  assert.ok(m, `routes.golden: ${line}`);
  const [, method, pattern, role, proof, limit, steps] = m;
  return {
    method, pattern, role, proof, limit: Number(limit), steps: steps.trim().split(' '),
    name: `${method} ${pattern}`, api: pattern.startsWith('/api/'), write: method !== 'GET',
  };
});

/* With every GET row once more as HEAD, right after it: what a group of rows needs is made and left once. */
export const routesAndHeads = routes.flatMap((r) => (r.method === 'GET'
  ? [r, { ...r, method: 'HEAD', write: false, name: `HEAD ${r.pattern}` }] : [r]));

/* What parameters stand for, made when a request needs it: `world` is { dir, url, keeper }. */
const values = {
  account: async (world) => world.victim,
  assignment: async (world, route) => {
    const client = new Client(world.url);
    const { assignment } = await lease(client, world.unique('person'));
    return route.pattern.startsWith('/campaigns/') ? newestAssignment(world) : assignment;
  },
  /* A new key of the link would keep everybody else out, and terms are a draft's: a campaign of its own. */
  campaign: async (world, route) => (/\/(study|terms)/.test(route.pattern) ? 'settings' : 'main'),
  chart: async () => 'help-binomial',
  decision: async (world) => newDecision(world),
  evaluation: async (world, route, login) => evaluation(world, route, login),
  example: async () => '0',
  file: async () => 'css/tokens.css',
  format: async () => 'svg',
  grid: async () => '1',
  image: async (world, route) => (route.pattern.startsWith('/duplicates/') ? newDuplicate(world)
    : route.pattern.startsWith('/guide/') ? (await sqlite(path.join(world.dir, 'holdout.db'), "SELECT id FROM image WHERE role = 'reference' LIMIT 1")).trim() : '1'),
  invite: async (world, route) => newInvite(world, route),
  job: async (world) => newJob(world),
  list: async (world, route, login) => (isTraining(route) ? training(world, route, login) : isLabels(route) ? 'reviews' : 'approve.csv'),
  /* One that is removed is of no use to the next request. */
  model: async (world, route) => (route.pattern.endsWith('/remove') ? newModel(world)
    : route.pattern.endsWith('/sources') && route.write ? newSources(world)
      : route.pattern.includes('/texts') ? speaker(world) : models(world)),
  other: async () => 'n00000002',
  person: async (world) => (await newParticipant(world)).pseudonym,
  position: async () => '0',
  rendition: async () => 'grid',
  revision: async () => '0',
  /* A state leads only onward: a revision of its own for each request. */
  plan: async (world) => labelPlan(world),
  place: async (world, route) => (/^\/(sets|duplicates)\//.test(route.pattern) ? '0' : placeOf(world, route)),
  set: async (world, route) => (/\/(blind|discriminator)/.test(route.pattern) ? apart(world) : /\/(shown|turns)/.test(route.pattern) ? newRound(world) : route.pattern.includes('/state') ? newSealed(world) : models(world).then(() => 'fresh')),
  source: async (world) => labelSource(world),
  state: async (world, route) => (route.pattern.startsWith('/sets/') ? 'frozen' : 'open'),
  subset: async (world) => namedSubset(world),
  superclasses: async (world) => superclassList(world),
  token: async (world, route, login) => String((await newToken(world.dir, login)).id),
  topic: async () => 'numbers',
  view: async (world) => newView(world),
  wnid: async () => 'n00000001',
};

/* The number of the assignment made last: leads name it so, workers by its token. */
async function newestAssignment(world) {
  const grids = (await world.keeper.json('GET', '/api/v1/campaigns/main/grids')).body.items;
  const lists = await Promise.all(grids.map(async ({ id }) =>
    (await world.keeper.json('GET', `/api/v1/grids/${id}`)).body.assignments));
  return Math.max(...lists.flat().map((a) => a.id));
}

/* Who has that id, as leads see them. */
async function participant(world, id) {
  let found;
  for (let after = 0; !found; ) {
    const { items, next } = (await world.keeper.json('GET',
      `/api/v1/campaigns/main/participants?panel_ids=yes&limit=500&after=${after}`)).body;
    found = items.find((p) => p.participant_id === id);
    after = next;
  }
  return found;
}

/* Somebody who joins. */
async function newParticipant(world) {
  const id = world.unique('person');
  await join(new Client(world.url), id);
  return participant(world, id);
}

const placeOf = async (world, route) => (route.pattern.startsWith('/campaigns/')
  ? String((await newParticipant(world)).place)
  : join(new Client(world.url), world.unique('person')));

/* A set that every reviewer has before them blindly: with a round that nobody began to go through. */
async function newRound(world) {
  await models(world);
  const r = await world.keeper.post('/sets/fresh/0/rounds', { originals: '10', repeats: '0' });
  assert.equal(r.status, 303, await r.text());
  const page = await world.keeper.page('/sets/fresh/0/n00000001');
  world.round = Object.fromEntries(['round', 'mixed_from'].map((name) =>
    [name, new RegExp(`name="${name}" value="(\\d+)"`).exec(page)[1]]));
  return 'fresh';
}

/* A decision that may be undone or gone on with: about an answer that was given for it. */
async function newDecision(world) {
  const client = new Client(world.url);
  const id = world.unique('person');
  const { assignment } = await lease(client, id);
  await answer(client, assignment, { client_id: world.unique('client-id') });
  const people = [(await participant(world, id)).pseudonym];
  const decide = () => world.keeper.json('POST', '/api/v1/decisions', { people, value: 'out', reason: 'test' });
  let r = await decide();
  /* One that a failure cut off stays until somebody goes on with it. */
  if (r.body.code === 'decision-unfinished') {
    const [, unfinished] = /^Decision (\d+) /.exec(r.body.detail);
    const more = await world.keeper.json('POST', `/api/v1/decisions/${unfinished}/continue`, {});
    assert.ok(more.status < 300, JSON.stringify(more.body));
    r = await decide();
  }
  assert.equal(r.status, 201, JSON.stringify(r.body));
  return String(r.body.decision.id);
}

/* The number of an invite for the admin pages, its link's token elsewhere. */
async function newInvite(world, route) {
  const r = await world.keeper.post('/admin/invites', { password: PASSWORD, role: 'worker', note: world.unique('note') });
  assert.equal(r.status, 303, await r.text());
  const once = /^holdout_once=invite\.([^;]+)/.exec(setCookies(r)[0])[1];
  if (!route.pattern.startsWith('/admin/')) return once;
  const page = await world.keeper.page('/admin');
  return Math.max(...[...page.matchAll(/\/admin\/invites\/(\d+)\/revoke/g)].map((m) => Number(m[1])));
}

/* A set, a model that can run and a file that may become one, made when a row first needs them. */
async function models(world) {
  world.models ??= (async () => {
    const file = writer(world.dir);
    dropModel(world.dir, 'dropped.onnx');
    await importSet(world.dir, file, 'fresh');
    await addOnnx(world.dir, file);
  })();
  await world.models;
  return 'net';
}

/* A model that answers in words. */
async function speaker(world) {
  await models(world);
  world.speaker ??= (async () => {
    const said = SETS.fresh.map(({ image }) => `${JSON.stringify({ image, text: 'a pear' })}\n`).join('');
    await must(['import', 'texts', world.dir, writer(world.dir)('said.jsonl', said), '--model', 'speaker', '--set', 'fresh']);
    await must(['map-texts', world.dir, '--model', 'speaker', '--mapping', 'words']);
  })();
  await world.speaker;
  return 'speaker';
}

/* Labels of the set that models are scored on. */
async function labelSource(world) {
  await models(world);
  world.labels ??= must(['import', 'labels', world.dir, writer(world.dir)('labels.csv', `image,label,verdict\n${SETS.fresh.map(({ image, wnid }) => `${image},${wnid},correct\n`).join('')}`), '--name', 'reviewed']);
  await world.labels;
  return 'reviewed';
}

/* Main labels of it, by which classes can be confused. */
async function mainSource(world) {
  await models(world);
  world.mains ??= must(['import', 'labels', world.dir, writer(world.dir)('mains.csv', `image,label,main\n${SETS.fresh.map(({ image, wnid }) => `${image},${wnid},1\n`).join('')}`), '--name', 'mains', '--kind', 'main']);
  await world.mains;
}

/* Potential labels and, by the same name, candidates of them. */
async function labelPlan(world) {
  await models(world);
  world.plan ??= (async () => {
    const labels = SETS.fresh.map(({ image }) => `${image},n00000001\n`).join('');
    await must(['potential', 'freeze', world.dir, '--name', 'asked', '--set', 'fresh', '--labels', writer(world.dir)('asked.csv', `image,wnid\n${labels}`), '--quiet']);
    await must(['candidates', 'freeze', world.dir, '--name', 'asked', '--potential', 'asked', '--quiet']);
  })();
  await world.plan;
  return 'asked';
}

async function superclassList(world) {
  world.superclasses ??= must(['superclasses', world.dir, 'kinds', writer(world.dir)('kinds.csv', 'class,superclass\nn00000001,stone\nn00000002,pome\n')]);
  await world.superclasses;
  return 'kinds';
}

async function namedSubset(world) {
  world.subset ??= must(['subset', world.dir, 'low', 'problematic']);
  await world.subset;
  return 'low';
}

/* A set that a model tried to tell from originals. */
async function apart(world) {
  world.apart ??= (async () => {
    const file = writer(world.dir);
    await importSet(world.dir, file, 'originals', ['--role', 'original']);
    await importSet(world.dir, file, 'apart', [], SETS.fresh);
    await must(['discriminate', world.dir, '--original', 'originals', '--new', 'apart']);
  })();
  await world.apart;
  return 'apart';
}

/* A set that is under construction. */
async function newSealed(world) {
  const name = world.unique('sealed');
  await importSet(world.dir, writer(world.dir), name, ['--sealed'], SETS.closed);
  return name;
}

/* Somebody has seen a candidate of each class, so that there is something to draw from. */
async function someVotes(world) {
  world.votes ??= (async () => {
    const client = new Client(world.url);
    for (const cells of [SMALL, FULL]) await answer(client, (await lease(client, world.unique('voter'), cells)).assignment);
  })();
  await world.votes;
}

/* Imported predictions. */
async function newModel(world) {
  const name = world.unique('model');
  const file = writer(world.dir)(`${name}.csv`, 'image,p1\nn00000001-original-0,n00000001\n');
  await must(['import', 'predictions', world.dir, file, '--model', name]);
  return name;
}

/* With predictions of an image of a set, of which one source may be chosen. */
async function newSources(world) {
  await models(world);
  const name = world.unique('model');
  const file = writer(world.dir)(`${name}.csv`, 'image,p1\nn00000001-candidate-0,n00000001\n');
  await must(['import', 'predictions', world.dir, file, '--model', name]);
  const { body } = await world.keeper.json('GET', `/api/v1/models/${name}/sources?set=fresh`);
  world.chosen = { set: 'fresh/0', source: String(body.sources[0].source) };
  return name;
}

/* One that waits in the queue. */
async function newJob(world) {
  const r = await world.keeper.json('POST', '/api/v1/jobs', { kind: 'train', arguments: { name: world.unique('model') } });
  assert.equal(r.status, 202, JSON.stringify(r.body));
  return String(r.body.id);
}

/* A vote view that may be changed, as the default one may not. */
async function newView(world) {
  const name = world.unique('view');
  const r = await world.keeper.post('/views', { name, kind: 'main', version: '0', do: 'save' });
  assert.equal(r.status, 303, await r.text());
  return name;
}

/* A flag of a person of its own, which may be dismissed; dismissed already when it is to be restored. */
async function newFlag(world, route) {
  const client = new Client(world.url);
  const id = world.unique('person');
  const { assignment } = await lease(client, id);
  await answer(client, assignment, { client_id: world.unique('client-id') });
  const flagged = await client.json('POST', `/api/v1/assignments/${assignment}/flags`, { position: 0, kind: 'other' });
  assert.equal(flagged.status, 200, JSON.stringify(flagged.body));
  const person = (await participant(world, id)).pseudonym;
  if (route.pattern === '/flags/dismiss') return { person };
  const r = await world.keeper.post('/flags/dismiss', { person });
  assert.equal(r.status, 303, await r.text());
  return { action: /dismissed=(\d+)/.exec(r.headers.get('location'))[1] };
}

const ofProject = (world, query) => sqlite(path.join(world.dir, 'holdout.db'), query).then((out) => out.trim());

/* While pictures are compared, what nobody has judged is not drawn. */
async function compare(world, on) {
  if (Boolean(world.compares) === on) return;
  await must(['near-metrics', world.dir, 'l2', '--size', '32', '--threshold', '1e15', ...(on ? [] : ['--off'])]);
  world.compares = on;
  const event = Number(await ofProject(world, 'SELECT max(id) FROM event;'));
  await until(async () => (await world.keeper.json('GET', '/api/v1/overview')).body.as_of >= event, 'the server has seen it');
}

/* A candidate whose neighbours somebody may judge: everything is near. */
async function newDuplicate(world) {
  world.searched ??= (async () => {
    await compare(world, true);
    await must(['neighbors', world.dir, '--metric', 'l2', '--all']);
    return ofProject(world, 'SELECT min(query) FROM near_close;');
  })();
  const id = await world.searched;
  await compare(world, true);
  const page = await world.keeper.page(`/duplicates/${id}`);
  world.look = Object.fromEntries(['seen', 'searches'].map((name) => [name, new RegExp(`name="${name}" value="(\\d+)"`).exec(page)[1]]));
  world.look[/name="(say-\d+)"/.exec(page)[1]] = 'not';
  return id;
}

/* Verdicts that may be taken back. */
async function newLook(world) {
  const id = await newDuplicate(world);
  const r = await world.keeper.post(`/duplicates/${id}`, world.look);
  assert.equal(r.status, 303, await r.text());
  return { look: await ofProject(world, 'SELECT max(id) FROM near_look;') };
}

/* Label reviews are open for those whose work they are; an expert with one sees nothing else, so it is theirs for these
 * rows alone. `login` has said something, where that is taken back. */
const isLabels = (route) => /\/(label-reviews|labels\/:list)/.test(route.pattern);
const REVIEWERS = 'expert,lead,admin,keeper';
async function desk(world, route, login) {
  const on = isLabels(route);
  if (on && world.reviews === undefined) {
    await models(world);
    await must(['label-review', 'create', world.dir, 'reviews', '--set', 'fresh', '--repeats', '0', '--reviewers', '9']);
  }
  if (on || world.reviews) {
    if (on !== world.reviews) await must(['label-review', 'change', world.dir, 'reviews', on ? '--add' : '--remove', REVIEWERS]);
    world.reviews = on;
  }
  if (/\/(undo|stand)$/.test(route.pattern) && on) {
    const said = writer(world.dir)('verdicts.csv', `image,label,verdict\n${SETS.fresh[0].image},n00000001,correct\n`);
    for (const who of [login, ...(route.pattern.endsWith('/stand') ? ['keeper'] : [])]) await must(['label-review', 'import', world.dir, 'reviews', said, '--by', who]);
    world.said = Number(await ofProject(world, `SELECT max(k.id) FROM label_look k JOIN account a ON a.id = k.account JOIN identity i ON i.person = a.person WHERE i.external_id = '${login}' AND k.part = 'review' AND NOT EXISTS (SELECT 1 FROM label_look u WHERE u.undoes = k.id);`));
  }
}

/* A training list; whoever suggests something about a label has chosen it before. */
const isTraining = (route) => /\/training(\/|$)/.test(route.pattern);
async function training(world, route, login) {
  if (!world.training) {
    const images = Array.from({ length: 4 }, (_, i) => `n00000001-original-${i}\n`).join('');
    await must(['training', 'create', world.dir, 'learn', '--of', 'file', '--file', writer(world.dir)('learn.csv', `image\n${images}`)]);
    world.training = 'learn';
  }
  if (route.pattern.endsWith('/suggest') && REVIEWERS.split(',').includes(login)) {
    const { token } = await newToken(world.dir, login, login === 'keeper' ? 'admin' : login);
    const r = await fetch(`${world.url}/api/v1/training/learn/items/0`, { method: 'POST', body: '{"wnid": "n00000001"}',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` } });
    assert.equal(r.status, 201, await r.text());
  }
  return world.training;
}

/* The same with evaluations. Whoever answers has a list of one image of their own, a new one where it is shown once. */
const isEvaluation = (route) => /\/evaluations(\/|$)/.test(route.pattern);
async function leaveEvaluations(world, route) {
  if (isEvaluation(route)) return;
  for (const [login, name] of world.evaluations ?? []) await must(['evaluation', 'change', world.dir, name, '--remove', login]);
  world.evaluations = [];
}
async function evaluation(world, route, login) {
  const answers = route.steps.includes('desk') && ['expert', 'lead', 'admin', 'keeper'].includes(login);
  const own = answers && world.evaluations.findLast(([of]) => of === login);
  await models(world);
  if (own && !route.pattern.endsWith('/image')) return own[1];
  const name = answers ? world.unique('evaluation') : 'everybody';
  if (answers || !world.everybody) await must(['evaluation', 'create', world.dir, name, '--new', 'fresh', '--classes', 'n00000002', '--images', '1', '--seed', '1', ...(answers ? ['--people', login] : [])]);
  if (answers) world.evaluations.push([login, name]);
  else world.everybody = true;
  return name;
}

/* The completion code of who joined last. */
const lastCode = async (world) => (await sqlite(path.join(world.dir, 'holdout.db'),
  'SELECT code FROM place ORDER BY id DESC LIMIT 1;')).trim();

/* What an address must say besides its parameters. */
const QUERIES = {
  '/api/v1/sets/new': '?strategy=top', '/api/v1/label-reviews/new': '?name=planned&set=fresh', '/api/v1/labels/:source/scores.csv': '?set=fresh', '/api/v1/subsets/:subset/images.csv': '?set=fresh',
  '/api/v1/measures/cooccurrence': '?set=fresh&labels=reviewed', '/api/v1/measures/cooccurrence.csv': '?set=fresh&labels=reviewed',
  '/api/v1/measures/pairs': '?set=fresh&labels=mains', '/api/v1/measures/pairs.csv': '?set=fresh&labels=mains',
  '/sets/:set/:revision/blind/:place': '?class=n00000001&seed=1',
};

/* The row's address with a value for every parameter; `login` is who will own what is made. */
export async function target(world, route, login = 'admin') {
  const parts = [];
  if (/^\/(models|label-plans|evaluations)$|label(-review)?s\/new$/.test(route.pattern)) await models(world);
  await desk(world, route, login);
  await leaveEvaluations(world, route);
  if (/\/measures\/(adjusted$|bins\.)/.test(route.pattern)) await apart(world); /* a pair of sets */
  if (/\/measures\/cooccurrence/.test(route.pattern)) await labelSource(world);
  if (/\/measures\/pairs/.test(route.pattern)) await mainSource(world);
  if (route.pattern.endsWith('/sets/new')) {
    await someVotes(world);
    await compare(world, false);
  }
  if (/^\/flags\/(dismiss|restore)$/.test(route.pattern)) world.flag = await newFlag(world, route);
  if (route.pattern === '/duplicates/undo') world.look = await newLook(world);
  for (const part of route.pattern.split('/')) {
    const name = /^[:*]/.test(part) ? part.slice(1) : null;
    parts.push(!name ? part : name in values ? await values[name](world, route, login) : '1');
  }
  if (route.pattern.endsWith('/proof')) world.completion = { code: await lastCode(world) };
  const shown = /^\/duplicates\/.*\/shown\//.test(route.pattern) ? `?searches=${world.look.searches}` : '';
  return parts.join('/') + (QUERIES[route.pattern] ?? shown);
}

/* Of a study. */
const SETTINGS = {
  source: 'panel', id_parameters: 'PROLIFIC_PID', partial_grids: '1', place_minutes: '240',
  language: 'en', consent_text: 'What we keep.',
  ...Object.fromEntries(['partial', 'screened-out', 'no-consent', 'technical', 'withdrawn', 'full']
    .map((outcome) => [`code_${outcome}`, 'CODE'])),
};

/* Fields that suit every form, members that suit every JSON body: what a row does not know it
 * ignores. */
export function fields(world, route, login) {
  return {
    login: route.pattern.startsWith('/invite/') ? world.unique('new') : login,
    password: PASSWORD, old_password: PASSWORD, new_password: PASSWORD, role: 'worker', days: '1',
    name: 'test', note: 'test', next: '/', how: 'stop', ...SETTINGS,
    worker: world.unique('person'), cell: '0',
    client_id: world.unique('client-id'), reason: 'test', text: 'test',
    kind: route.pattern.startsWith('/workers/') ? 'note' : 'other',
    what: route.pattern === '/duplicates/search' ? 'usual' : 'set:fresh/0',
    ...(route.pattern === '/models' ? { file: 'dropped.onnx' } : {}),
    ...(route.pattern === '/measures/superclasses' ? { name: world.unique('superclasses'), list: 'class,superclass\nn00000001,stone\nn00000002,pome\n' } : {}),
    ...(route.pattern === '/measures/subsets' ? { name: world.unique('subset'), definition: 'problematic' } : {}),
    ...(route.pattern === '/views' ? { name: world.unique('view'), kind: 'main' } : {}),
    decision: route.pattern.startsWith('/campaigns/') ? 'approve' : 'clear',
    fit: 'people', ...world.flag, ...world.completion,
    seen: '0', originals: '10', repeats: '5', ...world.round,
    ...(route.pattern.startsWith('/duplicates/') ? world.look : {}),
    ...(route.pattern === '/models/:model/sources' ? world.chosen : {}),
    ...(route.pattern.endsWith('/terms') ? { title: 'Fruit', pay: '1.50', grids_per_place: '2', minutes: '5', max_share: '50' } : {}),
    ...(route.pattern.endsWith('/discriminator') ? { original: 'originals/0', features: 'statistics' } : {}),
    ...(route.pattern === '/picks' ? { size: '5' } : {}),
    ...(route.pattern === '/guide/:wnid/edit' ? { text: world.unique('What it looks like'), was: '0', do: 'preview' } : {}),
    ...(route.pattern === '/guide/:wnid/relations' ? { kind: 'confusable', other: 'n00000002', do: 'save', seen: '-1' } : {}),
    ...(isLabels(route) ? { 'say-n00000001': 'correct', do: route.pattern.endsWith('/change') ? 'add' : route.pattern.endsWith('/stand') ? 'keep' : 'save', look: world.said } : {}),
    ...(isTraining(route) ? { choice: 'n00000001', verdict: 'correct', do: route.pattern.endsWith('/change') ? 'open' : 'check', name: world.unique('training'), of: 'file', rows: 'n00000001-original-0' } : {}),
    ...(isEvaluation(route) ? { wnid: 'n00000001', do: route.pattern.endsWith('/change') ? 'remove' : 'save' } : {}),
    ...(route.pattern === '/evaluations' ? { name: world.unique('made'), new: 'fresh/0' } : {}),
    ...(route.pattern === '/picks/:wnid' ? { do: 'picked' } : {}),
    ...(route.pattern === '/label-sources' ? { name: world.unique('source'), kind: '', labels: 'image,label\nn00000001-candidate-0,n00000001\n' } : {}),
    ...(route.pattern === '/labels/new' ? { name: world.unique('review'), set: 'fresh/0', do: 'make' } : {}),
    ...(route.pattern === '/label-plans' ? { name: 'made', set: 'fresh/0', models: 'net', top: '2' } : {}),
    ...(route.pattern === '/campaigns/new' ? { task: 'contains', kind: 'main', campaign: 'asked', title: 'Fruit' } : {}),
    ...(route.pattern.endsWith('/freeze') ? { version: '1', name: 'frozen' } : {}),
    ...(route.pattern === '/sets/new' ? { set: 'sampled', strategy: 'top', answers: '1' } : {}),
  };
}

export const members = (world, route) => ({
  password: PASSWORD,
  client_id: world.unique('client-id'), selected: [0], active_ms: 900, device: { columns: 8 },
  position: 0, kind: 'other', fit: 'people', reason: 'test',
  source: 'panel', external_id: world.unique('person'), name: 'test', role: 'worker', days: 1,
  ...world.completion,
  ...(route?.pattern === '/api/v1/classes/:wnid/decisions'
    ? { images: [{ image: 'n00000001-candidate-0', banned: true, reason: 'class' }] } : {}),
  ...(route?.pattern === '/api/v1/guide/:wnid' ? { text: world.unique('What it looks like'), was: -1 } : {}),
  ...(route?.pattern === '/api/v1/guide/relations' ? { a: 'n00000001', b: 'n00000002', kind: 'confusable', note: world.unique('why') } : {}),
  ...(route?.pattern.endsWith('/state') ? { state: 'frozen' } : {}),
  ...(route && isLabels(route) ? { verdicts: { n00000001: 'correct' }, look: world.said, stand: 'keep', do: 'add', login: 'keeper' } : {}),
  ...(route && isTraining(route) ? { wnid: 'n00000001', verdict: 'correct', name: world.unique('training'), of: 'file', rows: 'n00000001-original-0' } : {}),
  ...(route && isEvaluation(route) ? { wnid: 'n00000001', do: 'remove', login: 'expert' } : {}),
  ...(route?.pattern === '/api/v1/labels' ? { name: world.unique('source'), labels: 'image,label\nn00000001-candidate-0,n00000001\n', kind: 'labels' } : {}),
  ...(route?.pattern === '/api/v1/jobs' ? { kind: 'train', arguments: { name: 'trained' } } : {}),
});

/* { method, headers, body } of the row's request; the CSRF token goes where the row's kind of
 * client puts it. */
export function options(world, route, login, { csrf, headers = {} } = {}) {
  if (!route.write) return { method: route.method, headers };
  if (route.api) {
    return {
      method: route.method,
      headers: { 'content-type': 'application/json', 'if-match': '*', ...(csrf ? { 'x-csrf-token': csrf } : {}), ...headers },
      body: route.method === 'DELETE' ? undefined : JSON.stringify(members(world, route)),
    };
  }
  const body = new URLSearchParams({ ...(csrf ? { csrf } : {}), ...fields(world, route, login) });
  return { method: route.method, headers, body };
}

/* What every request above needs: `study` is what startStudy gives. */
export async function newWorld({ dir, server }) {
  await must(['grids', dir, '--campaign', 'settings', '--seed', '2']);
  let n = 0;
  const world = {
    dir, server, url: server.url, keeper: await new Client(server.url).login('keeper'),
    unique: (word) => `${word}-${++n}`,
  };
  const page = await world.keeper.page('/admin');
  const ids = [...page.matchAll(/\/admin\/accounts\/(\d+)\/role/g)].map((m) => Number(m[1]));
  world.victim = String(Math.max(...ids)); /* the account made last */
  return world;
}

/* Everybody's client by login for a request that may be a write. Signing in takes longer than most requests: it is done
 * again only where a write ended the session or took another, as accepting an invite does. */
export function people(world) {
  const clients = new Map();
  const keeps = async ({ client, session, wrote }) =>
    !wrote || (client.cookies.get('holdout_session') === session && await client.signedIn());
  return async (login, { write }) => {
    let known = clients.get(login);
    if (!known || !await keeps(known)) {
      const client = await new Client(world.url).login(login);
      known = { client, session: client.cookies.get('holdout_session') };
      clients.set(login, known);
    }
    known.wrote = write;
    return known.client;
  };
}
