/* pages.mjs - what the server answers to requests that only read: every GET row of the route table as nobody and as
 * every role, by session and by API token, then what these pages link to and what their filters lead to. */
import { Client } from '../http/lib.mjs';
import { plain } from '../http/page_forms.mjs';
import { routes, target } from '../http/routes.mjs';
import { ROLES, newToken } from '../http/study.mjs';
import { slug } from './out.mjs';

/* { nobody, worker, ... }: signed in; `logins` says whose account has a role. */
export async function everybody(url, logins = {}) {
  const all = { nobody: new Client(url) };
  for (const role of ROLES) all[role] = await new Client(url).login(logins[role] ?? role);
  return all;
}

const fetchOf = (client, at, headers) => client.fetch(at, { headers: { accept: at.startsWith('/api/') ? 'application/json' : 'text/html', ...headers } });

/* Every row; `world` as tests/http/routes.mjs makes it, and `settled` waits until what that wrote shows everywhere. The
 * addresses that were asked. */
export async function everyRoute(out, world, clients, settled) {
  const tokens = {};
  for (const role of ROLES) tokens[role] = (await newToken(world.dir, 'admin', role)).token;
  const list = [];
  for (const route of routes.filter((r) => r.method === 'GET')) list.push([route, await target(world, route)]);
  await settled();
  for (const [route, at] of list) {
    const file = (who) => `routes/${slug(route.pattern)}/${who}.txt`;
    for (const [who, client] of Object.entries(clients)) await out.reply(file(who), `GET ${at}`, await fetchOf(client, at));
    if (!route.api) continue;
    for (const role of ROLES) {
      await out.reply(file(`${role}-token`), `GET ${at}`, await fetchOf(new Client(world.url), at, { authorization: `Bearer ${tokens[role]}` }));
    }
  }
  return list.map(([, at]) => at);
}

/* Addresses that a page names: links, pictures, what charts and streams are read from. */
const named = (html) => [...html.matchAll(/ (?:href|src|data-[a-z-]+)="(\/[^"#\s]*)/g)].map((m) => plain(m[1]))
  .filter((at) => !/^\/(static|logout|events)\b/.test(at) && !at.startsWith('//'));

/* What its forms that only ask lead to: as they stand, and with each choice of each field in turn. */
function asked(html) {
  const list = [];
  for (const [, head, body] of html.matchAll(/<form\b([^>]*)>([^]*?)<\/form>/g)) {
    const action = plain(/action="([^"]*)"/.exec(head)?.[1] ?? '');
    if (/method="post"/.test(head) || !action.startsWith('/')) continue;
    const base = [...body.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g)].map(([tag]) => /name="([^"]*)"/.exec(tag)?.[1] && [/name="([^"]*)"/.exec(tag)[1], plain(/value="([^"]*)"/.exec(tag)?.[1] ?? '')]).filter(Boolean);
    const choices = [...body.matchAll(/<select\b[^>]*name="([^"]*)"[^>]*>([^]*?)<\/select>/g)].map(([, name, inner]) =>
      [name, [...inner.matchAll(/<option\b[^>]*value="([^"]*)"/g)].map((m) => plain(m[1]))]);
    const boxes = [...body.matchAll(/<input\b[^>]*type="(?:checkbox|radio)"[^>]*>/g)].map(([tag]) =>
      [/name="([^"]*)"/.exec(tag)?.[1], [plain(/value="([^"]*)"/.exec(tag)?.[1] ?? 'on')]]).filter(([name]) => name);
    const at = (more) => `${action}?${new URLSearchParams([...base, ...more])}`;
    list.push(at([]), ...[...choices, ...boxes].flatMap(([name, values]) => values.map((v) => at([[name, v]]))));
  }
  return list;
}

/* Pages of one kind differ in numbers and in classes; in their queries by the names in them. */
const kindOf = (at) => {
  const [where, query = ''] = at.split('?');
  const keys = [...new URLSearchParams(query)].map(([k, v]) => `${k}=${/^(sort|order|by|kind|state|show|filter|do)$/.test(k) ? v : ''}`).join('&');
  return `${where.replace(/n\d{8}/g, 'W').replace(/\d+/g, 'N').replace(/[a-z]{60,}/g, 'L')}?${keys}`;
};

/* `starts` as `first` and what they lead to, so many levels on, at most `each` of a kind and `most` in all; then the
 * same addresses as `others`. */
export async function linked(out, clients, starts, { first = 'admin', others = [], levels = 1, each = 3, most = 700 } = {}) {
  const kinds = new Map(), seen = new Set(), kept = [];
  let wait = starts;
  const take = async (at, level) => {
    const body = await out.reply(`linked/${first}/${slug(at)}.txt`, `GET ${at}`, await fetchOf(clients[first], at));
    kept.push(at);
    const html = body.toString('utf8');
    return level < levels && /^\s*<!doctype html/i.test(html) ? [...named(html), ...asked(html)] : [];
  };
  for (let level = 0; level <= levels && wait.length; level++) {
    const more = [];
    for (const at of wait) {
      const kind = kindOf(at);
      if (seen.has(at) || kept.length >= most || (level && (kinds.get(kind) ?? 0) >= each)) continue;
      seen.add(at);
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      more.push(...await take(at, level));
    }
    wait = more;
  }
  for (const who of others) {
    for (const at of kept) await out.reply(`linked/${who}/${slug(at)}.txt`, `GET ${at}`, await fetchOf(clients[who], at));
  }
  return kept;
}

/* Where somebody begins who knows no address. */
export const STARTS = ['/', '/account', '/admin', '/campaigns', '/classes', '/decisions', '/flags', '/flags?show=all', '/help', '/history', '/images',
  '/jobs', '/models', '/picks', '/sets', '/sets/new', '/views', '/views/new', '/workers', '/api/openapi.json', '/api/v1/campaigns', '/api/v1/classes',
  '/api/v1/decisions', '/api/v1/history', '/api/v1/images', '/api/v1/jobs', '/api/v1/models', '/api/v1/overview', '/api/v1/picks', '/api/v1/scores',
  '/api/v1/sets', '/api/v1/tokens', '/api/v1/views', '/nowhere', '/classes/n99999999', '/images/999999', '/sets/none/0', '/api/v1/nowhere',
  '/classes?sort=none', '/images?limit=x', '/history?after=x'];
