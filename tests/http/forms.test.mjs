/* A form that was refused comes back with what was typed; what was done is said once, on the page that one
 * is led to, by nobody but this server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client, PASSWORD } from './lib.mjs';
import { startStudy } from './study.mjs';

const text = async (r) => ({ status: r.status, html: await r.text() });

test('forms', async (t) => {
  const { server: world } = await startStudy(t);
  const lead = await new Client(world.url).login('lead');
  const settings = '/campaigns/main/study';

  await t.test('every form that posts says which page it stands on', async () => {
    const html = await lead.page(`${settings}?a=1&b=%22`);
    const forms = html.match(/<form[^>]*method="post"/g).length;
    assert.equal(html.match(/<input type="hidden" name="form_page" value="\/campaigns\/main\/study\?a=1&amp;b=%22">/g).length, forms);
  });

  await t.test('a refused form is shown again on its page', async () => {
    for (const extra of [{ form_page: '/picks?from=2' }, {}]) {
      const r = await text(await lead.post('/picks', { size: 'many "or so"', keywords_most: '3', ...extra }));
      assert.equal(r.status, 400, r.html);
      assert.match(r.html, /<title>Error: /);
      assert.ok(r.html.includes(`role="alert" tabindex="-1" data-form-page="${extra.form_page ?? '/picks'}"`));
      assert.match(r.html, /name="size"[^>]* value="many &quot;or so&quot;"[^>]* aria-invalid="true" autofocus>/);
      assert.match(r.html, /class="field-error" id="wrong-1"/);
    }
  });

  await t.test('signing in leads on to the whole address, as long as it is not too long', async () => {
    const chosen = '/decisions/new?place=1&place=2&value=approved&q=%22a%20b%22';
    const visitor = new Client(world.url);
    const nextOf = (r) => new URL(r.headers.get('location'), world.url).searchParams.get('next');
    assert.equal(nextOf(await visitor.get(chosen)), chosen);
    assert.equal(nextOf(await visitor.get(`/workers?q=${'x'.repeat(3000)}`)), '/workers');
    const r = await visitor.post('/login', { login: 'lead', password: PASSWORD, next: chosen });
    assert.equal(r.headers.get('location'), chosen);
  });

  await t.test('only pages of this server, and only what one may see', async () => {
    for (const page of ['//example.org/', '/admin', '/static/x.js', 'javascript:1', '/nothing', '/campaigns/main/participants.csv', `/${'x'.repeat(3000)}`]) {
      const r = await text(await lead.post('/campaigns/none/state/closed', { form_page: page }));
      assert.equal(r.status, 404);
      assert.match(r.html, /<h1>Not found<\/h1>/, page);
      assert.ok(!r.html.includes('href="//') && !r.html.includes('href="javascript'), page);
    }
  });

  await t.test('what was done is said once', async () => {
    const r = await lead.post('/campaigns/main/state/closed');
    assert.equal(r.status, 303);
    const cookie = lead.cookies.get('holdout_notice');
    assert.ok(cookie);
    assert.doesNotMatch(await lead.fetch('/campaigns/main', { headers: { 'sec-fetch-dest': 'empty' } }).then((x) => x.text()), /data-toast/);
    const html = await lead.page('/campaigns/main');
    assert.match(html, /role="status" data-toast>\s*<p>The campaign is closed/);
    assert.match(html, /<form method="post" action="\/campaigns\/main\/state\/open">/);
    assert.ok(!lead.cookies.has('holdout_notice'));
    assert.doesNotMatch(await lead.page('/campaigns/main'), /data-toast/);
    for (const [what, value, who] of [
      ['changed', `A${cookie.slice(1)}`, lead],
      ['without its seal', cookie.split('.')[0], lead],
      ['of another session', cookie, await new Client(world.url).login('lead')],
    ]) {
      who.cookies.set('holdout_notice', value);
      assert.doesNotMatch(await who.page('/campaigns'), /data-toast/, what);
    }
    await lead.post('/campaigns/main/state/open');
  });
});
