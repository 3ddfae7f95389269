/* every_form.test.mjs - every form that asks for text, found by walking the pages (../http/all_forms.mjs), as
 * people see it refused: by the browser in place, and by the server when it is sent empty or with far too much, by
 * turns (HOLDOUT_LONG=1: each with both; http/every_form sends both to all). What was typed is kept, the first wrong
 * field has the focus and its message beside it, and axe finds nothing, in light or dark. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { everyForm, keyOf } from '../http/all_forms.mjs';
import { formsOf, isText } from '../http/page_forms.mjs';
import { newWorld } from '../http/routes.mjs';
import { startStudy } from '../http/study.mjs';
import { Client, LONG as ALL, PASSWORD, accessible, faultBin, focusGiven, launch, openPage, shot } from './lib.mjs';

const LONG = 'far too much '.repeat(80);
const textsOf = (form) => form.controls.filter((c) => isText(c) && c.name !== 'username');
const nameOf = (entry) => entry.key.split(' ')[0].replace(/\W+/g, '-').slice(1);

/* The form on its page, by the number that it has there; -1: it is there no more. */
async function open(page, entry) {
  const html = await (await page.goto(entry.page)).text();
  return formsOf(html).findIndex((f) => keyOf(f) === entry.key);
}

/* Types the same into every text (nothing into passwords but what is wrong), and presses the last button. */
const send = (page, n, text, valid) => page.evaluate(([at, value, checked]) => {
  const form = document.querySelectorAll('form[method=post]')[at];
  for (let part = form; part; part = part.parentElement) if (part.tagName === 'DETAILS') part.open = true;
  form.querySelectorAll('details').forEach((d) => { d.open = true; });
  form.noValidate = !checked;
  const texts = [...form.elements].filter((e) => e.matches('textarea, input:not([type=hidden], [type=checkbox], [type=radio], [type=file])') && e.name !== 'username');
  texts.forEach((e) => { e.value = e.type === 'password' ? value && 'no' : e.type === 'number' ? value && '99999999' : value; });
  form.requestSubmit([...form.elements].filter((e) => e.tagName === 'BUTTON' && e.type === 'submit').at(-1));
}, [n, text, valid]);

/* What the field that has the focus says of itself. */
const focused = (page) => page.evaluate(() => {
  const field = document.activeElement;
  const says = (field.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id))
    .filter((m) => m?.classList.contains('field-error'));
  return { name: field.name ?? field.className, invalid: field.getAttribute('aria-invalid') === 'true', value: field.value,
    typed: !/radio|checkbox|select/.test(field.type),
    message: says.map((m) => m.innerText).join(' '), shown: says.length > 0 && says.every((m) => m.getClientRects().length > 0) };
});

async function fieldSays(page, what) {
  const got = await focused(page);
  assert.ok(got.invalid && got.shown && /\w+ \w+/.test(got.message), `${what}: ${JSON.stringify(got)}`);
  return got;
}

/* The browser's own rules: nothing is sent. */
async function inPlace(page, entry) {
  const n = await open(page, entry);
  if (n < 0) return false;
  await send(page, n, '', true);
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
  await fieldSays(page, 'in place');
  return true;
}

/* The server's; false when it took what was sent. */
async function refused(page, entry, text, scheme) {
  await page.emulateMedia({ colorScheme: scheme });
  const n = await open(page, entry);
  if (n < 0) return false;
  const [reply] = await Promise.all([page.waitForNavigation({ waitUntil: 'load' }), send(page, n, text, false)]);
  if (reply.status() < 400) return false;
  assert.equal(await page.getByRole('alert').count() > 0, true, 'a summary');
  await focusGiven(page);
  const got = await page.evaluate(() => document.activeElement.getAttribute('role') === 'alert');
  if (got && reply.status() === 409) return true; /* about what is there */
  const field = await fieldSays(page, `${reply.status()}, ${text ? 'long' : 'empty'}`);
  if (text && field.typed && field.value !== 'no') assert.ok(text.trim().startsWith(field.value.trim()) || field.value === '99999999', `${field.name} keeps what was typed`);
  if (entry.who === 'admin') assert.equal(new URL(page.url()).pathname, entry.page.split('?')[0], 'a reload sends nothing');
  await accessible(page, { within: 'form:has([aria-invalid=true])' });
  await shot(page, `form-${nameOf(entry)}-${scheme}`, { fullPage: false });
  return true;
}

test('every form that asks for text', { timeout: 180000 }, async (t) => {
  const [browser, study] = await Promise.all([launch(t), startStudy(t, { binary: faultBin })]);
  const world = Object.assign(await newWorld(study), { password: PASSWORD });
  const admin = await new Client(world.url).login('admin');
  const found = (await everyForm(world, admin))
    .filter((f) => textsOf(f.form).length && !f.key.includes(':wnid')); /* those scripts send: review, class_browser, picks */
  const pages = new Map();
  const pageOf = async (who) => {
    const cookies = who === 'admin' ? admin.cookies : who === 'visitor' ? new Map() : who.cookies;
    if (!pages.has(who)) pages.set(who, await openPage(browser, `${world.url}/login`, { cookies, width: pages.size % 2 ? 360 : 1440 }));
    return pages.get(who);
  };
  let n = 0;
  for (const [i, entry] of found.entries()) {
    await t.test(entry.key, async () => {
      const page = await pageOf(entry.who);
      if (textsOf(entry.form).some((c) => c.required)) await inPlace(page, entry);
      const ways = [['', 'light'], [LONG, 'dark']];
      if (i % 2) ways.reverse();
      for (const [text, scheme] of ways) {
        if (!await refused(page, entry, text, scheme)) continue; /* it took what was sent: the other way */
        n++;
        if (!ALL) break;
      }
    });
  }
  assert.ok(n > (ALL ? 25 : 20), `${n} refusals of ${found.length} forms`);
});
