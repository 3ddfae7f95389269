/* forms.test.mjs - every form of the pages about accounts, invites, API tokens and campaigns, as
 * people use them: filled in and sent in a browser, and what they then can and cannot do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { PASSWORD, launch, noProblems, openPage, press as pressIt, sendForm, signIn } from './lib.mjs';
import { Client } from '../http/lib.mjs';
import { oddSite } from './world.mjs';

const NEW_PASSWORD = 'a different horse, another battery';

const press = (scope, name, page = scope) => pressIt(page, scope.getByRole('button', { name }));

const status = (page) => page.getByRole('status').first().innerText();
const alert = (page) => page.getByRole('alert').innerText();

async function signedIn(browser, site, login, password = PASSWORD) {
  const page = await openPage(browser, `${site.url}/login`);
  await signIn(page, login, password);
  return page;
}

/* Fills in the sign-in form; where it led. */
async function trySignIn(page, login, password) {
  await page.goto('/login');
  await page.getByLabel('Login name').fill(login);
  await page.getByLabel('Password').fill(password);
  await press(page, 'Sign in');
  return new URL(page.url()).pathname;
}

const useToken = async (site, token) =>
  (await fetch(`${site.url}/api/v1/campaigns`, { headers: { authorization: `Bearer ${token}` } })).status;

/* The reply to a form with a mistake is an error for the browser too. */
function onlyErrors(page, ...expected) {
  const got = page.problems.map((p) => Number(/status of (\d+)/.exec(p)?.[1] ?? NaN));
  assert.deepEqual(got, expected, page.problems.join('\n'));
}

/* An administrator makes a link; somebody uses it and is signed in. */
async function invited(browser, site, admin) {
  await admin.goto('/admin');
  const form = admin.locator('form[action="/admin/invites"]');
  await form.getByLabel('Role').selectOption('expert');
  await form.getByLabel('For whom').fill('Ada <Lovelace>');
  await form.getByLabel('Your own password').fill(PASSWORD);
  await press(form, 'Make an invite', admin);
  const link = await admin.locator('code.secret').innerText();
  assert.ok(link.startsWith(`${site.url}/invite/`), link);
  await admin.reload();
  assert.equal(await admin.locator('code.secret').count(), 0, 'shown once');
  assert.match(await admin.locator('#invites-table').innerText(), /Ada <Lovelace>\s+expert\s+open/);

  const ada = await openPage(browser, link);
  await ada.getByLabel('Login name').fill('lead');
  await ada.getByLabel('Password').fill(PASSWORD);
  await press(ada, 'Make the account');
  assert.match(await alert(ada), /Nothing was changed\s+.*lead/s);
  await ada.getByLabel('Login name').fill('ada');
  await ada.getByLabel('Password').fill(PASSWORD);
  await press(ada, 'Make the account');
  assert.equal(new URL(ada.url()).pathname, '/');
  assert.ok(await ada.getByRole('link', { name: 'Your account: ada' }).isVisible());
  await ada.goto(link);
  assert.equal(await ada.locator('h1').innerText(), 'Not found');
  onlyErrors(ada, 409, 404);
  ada.problems.length = 0;
  await admin.reload();
  assert.match(await admin.locator('#invites-table').innerText(), /expert\s+used/);

  await form.getByLabel('Your own password').fill(PASSWORD);
  await press(form, 'Make an invite', admin);
  const unused = await admin.locator('code.secret').innerText();
  await press(admin.locator('#invites-table'), /^Revoke/, admin);
  assert.match(await status(admin), /The invite is revoked/);
  assert.equal((await fetch(unused)).status, 404);
  return ada;
}

async function passwordChange(browser, site, ada) {
  const elsewhere = await signedIn(browser, site, 'ada');
  await ada.goto('/account');
  const change = async (old) => {
    await ada.getByLabel('Current password').fill(old);
    await ada.getByLabel('New password').fill(NEW_PASSWORD);
    await press(ada, 'Change password');
  };
  await change('not the password');
  assert.match(await alert(ada), /Nothing was changed\s+Your password is wrong/);
  onlyErrors(ada, 403);
  ada.problems.length = 0;
  await change(PASSWORD);
  assert.match(await status(ada), /Your password is changed/);
  await elsewhere.goto('/account');
  assert.equal(new URL(elsewhere.url()).pathname, '/login');
  assert.equal(await trySignIn(elsewhere, 'ada', PASSWORD), '/login');
  assert.match(await alert(elsewhere), /login name or the password is wrong/);
  assert.equal(await trySignIn(elsewhere, 'ada', NEW_PASSWORD), '/');

  await ada.goto('/account');
  assert.match(await ada.locator('main').innerText(), /including this one: 2/);
  await press(ada, 'Sign out everywhere else');
  assert.match(await status(ada), /signed out everywhere else/);
  assert.match(await ada.locator('main').innerText(), /including this one: 1/);
  await elsewhere.goto('/account');
  assert.equal(new URL(elsewhere.url()).pathname, '/login');
  await elsewhere.context().close();
}

/* Makes a token and uses it; revokes one on each page that can. */
async function tokens(site, admin) {
  for (const at of ['/admin', '/account']) {
    await admin.goto('/admin');
    const form = admin.locator('form[action="/admin/tokens"]');
    await form.getByLabel('Name').fill(`script of ${at}`);
    await form.getByLabel('Highest role').selectOption('expert');
    await form.getByLabel('Days until it expires').fill('2');
    await form.getByLabel('Your own password').fill(PASSWORD);
    await press(form, 'Make a token', admin);
    const token = await admin.locator('code.secret').innerText();
    assert.match(token, /^hld_[A-Za-z0-9_-]{22}$/);
    assert.equal(await useToken(site, token), 200);
    await admin.goto(at);
    assert.equal(await admin.locator('code.secret').count(), 0);
    await press(admin.locator('#tokens-table'), `Revoke the token script of ${at}`, admin);
    assert.match(await status(admin), /revoked/);
    assert.equal(await useToken(site, token), 401);
  }
  noProblems(admin);
}

/* Opens the menu of an account on the admin page and presses one of its buttons. */
async function changeAccount(admin, login, name, { password = PASSWORD, role } = {}) {
  await admin.goto('/admin');
  const row = admin.locator('#accounts-table tbody tr').filter({ has: admin.getByRole('rowheader', { name: login, exact: true }) });
  await row.locator('summary').click();
  if (role) await row.getByLabel('Role of').selectOption(role);
  await row.getByLabel('Your own password').fill(password);
  await press(row, name, admin);
}

async function accounts(browser, site, admin, ada) {
  await changeAccount(admin, 'ada', 'Change the role', { role: 'lead', password: 'wrong' });
  assert.match(await alert(admin), /Your password is wrong; nothing was changed/);
  onlyErrors(admin, 403);
  admin.problems.length = 0;
  await changeAccount(admin, 'ada', 'Change the role', { role: 'lead' });
  assert.match(await status(admin), /The role is changed/);
  assert.equal(await trySignIn(ada, 'ada', NEW_PASSWORD), '/');
  await ada.goto('/account');
  assert.match(await ada.locator('main .lead').innerText(), /lead/);

  await changeAccount(admin, 'ada', 'Disable');
  assert.match(await status(admin), /disabled and signed out/);
  await ada.goto('/account');
  assert.equal(new URL(ada.url()).pathname, '/login');
  assert.equal(await trySignIn(ada, 'ada', NEW_PASSWORD), '/login');
  await changeAccount(admin, 'ada', 'Enable');
  assert.match(await status(admin), /enabled again/);
  assert.equal(await trySignIn(ada, 'ada', NEW_PASSWORD), '/');
  await press(ada, 'Sign out');
  assert.equal(new URL(ada.url()).pathname, '/login');
  await ada.goto('/');
  assert.equal(new URL(ada.url()).pathname, '/login');

  const worker = await openPage(browser, `${site.url}/login`);
  assert.equal(await trySignIn(worker, 'worker', PASSWORD), '/account', 'not the overview, which is for experts');
  await pressIt(worker, worker.getByRole('link', { name: 'project' }));
  assert.equal(new URL(worker.url()).pathname, '/account');
  noProblems(worker);
}

/* Two administrators; one is left in the end, and stays. */
async function lastAdmin(admin) {
  await changeAccount(admin, 'boss', 'Disable');
  assert.match(await status(admin), /disabled/);
  assert.equal(await admin.getByRole('row', { name: /^admin you/ }).locator('summary').count(), 0, 'no menu for oneself');
  const id = 1;
  await admin.goto('/account');
  const csrf = await admin.locator('input[name="csrf"]').first().inputValue();
  for (const [what, fields] of [['disable', {}], ['role', { role: 'lead' }]]) {
    const reply = await sendForm(admin, `/admin/accounts/${id}/${what}`, { csrf, password: PASSWORD, ...fields });
    assert.equal(reply.status(), 403);
    assert.match(await admin.locator('main').innerText(), /This is the last administrator. Make somebody else an administrator first/);
  }
  await changeAccount(admin, 'boss', 'Enable');
  assert.match(await status(admin), /enabled again/);
}

const heading = (page) => page.locator('h1').innerText();

async function campaignStates(browser, site) {
  const lead = await signedIn(browser, site, 'lead');
  const other = await signedIn(browser, site, 'lead');
  await lead.goto('/campaigns/shut');
  await other.goto('/campaigns/shut');
  await other.getByText('Live', { exact: true }).waitFor();
  const joined = await new Client(site.url).json('POST', '/api/v1/campaigns/shut/places', { external_id: 'w' });
  const place = `/work/place/${joined.body.place}`;
  const worker = await openPage(browser, `${site.url}${place}`, { javaScriptEnabled: false });

  await press(lead, 'Pause');
  assert.ok(await lead.getByText('paused', { exact: true }).first().isVisible());
  await worker.reload();
  assert.equal(await heading(worker), 'This study is paused');
  assert.equal(await worker.getByRole('button', { name: 'Next grid' }).count(), 0);
  await worker.goto('/work/campaign/shut');
  assert.match(await status(worker), /You cannot start now/);
  assert.equal(await worker.getByRole('button', { name: 'I agree, start' }).count(), 0);

  await press(lead, 'Resume');
  await worker.goto(place);
  assert.match(await worker.locator('main').innerText(), /Ready when you are/);
  await press(worker, 'Next grid');
  const grid = worker.url();
  await other.getByRole('definition').filter({ hasText: /^1$/ }).first().waitFor(); /* "Lent now", by itself */

  await lead.getByText('Close', { exact: true }).click();
  assert.match(await lead.locator('main').innerText(), /nothing more is handed out/, 'asked first');
  await lead.keyboard.press('Escape');
  assert.ok(!await lead.getByRole('button', { name: 'Close the campaign' }).isVisible());
  await lead.keyboard.press('Enter');
  await press(lead, 'Close the campaign');
  assert.match(await status(lead), /The campaign is closed/);
  await worker.goto(place);
  assert.match(await worker.locator('main').innerText(), /A grid is waiting for you/);
  await worker.goto(grid);
  await worker.getByRole('checkbox').first().check();
  await press(worker, 'Submit');
  assert.equal(await heading(worker), 'This study is closed');
  assert.match(await worker.locator('main').innerText(), /Everything you submitted is kept and counts/);
  assert.equal(await worker.locator('output').count(), 1, 'who answered gets the code');
  await press(lead, 'Undo');
  assert.match(await status(lead), /The campaign is open/);
  await worker.goto(place);
  assert.equal(await worker.locator('output').count(), 1, 'a code that was given stays');
  assert.equal(await worker.getByRole('button', { name: 'Next grid' }).count(), 1);

  const expert = await signedIn(browser, site, 'expert');
  await expert.goto('/campaigns/shut');
  assert.deepEqual(await expert.locator('main').getByRole('button').allInnerTexts(), ['Show'], 'an expert looks on, and filters grids');
  noProblems(lead);
  noProblems(other);
  noProblems(expert);
}

/* forms.js on its own: what the browser finds wrong, in a group of boxes and in a label around its field. */
async function inPlace(page) {
  await page.goto('/campaigns');
  await page.evaluate(() => document.querySelector('main').insertAdjacentHTML('beforeend', `
    <form id="odd" method="post" action="/nowhere">
      <fieldset><legend>Which?</legend>
        <label><input type="radio" name="kind" value="a" required> a</label>
        <label><input type="radio" name="kind" value="b" required> b</label>
      </fieldset>
      <label>When <input name="when" required pattern="[0-9]+"></label><button>Send it</button>
    </form>`));
  const form = page.locator('#odd');
  const send = () => form.getByRole('button').click();
  const said = () => form.locator('.field-error').allInnerTexts();
  await send();
  await send();
  const [which, when, ...more] = await said();
  assert.ok(which && when && more.length === 0, JSON.stringify([which, when, more]));
  await form.getByLabel('b', { exact: true }).check();
  assert.deepEqual(await said(), [when], 'any box of the group is an answer');
  assert.equal(await form.locator('fieldset [aria-invalid]').count(), 0);
  await form.getByLabel('When').fill('soon');
  await send();
  const now = await said();
  assert.ok(now.length === 1 && now[0] !== when, 'what is wrong now, not what was wrong before');
  await form.getByLabel('When').fill('7');
  assert.deepEqual(await said(), []);
}

/* The session ends while a lead types; with a script everything is there again after signing in. */
async function signedOut(browser, site) {
  const page = await signedIn(browser, site, 'lead');
  const title = 'Which of these show a “shark”?';
  await page.goto('/campaigns/draft/plan');
  await page.getByLabel('Title for workers').fill(title);
  await page.getByLabel('Grids per person').fill('3');
  await page.context().clearCookies();
  await press(page, 'Save the terms');
  assert.equal(await heading(page), 'Please sign in');
  assert.match(await page.locator('main').innerText(), /nothing was changed/);
  await pressIt(page, page.getByRole('link', { name: 'Sign in' }).first());
  await page.getByLabel('Login name').fill('lead');
  await page.getByLabel('Password').fill(PASSWORD);
  await press(page, 'Sign in');
  assert.equal(new URL(page.url()).pathname, '/campaigns/draft/plan');
  assert.equal(await page.getByLabel('Title for workers').inputValue(), title);
  assert.equal(await page.getByLabel('Grids per person').inputValue(), '3');
  assert.match(await page.locator('main').innerText(), /You were signed out, so nothing was changed\. What you typed is here again/);
  await press(page, 'Save the terms');
  assert.match(await status(page), /The terms are saved/);
  await page.reload();
  assert.doesNotMatch(await page.locator('main').innerText(), /You were signed out/);
  onlyErrors(page, 401);
}

test('forms', async (t) => {
  const [browser, site] = await Promise.all([launch(t), oddSite(t)]);
  const admin = await signedIn(browser, site, 'admin');
  let ada;
  await t.test('an invite becomes an account', async () => { ada = await invited(browser, site, admin); });
  await t.test('a password is changed, other sessions end', () => passwordChange(browser, site, ada));
  await t.test('API tokens are made, used and revoked', () => tokens(site, admin));
  await t.test('roles change, accounts are disabled and enabled', () => accounts(browser, site, admin, ada));
  await t.test('the last administrator stays', () => lastAdmin(admin));
  await t.test('what was typed when the session had ended is there again', () => signedOut(browser, site));
  await t.test('messages beside fields go when they are not true any more', () => inPlace(admin));
  await t.test('a lead pauses, resumes and closes; workers are told', () => campaignStates(browser, site));
});
