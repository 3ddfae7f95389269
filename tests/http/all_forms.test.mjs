/* Every form that the pages show, found by walking through them (all_forms.mjs), sent empty and with a value
 * too long or of another kind in each field: it is either taken or shown again on its page, with what was
 * typed, a message beside the field and the focus on it. What a field must refuse says the field itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { everyForm, isOf, keyOf, plain, templateForms, typedControls } from './all_forms.mjs';
import { Client, PASSWORD } from './lib.mjs';
import { fieldsOf, formsOf, isText } from './page_forms.mjs';
import { newWorld } from './routes.mjs';
import { startStudy } from './study.mjs';

const LONG = 'x'.repeat(3000);
const headingOf = (html) => /<h1[^>]*>([^]*?)<\/h1>/.exec(html)?.[1].replace(/<[^>]*>/g, '').trim();

/* Fields that a form needs before it looks at the others. */
function filled(form) {
  const value = (c) => (c.type === 'password' ? PASSWORD : c.value || (c.required ? c.min ?? '1' : ''));
  return Object.fromEntries(form.controls.filter(isText).map((c) => [c.name, value(c)]));
}

/* [what, typed, the fields of which one must be refused; null: it may be taken, some fields are only read with
 * others] */
function* tries(form) {
  const texts = form.controls.filter((c) => isText(c) && c.name !== 'username');
  const must = texts.filter((c) => c.required).map((c) => c.name);
  if (texts.length) yield ['empty', Object.fromEntries(texts.map((c) => [c.name, ''])), must];
  for (const c of texts.filter((x, i) => texts.findIndex((y) => plain(y.name) === plain(x.name)) === i)) {
    yield [`${c.name} too long`, { ...filled(form), [c.name]: LONG }, null];
  }
}

const buttonsOf = (form) => {
  const all = form.controls.filter((c) => c.tag === 'button' && c.press !== 'button');
  return all.length ? all : [{}];
};

/* The page as it is, and the form on it; null when what was sent before took it away. */
async function shown(entry, client) {
  const html = await client.page(entry.page);
  const form = formsOf(html).find((f) => keyOf(f) === entry.key);
  return form ? { html, form } : null;
}

function refused(status, reply, html, form, typed, must) {
  assert.equal(headingOf(reply), headingOf(html), 'the same page');
  assert.match(reply, /role="alert"/);
  const again = formsOf(reply).filter((f) => f.action === form.action && f.controls.length >= form.controls.length);
  const at = again.find((f) => f.controls.some((c) => c.invalid)) ?? again[0];
  assert.ok(at, 'the form is there');
  for (const c of at.controls.filter((x) => isText(x) && x.type !== 'password' && x.name in typed)) {
    assert.equal(c.value, typed[c.name], `${c.name} keeps what was typed`);
  }
  const wrong = at.controls.filter((c) => c.invalid);
  if (status === 409 && !wrong.length) return; /* about what is there, not about a field */
  assert.ok(wrong.length, `a field is marked: ${/role="alert"[^]{0,400}/.exec(reply)?.[0]}`);
  assert.ok(!must?.length || wrong.some((c) => must.includes(c.name)), `${must} is marked, not ${wrong.map((c) => c.name)}`);
  for (const c of wrong) {
    const says = (c.describedby ?? '').split(' ').map((id) => new RegExp(`class="field-error" id="${id}"[^>]*>([^<]+)<`).exec(reply)?.[1]).filter(Boolean);
    assert.match(says.join(' '), /\w+ \w+/, `${c.name} has its message beside it`);
  }
  assert.ok(wrong[0].focused, `${wrong[0].name} has the focus`);
}

async function sent(entry, client, typed, must, button) {
  const now = await shown(entry, client);
  if (!now) return 'gone';
  const r = await client.fetch(button.formaction ?? now.form.action, { method: 'POST', body: fieldsOf(now.form, typed, button.name ? button : undefined) });
  const reply = await r.text();
  if (r.status >= 400) refused(r.status, reply, now.html, now.form, typed, must);
  else assert.ok(r.status === 200 || !must?.length, `${r.status}: it was taken without ${must}`);
  return r.status < 400 ? 'taken' : 'refused';
}

test('every form of every page, empty and wrong', async (t) => {
  const world = Object.assign(await newWorld(await startStudy(t)), { password: PASSWORD });
  const admin = await new Client(world.url).login('admin');
  const found = await everyForm(world, admin);

  await t.test('every template with something to type in is among them', () => {
    const unseen = templateForms().filter((x) => x.typed && !found.some((f) => isOf(f.form, x)));
    assert.deepEqual(unseen.map((x) => `${x.file}:${x.line}`), []);
  });

  const count = { gone: 0, taken: 0, refused: 0 };
  for (const entry of found.filter((f) => typedControls(f.form).length && f.form.action)) {
    await t.test(entry.key, async () => {
      for (const button of buttonsOf(entry.form)) {
        for (const [what, typed, must] of tries(entry.form)) {
          const client = entry.who === 'admin' ? admin : entry.who === 'visitor' ? new Client(world.url) : entry.who;
          try {
            count[await sent(entry, client, typed, must, button)]++;
          } catch (e) {
            e.message = `${what}${button.value ? `, ${button.value}` : ''}: ${e.message}`;
            throw e;
          }
        }
      }
    });
  }
  assert.ok(count.refused > 60 && count.gone < 16, JSON.stringify(count));
});
