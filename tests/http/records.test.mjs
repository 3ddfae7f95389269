/* What openapi.json says of replies is what is replied: every described reply is asked for once and every object of it
 * is held against its schema, in both directions. A described address that this test does not ask for fails it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client, tempDir } from './lib.mjs';
import { addModels, writer } from './model_world.mjs';
import { ASKED_SETS, makeSets } from './records_sets.mjs';
import { SMALL, answer, join, lease, newToken, startStudy } from './study.mjs';

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

/* An object has the members that its schema names and no others; one of which it names none, or only `items`, has any. */
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
    assert.ok(one.description || name === 'items', `${at}.${name} has a description`);
    if (name in value) holds(doc, one, value[name], `${at}.${name}`);
  }
  const named = Object.keys(schema.properties ?? {});
  if (named.some((name) => name !== 'items')) assert.deepEqual(Object.keys(value).filter((k) => !named.includes(k)), [], `${at}: unknown`);
}

/* Every described operation by name, each with the requests that make it reply something: an address that is read, or a
 * function of the world that gives {status, body}. */
const ASKED = {
  ...ASKED_SETS,
  'GET /api/v1/campaigns/{campaign}/participants': ['/api/v1/campaigns/main/participants', '/api/v1/campaigns/main/participants?panel_ids=yes'],
  'GET /api/v1/tokens': ['/api/v1/tokens'],
};

const contentOf = (reply) => reply.content?.['application/json'];
const describedIn = (doc) => Object.entries(doc.paths).flatMap(([at, methods]) => Object.entries(methods)
  .filter(([, op]) => Object.values(op.responses).some(contentOf)).map(([method, op]) => [`${method.toUpperCase()} ${at}`, op]));

test('replies are as openapi.json describes them', async (t) => {
  const { dir, client, server } = await startStudy(t);
  const file = writer(tempDir(t));
  await addModels(dir, file);
  await join(client, 'bea');
  const { assignment } = await lease(client, 'ann', SMALL);
  await answer(client, assignment, { selected: [0, 1, 2] });
  await newToken(dir, 'lead');
  const lead = await new Client(server.url).login('lead');
  const expert = await new Client(server.url).login('expert');
  const world = { dir, file, lead, expert };
  await makeSets(world);
  const { body: doc } = await lead.json('GET', '/api/openapi.json');
  const described = describedIn(doc);
  assert.deepEqual(described.map(([name]) => name).sort(), Object.keys(ASKED).sort());
  for (const [name, op] of described) {
    for (const ask of ASKED[name]) {
      const { status, body } = typeof ask === 'string' ? await lead.json('GET', ask) : await ask(world);
      const at = typeof ask === 'string' ? ask : name;
      assert.ok(op.responses[status], `${at}: ${status} ${JSON.stringify(body)}`);
      if (body.items) assert.ok(body.items.length > 0, `${at} replies something`);
      holds(doc, contentOf(op.responses[status]).schema, body, at);
    }
  }
  const { status, body } = await lead.json('GET', '/api/v1/sets/none/0');
  assert.equal(status, 404);
  holds(doc, { allOf: [{ $ref: '#/components/schemas/problem' }] }, body, 'problem');
});
