/* task.js - which kinds of task this page knows besides grids: pages of another load its script, which says so here. */
export const task = { labels: null };
