/* forms.mjs - what the server answers to what it must refuse: every POST row with nothing in it, as everybody, without
 * and with the CSRF token; and every form of every page sent empty. And to what it takes: every row with a
 * plausible request, one after the other. */
import { everyForm, keyOf } from '../http/all_forms.mjs';
import { Client, PASSWORD } from '../http/lib.mjs';
import { fieldsOf, formsOf, isText } from '../http/page_forms.mjs';
import { newWorld, options, routes, target } from '../http/routes.mjs';
import { ROLES } from '../http/study.mjs';
import { slug } from './out.mjs';

const writes = routes.filter((r) => r.method !== 'GET');

/* A client that is still signed in; some writes end sessions. */
async function signedIn(world, client, login) {
  const r = await client.fetch('/account');
  await r.body?.cancel();
  return r.status === 200 ? client : new Client(world.url).login(login);
}

/* Every row that writes, with an empty body. */
export async function emptyRows(out, study) {
  const world = await newWorld(study);
  const clients = { nobody: new Client(world.url) };
  for (const role of ROLES) clients[role] = await new Client(world.url).login(role);
  for (const route of writes) {
    const at = await target(world, route);
    const ask = (client, csrf) => client.fetch(at, route.api
      ? { method: route.method, headers: { 'content-type': 'application/json', ...(csrf ? { 'x-csrf-token': csrf } : {}) }, body: route.method === 'DELETE' ? undefined : '{}' }
      : { method: route.method, headers: { accept: 'text/html' }, body: new URLSearchParams(csrf ? { csrf } : {}) });
    for (const [who, client] of Object.entries(clients)) {
      await out.reply(`empty-rows/${slug(route.name)}/${who}.txt`, route.name, await ask(client, ''));
      if (who === 'nobody') continue;
      await out.reply(`empty-rows/${slug(route.name)}/${who}-csrf.txt`, route.name, await ask(client, client.csrf));
      clients[who] = await signedIn(world, client, who);
    }
  }
}

const buttonsOf = (form) => {
  const all = form.controls.filter((c) => c.tag === 'button' && c.press !== 'button');
  return all.length ? all : [{}];
};

/* Every form that the pages show, all that can be typed left out. */
export async function emptyForms(out, study) {
  const world = Object.assign(await newWorld(study), { password: PASSWORD });
  const admin = await new Client(world.url).login('admin');
  const found = (await everyForm(world, admin)).filter((f) => f.form.action);
  for (const entry of found) {
    const client = entry.who === 'admin' ? admin : entry.who === 'visitor' ? new Client(world.url) : entry.who;
    for (const button of buttonsOf(entry.form)) {
      const r = await client.get(entry.page, { accept: 'text/html' });
      const form = formsOf(await r.text()).find((f) => keyOf(f) === entry.key);
      if (!form || /^\/(logout|account\/sessions)/.test(form.action)) continue; /* gone since, or it would end this session */
      const typed = Object.fromEntries(form.controls.filter((c) => isText(c) && c.name !== 'username').map((c) => [c.name, '']));
      const at = button.formaction ?? form.action;
      const name = `${entry.key} ${button.name ?? ''}=${button.value ?? ''} ${button.formaction ?? ''}`;
      await out.reply(`empty-forms/${slug(name)}.txt`, `POST ${at} of ${entry.page}`,
        await client.fetch(at, { method: 'POST', headers: { accept: 'text/html' }, body: fieldsOf(form, typed, button.name ? button : undefined) }));
    }
  }
}

/* Every row with what it asks for, as an administrator, and as an API that is in a hurry: twice. */
export async function plausible(out, study) {
  const world = await newWorld(study);
  let admin = await new Client(world.url).login('admin');
  for (const route of writes) {
    const at = await target(world, route);
    const request = options(world, route, 'admin', { csrf: admin.csrf });
    for (const time of ['first', 'again']) {
      await out.reply(`rows-taken/${slug(route.name)}/${time}.txt`, `${route.method} ${at}`, await admin.fetch(at, request));
      if (/\/(session|logout|password)/.test(`${route.pattern}`)) break;
    }
    admin = await signedIn(world, admin, 'admin');
  }
}
