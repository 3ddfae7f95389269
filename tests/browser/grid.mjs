/* grid.mjs - going to a grid with the page's script, and what is selected there. */
import { accessible, fitsWidth, openPage, shot } from './lib.mjs';

export const place = (site, campaign, who) => `${site.url}/work/campaign/${campaign}?PROLIFIC_PID=${who}`;
export const button = (page, name) => page.getByRole('button', { name, exact: true });
export const cells = (page) => page.locator('.cell input');

/* Positions that are selected. */
export const picked = (page) =>
  page.locator('.cell input:checked').evaluateAll((all) => all.map((e) => Number(e.value)));

/* The assignment that is shown; '' between two. */
export const shown = (page) =>
  page.evaluate(() => document.querySelector('main[data-url]')?.dataset.url.split('/').pop() ?? '');

/* Waits until the grid after this one is here; its address. */
export const ahead = (page) => page.waitForFunction(() => {
  const [shown, next] = [document.querySelector('main').dataset.url, document.querySelector('.strip')?.dataset.grid];
  return next && next !== shown && next;
}).then((url) => url.jsonValue());

/* From the link to the first grid, ready to be worked on. `before(page)` prepares the page. */
export async function toGrid(browser, site, campaign, who, options = {}, before = async () => {}) {
  const page = await openPage(browser, place(site, campaign, who), options);
  await before(page);
  for (const name of ['I agree, start']) {
    await Promise.all([page.waitForNavigation(), button(page, name).click()]);
  }
  await page.waitForSelector('[data-tools]:not([hidden])');
  return page;
}

/* Its photos here: by the rules of WCAG (`contrast`: colours too), not wider than the window, and a picture for people. */
export async function look(page, name, { contrast = true } = {}) {
  await page.locator('.grid img').evaluateAll((all) => Promise.all(all.map((i) => i.decode().catch(() => null))));
  await accessible(page, { contrast });
  await fitsWidth(page);
  await shot(page, name, { fullPage: false });
}
