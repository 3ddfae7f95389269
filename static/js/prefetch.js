/* prefetch.js - the grid after this one: lent, fetched as the page it is, its photos decoded, all
 * before it is needed. One is kept ahead, under a short lease that is renewed while it waits. */
import { ready } from "./photos.js";
import { getPage, post } from "./server.js";

const RENEW_LEAST_MS = 5000;

/* The page of an assignment, ready to be shown: {assignment, main, title, at}, `at` when it was asked
 * for; null when it did not come, or has been answered. */
export async function load(assignment) {
    const at = Date.now();
    const page = await getPage(`/work/assignment/${assignment}`);
    const found = page?.querySelector("main[data-url]");
    if (!found) {
        return null;
    }
    const main = document.importNode(found, true);
    await ready(main);
    return { assignment, main, title: page.title, at };
}

/* The server's clock as its page told it. */
export function serverNow({ main, at }) {
    return Number(main.dataset.now) + Date.now() - at;
}

export function ahead(place) {
    let grid = null;
    let running = null; /* the asking under way; another one, or null, makes it void */
    let timer = 0;

    async function run(mine, current) {
        const { ok, body } = await post(`/api/v1/places/${place}/next`, { ahead: true });
        if (running !== mine) {
            return;
        }
        let pause = RENEW_LEAST_MS;
        if (ok && (body.done || body.assignment === current)) {
            grid = null; /* nothing to be had while the current one is open */
        } else if (ok) {
            const fresh = grid?.assignment === body.assignment ? grid : await load(body.assignment);
            if (running !== mine) {
                return;
            }
            grid = fresh;
            pause = fresh ? Math.max(pause, (body.lease_until - serverNow(fresh)) / 2) : pause;
        }
        timer = setTimeout(() => prepare(current), pause);
    }

    /* Gets the grid after `current`, or renews its lease. */
    function prepare(current) {
        clearTimeout(timer);
        const mine = {};
        running = mine;
        mine.over = run(mine, current);
    }

    return {
        prepare,
        /* The grid if it is ready, once: it is the worker's now. */
        take() {
            const taken = grid;
            clearTimeout(timer);
            running = null;
            grid = null;
            return taken;
        },
        /* The same, but waits for what is under way. */
        async wait() {
            await running?.over;
            return this.take();
        },
        has: () => grid !== null,
    };
}
