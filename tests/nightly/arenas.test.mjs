/* Every request of the route table with an arena that ends at every point: tests/http/arenas.test.mjs
 * without leaving any out. */
process.env.HOLDOUT_EVERY_POINT = '1';
await import('../http/arenas.test.mjs');
