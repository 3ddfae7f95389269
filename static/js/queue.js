/* queue.js - what was submitted, from the click until the server has it, and what became of it.
 *
 * An item is {id, kind, about, place, url, body, at, ms, state, why, seen}: `about` the assignment,
 * state "waiting", then for good "stored", "surplus" or "rejected". It is written to localStorage
 * before anything else happens and moves to IndexedDB, where all tabs see it; one tab at a time sends
 * (a lock), and should two ever send the same, its id makes that one answer. Items that the server
 * refuses stay until the worker has seen why. */
import { painted } from "./frame.js";
import { forget, keep, kept, keptNames } from "./kept.js";
import { patience, post } from "./server.js";

const DAYS_KEPT = 14;
const BEGINNING = "queue-";

const items = new Map();
const listeners = new Set();
const channel = new BroadcastChannel("holdout-queue");
const pause = patience(500, 30000);
let failures = 0;
let running = false;

/* --- the store --- */

function ask(request) {
    return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
}

function openStore() {
    const request = indexedDB.open("holdout", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("queue", { keyPath: "id" });
    return ask(request);
}

/* Null where it is forbidden, as in some private windows: localStorage goes on holding the items. */
const store = Promise.resolve().then(openStore).catch(() => null);

async function change(work) {
    const db = await store;
    if (!db) {
        return false;
    }
    return new Promise((resolve) => {
        const t = db.transaction("queue", "readwrite");
        work(t.objectStore("queue"));
        t.oncomplete = () => resolve(true);
        t.onabort = () => resolve(false);
    });
}

/* To IndexedDB if that is possible; until then, or else for good, localStorage holds it. */
async function move(item) {
    if (await change((table) => table.put(item)).catch(() => false)) {
        forget(BEGINNING + item.id);
    }
}

async function write(item) {
    keep(BEGINNING + item.id, item);
    await move(item);
    channel.postMessage(item.id);
}

/* What another tab or an earlier page knows; an end that is known already stays. */
function merge(item) {
    const mine = items.get(item.id);
    if (!mine || mine.state === "waiting" || item.seen) {
        items.set(item.id, item);
    }
}

function isOld(item) {
    const over = item.state !== "waiting" && (item.state !== "rejected" || item.seen);
    return over && Date.now() - item.at > DAYS_KEPT * 86400000;
}

async function refresh() {
    const db = await store;
    const rows = db
        ? await ask(db.transaction("queue").objectStore("queue").getAll()).catch(() => [])
        : [];
    rows.forEach(merge);
    for (const name of keptNames(BEGINNING)) {
        const item = kept(name);
        if (item) {
            merge(item);
            move(items.get(item.id));
        }
    }
    const old = rows.filter(isOld);
    if (old.length) {
        old.forEach((item) => items.delete(item.id));
        await change((table) => old.forEach((item) => table.delete(item.id)));
    }
}

/* --- sending --- */

function changed() {
    listeners.forEach((listener) => listener());
}

async function settle(item, reply) {
    items.set(item.id, {
        ...item,
        state: reply.ok ? (reply.body.status === "surplus" ? "surplus" : "stored") : "rejected",
        why: reply.body?.code ?? "",
        detail: reply.body?.detail ?? String(reply.status),
    });
    await write(items.get(item.id));
    changed();
}

/* Sends all that waits, oldest first; the least time to the next try, null when all went. */
async function round() {
    let after = null;
    await refresh();
    for (const item of waiting()) {
        const reply = await post(item.url, item.body);
        const wasOffline = isOffline();
        failures = reply.status ? 0 : failures + 1;
        if (!reply.again) {
            await settle(item, reply);
            pause.reset();
            continue;
        }
        after = Math.max(after ?? 0, reply.after);
        if (wasOffline !== isOffline()) {
            changed();
        }
        if (reply.status === 0 || reply.after) {
            break;
        }
    }
    return after;
}

function alone(work) {
    return navigator.locks ? navigator.locks.request("holdout-queue", work) : work();
}

/* Begins to send, or tries again at once. */
export async function send() {
    pause.wake();
    if (running) {
        return;
    }
    running = true;
    while (waiting().length) {
        const after = await alone(round);
        if (after !== null) {
            await pause.wait(after);
        }
    }
    running = false;
}

/* --- for the page --- */

export function waiting() {
    return all().filter((item) => item.state === "waiting");
}

/* Oldest first. */
export function all() {
    return [...items.values()].sort((a, b) => a.at - b.at);
}

/* Those of a place. */
export const answers = (place) => all().filter((i) => i.kind === "answer" && i.place === place);

/* What was refused and not yet dismissed. */
export const refused = () => all().filter((i) => i.state === "rejected" && !i.seen);

/* Whether this browser answered an assignment; a refused answer is none. */
export function isAnswered(assignment) {
    return all().some(
        (i) => i.kind === "answer" && i.about === assignment && i.state !== "rejected",
    );
}

export function isOffline() {
    return navigator.onLine === false || failures > 1;
}

/* 128 random bits. crypto.randomUUID is missing on plain http. */
export function newId() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");
}

/* Everything but `state` comes from the caller. It cannot be lost when this returns; the rest waits
 * until the next grid is painted. Resolves when other tabs can see it. */
export async function add(item) {
    const whole = { state: "waiting", at: Date.now(), ...item };
    items.set(whole.id, whole);
    keep(BEGINNING + whole.id, whole);
    await painted();
    changed();
    await write(items.get(whole.id));
    send();
}

export function dismiss(id) {
    items.set(id, { ...items.get(id), seen: true });
    write(items.get(id));
    changed();
}

export function listen(listener) {
    listeners.add(listener);
}

/* Resolves once `over()` is true; it is asked after every change. */
export function until(over) {
    return new Promise((resolve) => {
        const look = () => {
            if (over()) {
                listeners.delete(look);
                resolve();
            }
        };
        listeners.add(look);
        look();
    });
}

/* Reads what is there and goes on sending. */
export async function start() {
    await refresh();
    changed();
    send();
    channel.addEventListener("message", async () => {
        await refresh();
        changed();
        send();
    });
    for (const name of ["online", "offline"]) {
        window.addEventListener(name, () => {
            failures = 0;
            changed();
            send();
        });
    }
}
