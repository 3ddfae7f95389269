/* What openapi.json says of replies is what is replied: every reply is asked for and every object of it is held against
 * its schema, in both directions. An address that is not described, or that this test does not ask for, fails it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client, PASSWORD, must, newProject, startServer, tempDir } from './lib.mjs';
import { HIGH, SETS, addHalfModel, addHierarchy, addLateModel, addMeasuresWorld } from './measures_world.mjs';
import { SETS as MODEL_SETS, addModels, importSet, writer } from './model_world.mjs';
import { world as nearWorld } from './near_world.mjs';
import { ASKED_SETS, makeSets } from './records_sets.mjs';
import { SMALL, answer, join, lease, newToken, next, startStudy } from './study.mjs';

const TYPES = {
  string: (v) => typeof v === 'string',
  integer: Number.isInteger,
  number: Number.isFinite,
  boolean: (v) => typeof v === 'boolean',
  array: Array.isArray,
  object: (v) => typeof v === 'object' && !Array.isArray(v),
};

/* Objects under allOf are one object. */
function resolve(doc, schema) {
  if (schema.$ref) return resolve(doc, schema.$ref.slice(2).split('/').reduce((o, k) => o[k], doc));
  if (!schema.allOf) return schema;
  const parts = schema.allOf.map((s) => resolve(doc, s));
  return {
    type: 'object',
    nullable: schema.nullable,
    properties: Object.assign({}, ...parts.map((p) => p.properties)),
    required: parts.flatMap((p) => p.required ?? []),
  };
}

const seen = new Set(); /* descriptions of members that a reply had, and not as null */

/* An object has the members that its schema names and no others; one of which it names none has any. */
function holds(doc, given, value, at) {
  const schema = resolve(doc, given);
  if (value === null) {
    assert.ok(schema.nullable, `${at} is null`);
    return;
  }
  assert.ok(TYPES[schema.type](value), `${at} is no ${schema.type}: ${JSON.stringify(value)}`);
  if (schema.format === 'date-time') assert.match(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, at);
  if (schema.items) value.forEach((v, i) => holds(doc, schema.items, v, `${at}[${i}]`));
  for (const name of schema.required ?? []) assert.ok(name in value, `${at} has ${name}`);
  for (const [name, one] of Object.entries(schema.properties ?? {})) {
    assert.ok(one.description, `${at}.${name} has a description`);
    if (value[name] !== undefined && value[name] !== null) seen.add(one);
    if (name in value) holds(doc, one, value[name], `${at}.${name}`);
  }
  const named = Object.keys(schema.properties ?? {});
  if (named.length) assert.deepEqual(Object.keys(value).filter((k) => !named.includes(k)), [], `${at}: unknown`);
}

const decide = (w, members) => w.lead.json('POST', '/api/v1/decisions', { people: [w.eve], value: 'out', reason: 'why', ...members });
const undo = (w, members) => w.lead.json('POST', `/api/v1/decisions/${w.decision}/undo`, members);
const job = ({ lead }, model) => lead.json('POST', '/api/v1/jobs', { kind: 'predict', arguments: { model } });

/* Members that no reply here has, or has as null alone: they need a reviewed world, a job's process, features, a panel or
 * thousands of answers, and are looked at by the tests of those. One more fails, and so does one that is replied. */
const NEVER = {
  adjusted_figure: 'warning',
  adjusted_gaps: 'measured_again',
  assignment: 'rule',
  bias_design: 'answers held_out held_out_mean hi images kept_mean lo original_mean value',
  bias_measured_again: 'campaigns difference first_original first_set images left_out_votes left_out_workers original originals set votes workers',
  blind_reviewer: 'alike images login probes turns',
  campaign_coverage: 'next',
  candidate_labels: 'frequency',
  campaign_pay: 'rate_cents',
  classes_of_set: 'strength',
  decision: 'bonus undone_by',
  decision_effect: 'losing_more',
  decision_preview: 'places_more',
  disagreeing: 'blocked n pseudonym relative simulated text url',
  effect_class: 'after before url wnid words',
  features: 'at dim file origin output rows rows_text',
  grid: 'excluded',
  job: 'result started_at',
  job_result: 'text url',
  label_plan: 'by',
  label_review_facts: 'candidates sources',
  link: 'url',
  matching_bias: 'measured_again',
  matrix_likeness: 'any human other',
  model_details: 'job mixed',
  model_on_set: 'top5',
  near_agreement: 'kappa',
  near_beyond: 'share share_hi share_lo',
  near_metric: 'model',
  near_originals: 'share share_hi share_lo',
  participant_item: 'arrival hourly_rate',
  plan_change: 'is label name was',
  plan_part: 'next',
  plan_tile: 'unit',
  prediction_source: 'set',
  review_class: 'shown_to',
  review_share: 'hi k lo n share text',
  review_shown: 'at event login wnid',
  revision_average: 'at_draw',
  revision_diff: 'next',
  said_frequency: 'others_frequency',
  seen_answer: 'seconds',
  seal_opening: 'at images reason set through',
  seal_scored_in: 'images models set',
  set_changes: 'top5_change top5_least top5_most',
  source_on_set: 'top5',
  submission: 'rule',
  token: 'revoked_at',
  underpaid: 'campaign campaign_url currency floor floor_cents pseudonym rate_cents simulated text url',
  vote_view: 'as_of',
};

/* What replies no JSON of its own. */
const OLD = SETS.old;
const OTHERS = ['GET /api/v1/guide/pages.csv', 'GET /api/v1/label-reviews/{list}/agreement.csv', 'GET /api/v1/label-reviews/{list}/images.csv', 'GET /api/v1/evaluations/{evaluation}/answers.csv', 'GET /api/v1/labels/{source}/file', 'GET /api/v1/labels/{source}/scores.csv', 'GET /api/v1/measures/classes.csv', 'GET /api/v1/measures/confusions.csv', 'GET /api/v1/measures/cooccurrence.csv', 'GET /api/v1/measures/pairs.csv', 'GET /api/v1/superclasses/{superclasses}/file.csv', 'GET /api/v1/measures/people.csv', 'GET /api/v1/measures/said.csv', 'GET /api/v1/measures/valid.csv', 'GET /api/v1/measures/difficulty.csv', 'GET /api/v1/measures/images.csv', 'GET /api/v1/measures/label-errors.csv', 'GET /api/v1/objects/images.csv', 'GET /api/v1/objects/confused.csv', 'GET /api/v1/objects/cooccurring.csv',
  'GET /api/v1/label-plans/candidates/{plan}/file.csv', 'GET /api/v1/label-plans/candidates/{plan}/frequencies.csv', 'GET /api/v1/label-plans/potential/{plan}/coverage.csv', 'GET /api/v1/label-plans/potential/{plan}/labels.csv',
  'GET /api/openapi.json', 'GET /api/v1/changes.csv', 'GET /api/v1/measures/bins.csv', 'GET /api/v1/measures/bins.markdown', 'GET /api/v1/measures/bins.latex', 'GET /api/v1/changes.markdown', 'GET /api/v1/changes.latex', 'GET /api/v1/scores/long.csv', 'GET /api/v1/scores/testbed.csv', 'GET /api/v1/models/{model}/texts.csv', 'GET /api/v1/texts.csv', 'GET /api/v1/scores.csv', 'GET /api/v1/subsets/{subset}/images.csv', 'GET /api/v1/scores.markdown', 'GET /api/v1/scores.latex'];

/* Every other operation by name, each with the requests that make it reply something: an address that is read, or a
 * function of the world that gives {status, body}. */
/* Which grids the three people are given decides whether there is such a figure. */
const PERHAPS = ['bias_leading.hi', 'bias_leading.lo', 'bias_leading.value', 'matching_bias.estimated', 'revision_average.bias'];
const ASKED = {
  ...ASKED_SETS,
  'GET /api/v1/assignments/{assignment}': [
    (w) => w.client.json('GET', `/api/v1/assignments/${w.held}`),
    (w) => w.client.json('GET', `/api/v1/assignments/${w.answered}`),
    (w) => w.client.json('GET', `/api/v1/assignments/${w.task}`),
  ],
  'GET /api/v1/campaigns': ['/api/v1/campaigns'],
  'GET /api/v1/campaigns/{campaign}': ['/api/v1/campaigns/main', (w) => w.expert.json('GET', '/api/v1/campaigns/main')],
  'GET /api/v1/campaigns/{campaign}/grids': ['/api/v1/campaigns/main/grids', '/api/v1/campaigns/main/grids?limit=1'],
  'GET /api/v1/campaigns/{campaign}/participants': ['/api/v1/campaigns/main/participants', '/api/v1/campaigns/main/participants?panel_ids=yes'],
  'GET /api/v1/decisions': ['/api/v1/decisions'],
  'GET /api/v1/decisions/{decision}': [(w) => w.lead.json('GET', `/api/v1/decisions/${w.decision}`)],
  'GET /api/v1/duplicates': [(w) => w.near.json('GET', '/api/v1/duplicates'), (w) => w.near.json('GET', '/api/v1/duplicates?limit=1')],
  'GET /api/v1/evaluations': ['/api/v1/evaluations'],
  'GET /api/v1/evaluations/{evaluation}': ['/api/v1/evaluations/people', '/api/v1/evaluations/through'],
  'GET /api/v1/evaluations/{evaluation}/next': ['/api/v1/evaluations/people/next', '/api/v1/evaluations/fresh/next', '/api/v1/evaluations/through/next'],
  'POST /api/v1/evaluations/{evaluation}/change': [(w) => w.lead.json('POST', '/api/v1/evaluations/people/change', { do: 'remove', login: 'keeper' })],
  'POST /api/v1/evaluations/{evaluation}/items/{position}': [async (w) => w.lead.json('POST', `/api/v1/evaluations/fresh/items/${(await w.lead.json('GET', '/api/v1/evaluations/fresh/next')).body.position}`, { wnid: 'n00000001' })],
  'GET /api/v1/label-reviews': ['/api/v1/label-reviews'],
  'GET /api/v1/label-reviews/{list}/agreement': ['/api/v1/label-reviews/pair/agreement', '/api/v1/label-reviews/begun/agreement', '/api/v1/label-reviews/again/agreement'],
  'GET /api/v1/label-reviews/{list}': ['/api/v1/label-reviews/pair', '/api/v1/label-reviews/begun', '/api/v1/label-reviews/hinted'],
  'GET /api/v1/label-reviews/{list}/images': ['/api/v1/label-reviews/pair/images', '/api/v1/label-reviews/pair/images?class=n00000001&state=open', '/api/v1/label-reviews/begun/images'],
  'GET /api/v1/label-reviews/{list}/items/{position}': ['/api/v1/label-reviews/pair/items/0', '/api/v1/label-reviews/pair/items/1', '/api/v1/label-reviews/pair/items/2'],
  'GET /api/v1/label-reviews/{list}/next': ['/api/v1/label-reviews/pair/next'],
  'POST /api/v1/label-reviews/{list}/items/{position}': [(w) => w.lead.json('POST', '/api/v1/label-reviews/pair/items/3', { verdicts: { n00000001: 'wrong' } })],
  'POST /api/v1/label-reviews/{list}/items/{position}/stand': [(w) => w.lead.json('POST', '/api/v1/label-reviews/pair/items/0/stand', { stand: 'keep' })],
  'GET /api/v1/training': [(w) => w.near.json('GET', '/api/v1/training')],
  'GET /api/v1/training/{list}': [(w) => w.near.json('GET', '/api/v1/training/learn')],
  'GET /api/v1/training/{list}/items/{position}': [(w) => w.near.json('GET', '/api/v1/training/learn/items/0'), (w) => w.near.json('GET', '/api/v1/training/learn/items/1')],
  'GET /api/v1/training/{list}/next': [(w) => w.near.json('GET', '/api/v1/training/learn/next')],
  'POST /api/v1/training': [({ near: lead }) => lead.json('POST', '/api/v1/training', { name: 'all', of: 'group', classes: 'n02091134', set: 'originals' })],
  'POST /api/v1/training/{list}/items/{position}': [({ near: lead }) => lead.json('POST', '/api/v1/training/learn/items/2', { wnid: 'n02123045' })],
  'POST /api/v1/training/{list}/items/{position}/suggest': [({ near: lead }) => lead.json('POST', '/api/v1/training/learn/items/0/suggest', { wnid: 'n02091134', verdict: 'wrong' })],
  'GET /api/v1/label-reviews/new': ['/api/v1/label-reviews/new?name=fresh&set=originals&suggest=sharp&experts=keeper&models=sharp,net', '/api/v1/label-reviews/new?name=pair&set=fresh',
    '/api/v1/label-reviews/new?name=under&set=closed', '/api/v1/label-reviews/new?name=after&set=originals&evaluation=through'],
  'POST /api/v1/label-reviews/{list}/change': [(w) => w.lead.json('POST', '/api/v1/label-reviews/begun/change', { do: 'add', login: 'keeper' })],
  'POST /api/v1/label-reviews/{list}/undo': [async (w) => w.lead.json('POST', '/api/v1/label-reviews/pair/undo',
    { look: (await w.lead.json('GET', '/api/v1/label-reviews/pair/items/3')).body.look })],
  'GET /api/v1/grids/{grid}': ['/api/v1/grids/1', '/api/v1/grids/2', async (w) => w.lead.json('GET', `/api/v1/grids/${(await w.lead.json('GET', '/api/v1/campaigns/classify/grids')).body.items[0].id}`)],
  'GET /api/v1/guide': [async (w) => {
    await w.lead.json('POST', '/api/v1/guide/n00000002', { text: 'It is *square*.', reason: 'first', was: 0 });
    return w.lead.json('GET', '/api/v1/guide');
  }],
  'POST /api/v1/guide/{wnid}': [(w) => w.lead.json('POST', '/api/v1/guide/n00000001', { text: 'It is *round*.', reason: 'first', was: 0 }),
    (w) => w.lead.json('POST', '/api/v1/guide/n00000001', { text: 'It is *round*.', was: 0 })],
  'GET /api/v1/guide/{wnid}': ['/api/v1/guide/n00000001', '/api/v1/guide/n00000002'],
  'POST /api/v1/guide/relations': [(w) => w.lead.json('POST', '/api/v1/guide/relations', { a: 'n00000001', b: 'n00000002', kind: 'contains', note: 'why' }),
    (w) => w.lead.json('POST', '/api/v1/guide/relations', { a: 'n00000001', b: 'n00000002', kind: 'contains', note: 'why' })],
  'GET /api/v1/guide/pages': ['/api/v1/guide/pages', '/api/v1/guide/pages?sort=words'],
  'GET /api/v1/guide/relations': [async (w) => {
    await w.lead.json('POST', '/api/v1/guide/relations', { a: 'n00000001', b: 'n00000002', kind: 'equal', note: 'first' });
    return w.lead.json('GET', '/api/v1/guide/relations');
  }],
  'GET /api/v1/guide/classes': [(w) => w.measures.json('GET', '/api/v1/guide/classes'), '/api/v1/guide/classes?q=n0000',
    async (w) => w.measures.json('GET', `/api/v1/guide/classes?under=${(await w.measures.json('GET', '/api/v1/guide/classes')).body.items
      .find((e) => e.opens).wnid}`)],
  'GET /api/v1/history': ['/api/v1/history', '/api/v1/history?singles=1&limit=500'],
  'GET /api/v1/images/{image}/objects': [(w) => w.lead.json('GET', `/api/v1/images/${w.seen}/objects`), '/api/v1/images/1/objects'],
  'GET /api/v1/label-plans': ['/api/v1/label-plans'],
  'GET /api/v1/label-plans/candidates/{plan}': ['/api/v1/label-plans/candidates/asked', '/api/v1/label-plans/candidates/asked?stage=amb&limit=1'],
  'GET /api/v1/label-plans/potential/{plan}': ['/api/v1/label-plans/potential/asked', '/api/v1/label-plans/potential/asked?people=20&answers=9'],
  'GET /api/v1/jobs': ['/api/v1/jobs'],
  'GET /api/v1/jobs/{job}': [(w) => w.lead.json('GET', `/api/v1/jobs/${w.job}`)],
  'GET /api/v1/objects': ['/api/v1/objects', '/api/v1/objects?show=several'],
  'GET /api/v1/plans': [(w) => w.measures.json('GET', '/api/v1/plans')],
  'GET /api/v1/labels': [(w) => w.measures.json('GET', '/api/v1/labels'), '/api/v1/labels'],
  'POST /api/v1/labels': [async (w) => w.measures.json('POST', '/api/v1/labels', { name: 'again', labels: await w.measures.page('/api/v1/labels/main/file') }),
    async (w) => w.measures.json('POST', '/api/v1/labels', { name: 'main', kind: 'main', labels: await w.measures.page('/api/v1/labels/main/file') })],
  'GET /api/v1/subsets': [(w) => w.measures.json('GET', '/api/v1/subsets')],
  'GET /api/v1/subsets/{subset}': [(w) => w.measures.json('GET', '/api/v1/subsets/low?set=old')],
  'GET /api/v1/labels/{source}': [(w) => w.measures.json('GET', '/api/v1/labels/review?set=old&groups=%40kinds'),
    ...['main', 'objects', 'review'].map((name) => (w) => w.measures.json('GET', `/api/v1/labels/${name}?set=old`)),
    (w) => w.measures.json('GET', '/api/v1/labels/main?set=fresh'),
  ],
  'GET /api/v1/measures': [
    '/api/v1/measures',
    (w) => w.measures.json('GET', '/api/v1/measures?models=large,late,half'),
    (w) => w.measures.json('GET', '/api/v1/measures?top=5&subset=near-duplicates'),
  ],
  'GET /api/v1/measures/adjusted': [
    (w) => w.measures.json('GET', '/api/v1/measures/adjusted'),
    (w) => w.measures.json('GET', '/api/v1/measures/adjusted?models=large,half'),
    (w) => w.measures.json('GET', '/api/v1/measures/adjusted?models=half'),
  ],
  'GET /api/v1/measures/classes': [
    (w) => w.measures.json('GET', '/api/v1/measures/classes'),
    (w) => w.measures.json('GET', '/api/v1/measures/classes?models=large&subset=near-duplicates'),
    '/api/v1/measures/classes',
  ],
  'GET /api/v1/measures/confusions': [
    (w) => w.measures.json('GET', '/api/v1/measures/confusions?models=large,half'),
    (w) => w.measures.json('GET', `/api/v1/measures/confusions?groups=${HIGH}`),
  ],
  'GET /api/v1/measures/classes/{wnid}': [(w) => w.measures.json('GET', '/api/v1/measures/classes/n00000002?set=old&models=large,half')],
  'GET /api/v1/measures/said': [(w) => w.measures.json('GET', '/api/v1/measures/said?set=old&models=large,half')],
  'GET /api/v1/measures/valid': [(w) => w.measures.json('GET', '/api/v1/measures/valid?set=old&labels=several&by=people')],
  'GET /api/v1/measures/cooccurrence': [
    (w) => w.measures.json('GET', '/api/v1/measures/cooccurrence?set=old&labels=several'),
    (w) => w.measures.json('GET', `/api/v1/measures/cooccurrence?set=old&labels=several&groups=${HIGH}&row=high-0&column=high-1`),
    (w) => w.measures.json('GET', `/api/v1/measures/cooccurrence?set=old&labels=several&groups=${HIGH}`),
  ],
  'GET /api/v1/measures/label-errors': [
    (w) => w.measures.json('GET', '/api/v1/measures/label-errors?set=old&models=large,half'),
    (w) => w.near.json('GET', '/api/v1/measures/label-errors?set=originals'),
    '/api/v1/measures/label-errors?set=originals&models=sharp',
  ],
  'GET /api/v1/measures/images': [
    (w) => w.measures.json('GET', '/api/v1/measures/images?set=old&models=large,half&sort=disagreement'),
    (w) => w.measures.json('GET', '/api/v1/measures/images?set=old&models=half'),
  ],
  'GET /api/v1/measures/pairs': [(w) => w.measures.json('GET', '/api/v1/measures/pairs?set=old&labels=taken&models=large')],
  'GET /api/v1/superclasses': [(w) => w.measures.json('GET', '/api/v1/superclasses')],
  'GET /api/v1/measures/people': [(w) => w.measures.json('GET', '/api/v1/measures/people'), '/api/v1/measures/people'],
  'GET /api/v1/measures/statistics': [(w) => w.measures.json('GET', '/api/v1/measures/statistics'), '/api/v1/measures/statistics'],
  'GET /api/v1/measures/difficulty': [
    (w) => w.measures.json('GET', '/api/v1/measures/difficulty?true_shift=-4&images=100'),
    (w) => w.measures.json('GET', '/api/v1/measures/difficulty'),
    '/api/v1/measures/difficulty',
  ],
  'GET /api/v1/measures/fit': [
    (w) => w.measures.json('GET', '/api/v1/measures/fit?over=families&models=large,middle,small,shallow&without=small'),
    (w) => w.measures.json('GET', '/api/v1/measures/fit?over=families&pivot=middle'),
    '/api/v1/measures/fit',
  ],
  'GET /api/v1/overview': ['/api/v1/overview', (w) => w.expert.json('GET', '/api/v1/overview')],
  'GET /api/v1/places/{place}': [
    (w) => w.client.json('GET', `/api/v1/places/${w.done}`),
    (w) => w.client.json('GET', `/api/v1/places/${w.place}`),
  ],
  'GET /api/v1/tokens': ['/api/v1/tokens'],
  'GET /api/v1/views': ['/api/v1/views'],
  'POST /api/v1/assignments/{assignment}/answer': [async (w) => answer(w.client, (await lease(w.client, 'cora')).assignment)],
  'POST /api/v1/assignments/{assignment}/extend': [(w) => w.client.json('POST', `/api/v1/assignments/${w.held}/extend`)],
  'POST /api/v1/assignments/{assignment}/flags': [
    (w) => w.client.json('POST', `/api/v1/assignments/${w.held}/flags`, { position: 0, kind: 'other', note: '' }),
  ],
  'POST /api/v1/campaigns/{campaign}/places': [(w) => w.client.json('POST', '/api/v1/campaigns/main/places', { external_id: 'dora' })],
  'POST /api/v1/decisions': [
    (w) => decide(w, { value: 'in', preview: true }),
    (w) => decide(w, { value: 'bonus', bonus: '1.50', preview: true }),
    (w) => decide(w, { value: 'rejected' }),
    (w) => decide(w, { value: 'rejected' }),
  ],
  'POST /api/v1/decisions/{decision}/continue': [(w) => w.lead.json('POST', `/api/v1/decisions/${w.decision}/continue`)],
  'POST /api/v1/decisions/{decision}/undo': [(w) => undo(w, { preview: true }), (w) => undo(w, { reason: 'a mistake' })],
  'POST /api/v1/jobs': [(w) => job(w, 'dull')],
  'POST /api/v1/jobs/{job}/cancel': [(w) => w.lead.json('POST', `/api/v1/jobs/${w.job}/cancel`)],
  'POST /api/v1/places/{place}/next': [
    (w) => w.client.json('POST', `/api/v1/places/${w.place}/next`),
    (w) => w.client.json('POST', `/api/v1/places/${w.done}/next`),
    (w) => w.client.json('POST', `/api/v1/places/${w.ticking}/next`),
  ],
  'POST /api/v1/places/{place}/proof': [(w) => w.client.json('POST', `/api/v1/places/${w.done}/proof`, { code: w.code })],
  'DELETE /api/v1/tokens/{token}': [async (w) => w.lead.json('DELETE', `/api/v1/tokens/${(await w.lead.json('GET', '/api/v1/tokens')).body.items[0].id}`)],
  'POST /api/v1/tokens': [(w) => w.lead.json('POST', '/api/v1/tokens', { password: PASSWORD, name: 'script' })],
};

/* Of three people in a campaign one is done, one holds a grid, and one was decided about; a job, a view with filters. */
async function made(t) {
  const { dir, client, server } = await startStudy(t);
  const file = writer(tempDir(t));
  await addModels(dir, file);
  const more = file('potential.csv', `image,wnid,source\n${MODEL_SETS.fresh[0].image},n00000002,a person\n`);
  await must(['potential', 'freeze', dir, '--name', 'asked', '--set', 'fresh', '--models', 'sharp,dull', '--labels', more, '--quiet']);
  await must(['candidates', 'freeze', dir, '--name', 'asked', '--potential', 'asked', '--view', 'default', '--least', '1', '--quiet']);
  const said = ['pear', 'fig'].map((text, i) => `${JSON.stringify({ image: `n00000001-original-${i}`, text })}\n`).join('');
  await must(['import', 'texts', dir, file('said.jsonl', said), '--model', 'speaker', '--set', 'originals', '--recipe', 'asked politely']);
  await must(['map-texts', dir, '--model', 'speaker', '--mapping', 'words']);
  const tasks = file('tasks.csv', 'image,label\nn00000001-candidate-0,n00000001\nn00000001-candidate-0,n00000002\n');
  await must(['classify', dir, '--tasks', tasks, '--campaign', 'objects', '--open', '--max-share', '1', '--same-image-again', '--quiet']);
  await newToken(dir, 'lead');
  const lead = await new Client(server.url).login('lead');
  const expert = await new Client(server.url).login('expert');
  const { place: done, assignment: answered } = await lease(client, 'ann', SMALL);
  await answer(client, answered, { selected: [0, 1, 2], device: { width: 1280, touch: false } });
  for (let grid = await next(client, done); !grid.done; grid = await next(client, done)) await answer(client, grid.assignment, { client_id: 'client-0002' });
  const place = await join(client, 'bea');
  const { assignment: held } = await next(client, place);
  await answer(client, (await lease(client, 'eve')).assignment);
  const w = { lead, expert, client, done, answered, place, held };
  w.ticking = await join(client, 'tina', 'objects');
  w.task = (await next(client, w.ticking)).assignment;
  w.code = (await client.json('GET', `/api/v1/places/${done}`)).body.code;
  /* Two people disagree about one image, one calls another problematic, and a label was added. */
  await must(['label-review', 'create', dir, 'pair', '--set', 'originals', '--reviewers', '2', '--repeats', '0', '--seed', '1', '--experts', 'lead,keeper', '--again']);
  await must(['label-review', 'create', dir, 'begun', '--set', 'originals', '--images', '3', '--by', 'errors', '--models', 'sharp']);
  await must(['label-review', 'create', dir, 'hinted', '--set', 'originals', '--images', '3', '--by', 'errors', '--suggest', 'sharp', '--experts', 'keeper', '--again']);
  w.keeper = await new Client(server.url).login('keeper');
  const look = (who, at, said) => who.json('POST', `/api/v1/label-reviews/pair/items/${at}`, said);
  for (const at of [0, 1]) await look(lead, at, { verdicts: { n00000001: 'correct', n00000002: 'wrong' }, comment: 'sure' });
  await look(w.keeper, 0, { verdicts: { n00000001: 'wrong', n00000002: 'wrong' } });
  await look(w.keeper, 1, { verdicts: { n00000001: 'correct' }, problematic: 'drawing' });
  /* Two evaluations: the lead is through with one, and neither at the other's end. */
  await must(['evaluation', 'create', dir, 'through', '--original', 'originals', '--images', '2', '--seed', '1', '--people', 'lead']);
  await must(['evaluation', 'create', dir, 'people', '--original', 'originals', '--by', 'hardest', '--models', 'sharp,dull', '--images', '2', '--among', '--seed', '1', '--people', 'lead,keeper']);
  await must(['evaluation', 'create', dir, 'fresh', '--new', 'fresh', '--images', '3', '--seed', '1', '--people', 'lead']);
  for (const [name, at] of [['through', 0], ['through', 1], ['people', 0]]) {
    const r = await lead.json('POST', `/api/v1/evaluations/${name}/items/${at}`, { wnid: 'n00000001', active_ms: 2500 });
    if (r.status !== 201) throw new Error(JSON.stringify(r.body));
  }
  /* Half of one's images are shown again, after ten others. */
  await must(['label-review', 'create', dir, 'again', '--set', 'originals', '--repeats', '50', '--seed', '1', '--experts', 'lead,keeper', '--reviewers', '2', '--again']);
  for (let i = 0; i < 16; i++) {
    const { position, again } = (await w.keeper.json('GET', '/api/v1/label-reviews/again/next')).body;
    await w.keeper.json('POST', `/api/v1/label-reviews/again/items/${position}`, { verdicts: { n00000001: i % 3 ? 'correct' : 'wrong' }, again });
  }
  for (const at of [0, 1, 2]) await w.keeper.json('POST', `/api/v1/label-reviews/hinted/items/${at}`, { verdicts: { n00000001: 'correct' } });
  const { body } = await lead.json('GET', '/api/v1/campaigns/main/participants?panel_ids=yes');
  w.eve = body.items.find((p) => p.participant_id === 'eve').pseudonym;
  w.decision = (await decide(w)).body.decision.id;
  w.job = (await job(w, 'sharp')).body.id;
  const view = { do: 'save', name: 'careful', description: 'why', kind: 'main', as_of: 'all', version: '0' };
  await lead.post('/views', { ...view, rule: 'negative-least', 'value-negative-least': '1' });
  /* What seven people see in an image that others were shown in a grid. */
  const seen = 'n00000001-original-0';
  await must(['import', 'responses', dir, file('responses.csv', `image,response,main,selected\n${[0, 1, 2, 3, 4, 5, 6].map((i) => `${seen},${i},n00000001,n00000001+n00000002\n${seen.replace(/0$/, '1')},${i},n00000002,n00000002\n`).join('')}`)]);
  w.seen = (await lead.json('GET', '/api/v1/images?limit=1000')).body.items.find(({ image }) => image === seen).id;
  await makeSets({ dir, file, lead, expert });
  const near = await nearWorld(t);
  await must(['neighbors', near.dir, '--calibrate', '--images', 3, '--quiet']);
  /* An original that models were trained on, and what two models say of it. */
  const nearFile = writer(tempDir(t));
  await must(['import', 'image-list', near.dir, nearFile('trained.csv', 'image,wnid,kind\nt-0,n02091134,training\n')]);
  await must(['import', 'near-duplicates', near.dir, nearFile('trained-pairs.csv', 'a,b\no-1,t-0\n')]);
  await importSet(near.dir, nearFile, 'originals', ['--role', 'original'], [0, 1, 2, 3].map((i) => ({ image: `o-${i}`, wnid: 'n02091134' })));
  await must(['import', 'predictions', near.dir, nearFile('said.jsonl',
    [0, 1, 2, 3].map((i) => `${JSON.stringify({ image: `o-${i}`, labels: ['n02091134', 'n02123045'] })}\n`).join('')), '--model', 'sharp']);
  w.near = near.lead;
  /* A review that is closed, and training on its images, which it needs. */
  await must(['label-review', 'create', near.dir, 'done', '--set', 'originals', '--repeats', '0']);
  await must(['label-review', 'import', near.dir, 'done', nearFile('verdicts.csv', `image,label,verdict\n${[0, 1, 2, 3].map((i) => `o-${i},n02091134,correct\n`).join('')}`)]);
  await must(['label-review', 'change', near.dir, 'done', '--close']);
  await must(['training', 'create', near.dir, 'learn', '--of', 'file', '--file', nearFile('learn.csv', 'image,wnid\no-0,\no-1,\no-2,\no-3,\n'), '--span', '1', '--seed', '1']);
  await must(['training', 'need', near.dir, 'learn', '--review', 'done']);
  for (const at of [0, 3]) await near.lead.json('POST', `/api/v1/training/learn/items/${at}`, { wnid: 'n02091134' });
  for (const at of [0, 3]) await near.lead.json('POST', `/api/v1/training/learn/items/${at}/suggest`, { wnid: 'n02091134', verdict: 'correct', comment: 'it is' });
  const measured = await newProject(t);
  await addMeasuresWorld(t, measured);
  await addLateModel(t, measured);
  await addHalfModel(t, measured);
  await must(['import', 'model-facts', measured, nearFile('facts.csv', ['large', 'middle', 'shallow', 'small', 'late'].reduce(
    (all, model, i) => `${all}${model},of ${i % 3},${2012 + i},${i < 3 ? 'models' : 'people'}\n`, 'model,family,year,group\n'))]);
  const labels = { main: 'image,label\n%,\n', objects: 'image,label,object,main\n%,0,1\n', review: 'image,label,verdict\n%,correct\n' };
  for (const [name, table] of Object.entries(labels)) {
    const [head, row] = table.trim().split('\n');
    const rows = (list) => list.map(({ image, wnid }) => `${row.replace('%', `${image},${wnid}`).replace(/,$/, '')}\n`).join('');
    const bring = (list, ...more) => must(['import', 'labels', measured, nearFile('labels.csv', `${head}\n${rows(list)}`), '--name', name, '--kind', name, ...more]);
    await bring(OLD.slice(1));
    await bring(OLD, '--replace', '--reason', 'one was missing');
  }
  const both = OLD.flatMap(({ image, wnid }, i) => [`${image},${wnid},0,1\n`, `${image},${OLD.at(-1 - i).wnid},1,0\n`]);
  await must(['import', 'labels', measured, nearFile('labels.csv', `image,label,object,main\n${both.join('')}`), '--name', 'several', '--kind', 'objects']);
  const taken = OLD.map(({ image }, i) => `${image},${OLD.at(-1 - i).wnid},1\n`);
  await must(['import', 'labels', measured, nearFile('labels.csv', `image,label,main\n${taken.join('')}`), '--name', 'taken', '--kind', 'main']);
  await addHierarchy(measured);
  for (const next of ['fresh', 'next']) await must(['plan', measured, nearFile('plan.json', JSON.stringify({ name: `plan-${next}`, original: 'old', new: next }))]);
  await must(['subset', measured, 'low', 'frequency:0-0.4', '--note', 'few people see it']);
  await must(['superclasses', measured, 'kinds', nearFile('kinds.csv', 'class,superclass\nn00000001,fruit\nn00000002,trees\n'), '--note', 'by hand']);
  w.measures = await new Client((await startServer(t, measured)).url).login('admin');
  return w;
}

const contentOf = (reply) => Object.values(reply.content ?? {})[0];
const operationsOf = (doc) => Object.entries(doc.paths).flatMap(([at, methods]) => Object.entries(methods)
  .map(([method, op]) => [`${method.toUpperCase()} ${at}`, op])).filter(([name]) => !OTHERS.includes(name));

test('replies are as openapi.json describes them', async (t) => {
  const world = await made(t);
  const { body: doc } = await world.lead.json('GET', '/api/openapi.json');
  const operations = operationsOf(doc);
  assert.deepEqual(operations.map(([name]) => name).sort(), Object.keys(ASKED).sort());
  for (const [name, op] of operations) {
    for (const ask of ASKED[name]) {
      const { status, body } = typeof ask === 'string' ? await world.lead.json('GET', ask) : await ask(world);
      const at = typeof ask === 'string' ? ask : name;
      assert.ok(op.responses[status], `${at}: ${status} ${JSON.stringify(body)}`);
      if (!contentOf(op.responses[status])) {
        assert.ok(!body, `${at} replies nothing`);
        continue;
      }
      if (body.items) assert.ok(body.items.length > 0, `${at} replies something`);
      holds(doc, contentOf(op.responses[status]).schema, body, at);
    }
  }
  const { status, body } = await world.lead.json('GET', '/api/v1/sets/none/0');
  assert.equal(status, 404);
  holds(doc, { allOf: [{ $ref: '#/components/schemas/problem' }] }, body, 'problem');
  const never = Object.entries(doc.components.schemas).flatMap(([record, { properties }]) => Object.entries(properties)
    .filter(([, one]) => !seen.has(one)).map(([name]) => `${record}.${name}`)).filter((name) => !PERHAPS.includes(name)).sort();
  assert.deepEqual(never, Object.entries(NEVER).flatMap(([record, names]) => names.split(' ').map((name) => `${record}.${name}`)).sort());
});
