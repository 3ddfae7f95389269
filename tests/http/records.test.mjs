/* What openapi.json says of replies is what is replied: every described reply is asked for once and every object of it
 * is held against its schema, in both directions. A described address that this test does not ask for fails it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client, tempDir } from './lib.mjs';
import { addModels, writer } from './model_world.mjs';
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
    properties: Object.assign({}, ...parts.map((p) => p.properties)),
    required: parts.flatMap((p) => p.required ?? []),
    named: true,
  };
}

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
    assert.ok(!schema.named || one.description || one.$ref, `${at}.${name} has a description`);
    if (name in value) holds(doc, one, value[name], `${at}.${name}`);
  }
  if (schema.named) assert.deepEqual(Object.keys(value).filter((k) => !schema.properties[k]), [], `${at}: unknown`);
}

/* Addresses in the order of the description, each with what makes it reply something. */
const ASKED = {
  '/api/v1/campaigns/{campaign}/participants': ['/api/v1/campaigns/main/participants', '/api/v1/campaigns/main/participants?panel_ids=yes'],
  '/api/v1/picks': ['/api/v1/picks'],
  '/api/v1/scores': ['/api/v1/scores'],
  '/api/v1/sets/{set}/{revision}': ['/api/v1/sets/fresh/0'],
  '/api/v1/tokens': ['/api/v1/tokens'],
};

test('replies are as openapi.json describes them', async (t) => {
  const { dir, client, server } = await startStudy(t);
  await addModels(dir, writer(tempDir(t)));
  await join(client, 'bea');
  const { assignment } = await lease(client, 'ann', SMALL);
  await answer(client, assignment, { selected: [0, 1, 2] });
  await newToken(dir, 'lead');
  const lead = await new Client(server.url).login('lead');
  const { body: doc } = await lead.json('GET', '/api/openapi.json');
  const described = Object.entries(doc.paths).filter(([, methods]) => methods.get?.responses['200'].content);
  assert.deepEqual(described.map(([at]) => at).sort(), Object.keys(ASKED));
  for (const [at, { get }] of described) {
    for (const url of ASKED[at]) {
      const { status, body } = await lead.json('GET', url);
      assert.equal(status, 200, url);
      assert.ok(body.items.length > 0, `${url} replies something`);
      holds(doc, get.responses['200'].content['application/json'].schema, body, url);
    }
  }
  const { status, body } = await lead.json('GET', '/api/v1/sets/none/0');
  assert.equal(status, 404);
  holds(doc, { allOf: [{ $ref: '#/components/schemas/problem' }] }, body, 'problem');
});
