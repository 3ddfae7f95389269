/* records_sets.mjs - what records.test.mjs asks about classes, images, models and sets, and what makes these reply
 * something. */
import { must } from './lib.mjs';
import { SETS, WNIDS, importModel, importSet } from './model_world.mjs';

const DECISIONS = `/api/v1/classes/${WNIDS[0]}/decisions`;
const apple = (i) => `${WNIDS[0]}-candidate-${i}`;
const decide = (client, data) => client.json('POST', DECISIONS, data, { 'if-match': '*' });

export const ASKED_SETS = {
  'GET /api/v1/classes': ['/api/v1/classes', '/api/v1/classes?limit=1'],
  'GET /api/v1/classes/{wnid}/decisions': [DECISIONS],
  'GET /api/v1/classes/{wnid}/frequencies': [
    `/api/v1/classes/${WNIDS[0]}/frequencies?limit=1000`, `/api/v1/classes/${WNIDS[1]}/frequencies?limit=1`,
  ],
  'GET /api/v1/images': ['/api/v1/images?limit=1000', '/api/v1/images?limit=1'],
  'GET /api/v1/models': ['/api/v1/models'],
  'GET /api/v1/models/{model}': ['/api/v1/models/sharp', '/api/v1/models/net'],
  'GET /api/v1/models/{model}/predictions': [
    '/api/v1/models/sharp/predictions?set=fresh/0&limit=5', '/api/v1/models/net/predictions?set=fresh/0',
  ],
  'GET /api/v1/models/{model}/sources': ['/api/v1/models/sharp/sources?set=fresh/0', '/api/v1/models/dull/sources?set=originals/0'],
  'GET /api/v1/models/{model}/texts': ['/api/v1/models/speaker/texts?set=originals', '/api/v1/models/speaker@words/texts?set=originals'],
  'GET /api/v1/picks': ['/api/v1/picks'],
  'GET /api/v1/changes': ['/api/v1/changes', '/api/v1/changes?original=originals/0'],
  'GET /api/v1/scores': ['/api/v1/scores?new=fresh/0', '/api/v1/scores?original=originals/0&new=fresh/1'],
  'GET /api/v1/sets': ['/api/v1/sets'],
  'GET /api/v1/sets/{set}/diff': ['/api/v1/sets/fresh/diff?a=0&b=1', '/api/v1/sets/fresh/diff?a=1&b=0'],
  'GET /api/v1/sets/{set}/{revision}': ['/api/v1/sets/fresh/0?limit=5', '/api/v1/sets/closed/0'],
  'GET /api/v1/sets/{set}/{revision}/audit': ['/api/v1/sets/fresh/0/audit?answers=10', '/api/v1/sets/closed/0/audit?answers=10'],
  'GET /api/v1/sets/{set}/{revision}/average': ['/api/v1/sets/fresh/0/average', '/api/v1/sets/closed/0/average'],
  'GET /api/v1/sets/{set}/{revision}/bias': ['/api/v1/sets/fresh/0/bias'],
  'GET /api/v1/sets/{set}/{revision}/differences': ['/api/v1/sets/fresh/0/differences'],
  'GET /api/v1/sets/{set}/{revision}/discriminator': [
    '/api/v1/sets/fresh/0/discriminator?limit=3', '/api/v1/sets/fresh/0/discriminator?after=20&original=originals',
  ],
  'GET /api/v1/sets/{set}/{revision}/review': [
    '/api/v1/sets/fresh/0/review', (w) => w.expert.json('GET', '/api/v1/sets/fresh/0/review'), '/api/v1/sets/fresh/1/review',
  ],
  'GET /api/v1/sets/new': [
    '/api/v1/sets/new?strategy=top&set=sampled&answers=1', '/api/v1/sets/new?strategy=top&set=fresh&parent=fresh/0&answers=1',
    '/api/v1/sets/new?strategy=threshold&set=sampled&answers=1&threshold=0.1',
  ],
  'POST /api/v1/classes/{wnid}/decisions': [
    ...[1, 2].map(() => (w) => decide(w.expert, { images: [{ image: apple(1), banned: false }] })),
    (w) => w.expert.json('POST', DECISIONS, { images: [{ image: apple(1), banned: true, reason: 'class' }] }, { 'if-match': '"0000000000000001"' }),
  ],
  'POST /api/v1/sets/{set}/{revision}/state': [
    (w) => w.lead.json('POST', '/api/v1/sets/fresh/1/state', { state: 'released', reason: 'done' }),
  ],
};

/* A second revision, a second source that differs and is chosen, decisions about a class of which one is undone, a
 * blind round, a discriminator. */
export async function makeSets({ dir, file, lead, expert }) {
  await importSet(dir, file, 'fresh', [], SETS.fresh.slice(2));
  await importModel(dir, file, 'sharp', 'fresh', 4);
  const { body } = await lead.json('GET', '/api/v1/models/sharp/sources?set=fresh/0');
  await lead.post('/models/sharp/sources', { set: 'fresh/0', source: String(body.sources[0].source), reason: 'it came first' });
  await decide(expert, { revision: 'fresh/0', images: [0, 1].map((i) => ({ image: apple(i), banned: true, reason: 'class', note: 'why' })),
    near_duplicates: [[apple(2), apple(3)]], reviewed: true, problematic: true });
  const { body: made } = await decide(lead, { images: [{ image: apple(4), banned: true, reason: 'drawing' }] });
  await decide(expert, { undo: made.version });
  await must(['discriminate', dir, '--original', 'originals', '--new', 'fresh/0']);
  await lead.post('/sets/fresh/0/rounds', { originals: '20', repeats: '50' });
}
