/* crawl.mjs - the texts of all that somebody may see, address by address. */

/* Text of a reply; pictures and streams say nothing here. */
async function said(client, at, headers) {
  const r = await client.fetch(at, { headers });
  const type = r.headers.get('content-type') ?? '';
  if (!/^text\/(html|csv|plain)|json|svg/.test(type)) {
    await r.body?.cancel();
    return '';
  }
  return r.text();
}

const links = (html) => [...html.matchAll(/ href="(\/[^"#]*)/g)].map((m) => m[1].replaceAll('&amp;', '&'))
  .filter((at) => !/^\/(static|work|login|help|account|admin)/.test(at));

/* Of `list` and, with `follow`, of at most so many addresses that the pages link to. */
export async function crawl(list, client, { headers = {}, follow = 0 } = {}) {
  const texts = new Map(), wait = [...list];
  for (let n = 0; n < wait.length && texts.size < list.length + follow; n++) {
    if (texts.has(wait[n])) continue;
    const text = await said(client, wait[n], headers);
    texts.set(wait[n], text);
    if (follow) wait.push(...links(text).filter((at) => !texts.has(at)));
  }
  return texts;
}
