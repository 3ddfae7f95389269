/* grid.js - the grid page with a script: answers go into the queue and the next grid, which is there
 * already, takes the place of this one. What is shown is always a page that the server made; here its
 * <main> is swapped and brought to life. Without this script the same page is a plain form. */
import { dialogs } from "./dialogs.js";
import { forget, keep, kept } from "./kept.js";
import { lease } from "./lease.js";
import { ready } from "./photos.js";
import { ahead, load, serverNow } from "./prefetch.js";
import * as queue from "./queue.js";
import { announce, say, sayCount, sayReason } from "./say.js";
import { selection } from "./select.js";
import { patience, post } from "./server.js";
import { device, stopwatch } from "./timing.js";

const DRAFT = "draft-";
const SWITCH = "single-keys";
const TRIES_MOST = 4;

const notices = document.getElementById("notices");
const waitPart = document.getElementById("wait");
const onward = document.getElementById("onward");
const pause = patience(500, 10000);

let grid = null; /* the one that is shown; null while waiting for it */
let place = "";
let next = null;
let total = 0;
let done = 0; /* grids of this place, with those that wait to be sent */
let leaving = false;

const tokenOf = (main) => main.dataset.url.split("/").pop();
const find = (selector) => grid.main.querySelector(selector);

/* --- what the page says --- */

function minutesLeft() {
    const own = queue.all().filter((i) => i.place === place && i.ms > 0).slice(-20);
    const times = own.map((i) => i.ms).sort((a, b) => a - b);
    const each = times[times.length >> 1] ?? Number(grid.main.dataset.expected);
    return Math.max(1, Math.round((each * (total - done)) / 60000));
}

function showProgress() {
    const bar = find("progress");
    bar.max = total;
    bar.value = done;
    bar.nextElementSibling.textContent = say("progress", { done, total, minutes: minutesLeft() });
}

function showState() {
    const n = queue.waiting().length;
    const text = n ? sayCount("waiting", n) : done ? say("saved") : "";
    for (const place of document.querySelectorAll("[data-state]")) {
        if (place.textContent !== text) {
            place.textContent = text;
            if (place.isConnected && !place.closest("[hidden]")) {
                announce(text);
            }
        }
    }
}

function banner(id, tone, heading, text, action) {
    const part = document.createElement("div");
    part.className = `banner ${tone}`;
    part.dataset.id = id;
    part.append(Object.assign(document.createElement("strong"), { textContent: heading }));
    part.append(Object.assign(document.createElement("span"), { textContent: text }));
    if (action) {
        const button = document.createElement("button");
        Object.assign(button, { type: "button", className: "button", textContent: action.text });
        button.addEventListener("click", action.run);
        part.append(button);
    }
    return part;
}

/* Offline, and what was refused and not dismissed. */
function showNotices() {
    const parts = [];
    if (queue.isOffline()) {
        parts.push(banner("offline", "warning", say("offline"), say("offline_more")));
    }
    for (const item of queue.all().filter((i) => i.state === "rejected" && !i.seen)) {
        const heading = say(item.kind === "answer" ? "not_taken" : "not_reported");
        const text = `${say("grid_of", { n: item.n })}: ${sayReason(item.why, item.detail)}`;
        const run = () => queue.dismiss(item.id);
        parts.push(banner(item.id, "danger", heading, text, { text: say("dismiss"), run }));
    }
    const shown = [...notices.children].map((e) => e.dataset.id).join();
    if (shown !== parts.map((e) => e.dataset.id).join()) {
        notices.replaceChildren(...parts);
        notices.hidden = parts.length === 0;
        if (parts.length) {
            announce(parts.at(-1).innerText || parts.at(-1).textContent);
        }
    }
}

/* --- one grid --- */

function saveDraft() {
    if (grid && !grid.preview) {
        const { picked, watch, toggles, keys } = grid;
        keep(DRAFT + grid.assignment, { picked: picked.text(), ...watch.times(), toggles, keys });
    }
}

function onPick() {
    grid.toggles++;
    grid.watch.begin();
    find('[data-do="undo"]').disabled = !grid.picked.canUndo();
    if (grid.picked.picked().length) {
        askNone(false);
    }
    saveDraft();
}

function askNone(on) {
    const part = find("[data-none]");
    if (part && part.hidden === on) {
        part.hidden = !on;
        find("[data-submit]").disabled = on;
        if (on) {
            part.querySelector('[name="none"]').focus();
        }
    }
}

/* The number under which this tab answers: the same after a reload, another one in another tab. */
function clientId(main, assignment) {
    const fresh = main.querySelector('[name="client_id"]').value;
    try {
        const name = `holdout-client-${assignment}`;
        const old = sessionStorage.getItem(name);
        if (!old) {
            sessionStorage.setItem(name, fresh);
        }
        return old ?? fresh;
    } catch {
        return fresh;
    }
}

function setUpSize() {
    const slider = find("[data-size]");
    if (!slider) {
        return;
    }
    const apply = () => find(".grid").style.setProperty("--size", `${slider.value}px`);
    slider.value = kept("size") ?? 160;
    apply();
    slider.addEventListener("input", () => {
        apply();
        keep("size", slider.value);
    });
}

function setUpAbout() {
    const about = find(".task-about");
    about.open = kept("about") ?? true;
    about.addEventListener("toggle", () => keep("about", about.open));
}

/* Brings a <main> to life. `at`: when its page was asked for. */
function open({ main, at }) {
    const assignment = tokenOf(main);
    const draft = kept(DRAFT + assignment) ?? {};
    grid = {
        main,
        at,
        assignment,
        preview: "preview" in main.dataset,
        bulk: "bulk" in main.dataset,
        client: clientId(main, assignment),
        toggles: draft.toggles ?? 0,
        keys: draft.keys ?? 0,
        watch: stopwatch(draft),
    };
    grid.picked = selection(main, { changed: onPick, zoom: sheets.zoom });
    grid.picked.restore(draft.picked ?? "");
    askNone(!find("[data-none]")?.hidden);
    total = Number(main.dataset.total);
    find("[data-tools]").hidden = false;
    main.querySelectorAll('[data-do="back"]').forEach((button) => (button.hidden = false));
    setUpSize();
    setUpAbout();
    showProgress();
    if (!grid.preview) {
        grid.lease = lease({ main, assignment, now: () => serverNow(grid ?? { main, at }) });
    }
}

function close() {
    grid.watch.end();
    grid.lease?.end();
    sheets.close();
}

/* --- submitting --- */

function itemOf(selected) {
    const { assignment, watch, toggles, keys, picked } = grid;
    const { ms, hidden } = watch.times();
    const taken = queue.all().some((i) => i.id === grid.client);
    const id = taken ? queue.newId() : grid.client;
    const body = {
        client_id: id,
        selected,
        active_ms: ms,
        device: { ...device(picked), hidden_ms: hidden, toggles, keys },
    };
    const url = `/api/v1/assignments/${assignment}/answer`;
    return { id, kind: "answer", about: assignment, place, url, body, ms, n: done + 1 };
}

/* `none`: it was said that no photo fits. */
function submit(none) {
    if (!grid || grid.preview) {
        return;
    }
    const selected = grid.picked.picked();
    if (!selected.length && !none) {
        askNone(true);
        return;
    }
    const item = itemOf(selected);
    const { assignment } = grid;
    grid.over = true;
    if (queue.answerTo(assignment)) {
        const state = "rejected";
        queue.add({ ...item, id: queue.newId(), state, why: "already-answered" });
    } else {
        saveDraft();
        queue.add(item).then(() => forget(DRAFT + assignment));
        done++;
    }
    close();
    advance(assignment);
}

/* Shows the next grid: at once when it is here. */
function advance(after) {
    const ready = next.take();
    if (ready && !queue.answerTo(ready.assignment)) {
        swap(ready);
        return;
    }
    showWaiting();
    waitForNext(after);
}

function swap(fresh) {
    const inGrid = document.activeElement === document.body || grid === null
        || grid.main.contains(document.activeElement);
    const old = document.getElementById("main");
    old.replaceWith(fresh.main);
    document.title = fresh.title;
    history.replaceState(null, "", fresh.main.dataset.url);
    window.scrollTo(0, 0);
    open(fresh);
    grid.watch.begin();
    if (inGrid) {
        grid.picked.boxes[0].focus({ preventScroll: true });
    }
    announce(find("h1").textContent);
    showState();
    /* Afterwards, so that nothing stands between the click and what is seen. */
    setTimeout(settleIn, 0, fresh.assignment);
}

/* The full lease begins when a grid is shown; the one after it can be had once the server knows that
 * those before are answered. */
async function settleIn(assignment) {
    const reply = await grid?.lease?.extend();
    if (grid?.assignment !== assignment) {
        return;
    }
    if (reply?.body?.code === "already-answered") {
        elsewhere();
        return;
    }
    await queue.until(() => !queue.waiting().some((i) => i.place === place));
    if (grid?.assignment === assignment) {
        next.prepare(assignment);
    }
}

function showWaiting() {
    const main = document.getElementById("main");
    grid = null;
    waitPart.hidden = false;
    main.replaceChildren(waitPart);
    main.focus({ preventScroll: true });
    showWaitText();
}

function showWaitText(over = false) {
    const key = over ? "wait_done" : queue.isOffline() ? "wait_offline" : "wait_next";
    const part = waitPart.querySelector("[data-wait-text]");
    if (part.textContent !== say(key)) {
        part.textContent = say(key);
        announce(say(key));
    }
    showState();
}

const unsent = (assignment) =>
    queue.waiting().some((i) => i.kind === "answer" && i.about === assignment);

/* One try: true when a grid is shown or the page is being left. */
async function tryNext() {
    const reply = await post(`/api/v1/places/${place}/next`);
    if (!reply.ok) {
        return reply.again ? false : leave();
    }
    if (reply.body.done) {
        return finish();
    }
    const fresh = await load(reply.body.assignment);
    if (!fresh || queue.answerTo(fresh.assignment)) {
        return false;
    }
    done = Math.max(done, reply.body.progress.done);
    swap(fresh);
    return true;
}

async function waitForNext(after) {
    const fetched = await next.wait();
    if (fetched && !queue.answerTo(fetched.assignment)) {
        swap(fetched);
        return;
    }
    /* Until then the server would lend the same one again. */
    await queue.until(() => !unsent(after));
    pause.reset();
    for (let tries = 0; !(await tryNext()); tries++) {
        if (tries === TRIES_MOST && !queue.isOffline()) {
            leave();
            return;
        }
        await pause.wait();
    }
}

/* Nothing more to do here: the code comes when all is sent and nothing is left to be read. */
async function finish() {
    showWaitText(true);
    await queue.until(() => !queue.waiting().length);
    await queue.until(() => !queue.all().some((i) => i.state === "rejected" && !i.seen));
    return leave();
}

/* The server's own page says what comes next. */
function leave() {
    leaving = true;
    onward.submit();
    return true;
}

/* The shown grid was answered in another tab of this browser. */
function elsewhere() {
    if (!grid) {
        return;
    }
    const { assignment } = grid;
    announce(say("elsewhere"));
    forget(DRAFT + assignment);
    close();
    advance(assignment);
}

/* --- keys, buttons --- */

const singleKeys = () => kept(SWITCH) ?? true;

function report(position, kind, note) {
    const url = `/api/v1/assignments/${grid.assignment}/flags`;
    const body = note ? { position, kind, note } : { position, kind };
    const about = grid.assignment;
    queue.add({ id: queue.newId(), kind: "flag", about, place, url, body, n: done + 1 });
    announce(say("reported"));
}

const sheets = dialogs({ grid: () => grid.picked, report, singleKeys });

const actions = {
    undo: () => grid.picked.undo(),
    all: () => grid.bulk && grid.picked.all(),
    none: () => grid.bulk && grid.picked.none(),
    invert: () => grid.bulk && grid.picked.invert(),
    keys: () => sheets.keys(queue.all().filter((i) => i.place === place && i.kind === "answer")),
    zoom: () => sheets.zoom(grid.picked.at()),
    flag: () => grid.preview || sheets.flag(grid.picked.at()),
    back() {
        askNone(false);
        grid.picked.focus();
    },
    async extend() {
        const reply = await grid.lease.extend();
        announce(reply.ok ? say("lease_kept") : sayReason(reply.body?.code, reply.body?.detail));
    },
};
const SINGLE = { a: "all", n: "none", i: "invert", u: "undo", z: "zoom", f: "flag", "?": "keys" };

function onControl(event) {
    const key = event.key.toLowerCase();
    if (key === "enter" && !event.repeat) {
        submit(find("[data-none]") && !find("[data-none]").hidden);
    } else if (key === "z") {
        grid.picked[event.shiftKey ? "redo" : "undo"]();
    } else {
        return;
    }
    event.preventDefault();
}

function onKey(event) {
    if (!grid || sheets.open()) {
        return;
    }
    grid.keys++;
    grid.watch.begin();
    if (event.ctrlKey || event.metaKey) {
        onControl(event);
        return;
    }
    const typing = event.target.closest?.('textarea, select, input:not([type="checkbox"])');
    const name = SINGLE[event.key.toLowerCase()];
    if (event.key === "Escape" && find("[data-none]")?.hidden === false) {
        actions.back();
    } else if (name && !event.altKey && !typing && !event.repeat && singleKeys()) {
        event.preventDefault();
        actions[name]();
    }
}

function onClick(event) {
    if (!(event.target instanceof Element) || !grid) {
        return;
    }
    const name = event.target.closest("[data-do]")?.dataset.do;
    if (name) {
        actions[name]();
    } else if (event.target.closest("[data-flag]")) {
        event.preventDefault();
        actions.flag();
    } else if (event.detail > 1 && event.target.closest('[data-submit], [name="none"]')) {
        event.preventDefault(); /* the second half of a double click is no second answer */
    }
}

function onSubmit(event) {
    if (event.target !== onward && event.target.method !== "dialog") {
        event.preventDefault();
        submit(event.submitter?.name === "none");
    }
}

/* --- the page --- */

function onQueue() {
    showState();
    showNotices();
    if (grid && !grid.over && queue.answerTo(grid.assignment)) {
        elsewhere();
    } else if (!grid && !waitPart.hidden) {
        showWaitText(waitPart.querySelector("[data-wait-text]").textContent === say("wait_done"));
    }
}

function listenToPage() {
    document.addEventListener("keydown", onKey);
    document.addEventListener("click", onClick);
    document.addEventListener("submit", onSubmit);
    document.addEventListener("pointerdown", () => grid?.watch.begin());
    document.addEventListener("visibilitychange", saveDraft);
    window.addEventListener("pagehide", saveDraft);
    window.addEventListener("pageshow", (event) => event.persisted && location.reload());
    window.addEventListener("beforeunload", (event) => {
        if (!leaving && queue.waiting().length) {
            event.preventDefault();
        }
    });
    const single = document.querySelector("[data-single-keys]");
    single.checked = singleKeys();
    single.addEventListener("change", () => keep(SWITCH, single.checked));
}

async function start() {
    const main = document.getElementById("main");
    place = main.dataset.place;
    done = Number(main.dataset.done);
    next = ahead(place);
    open({ main, at: performance.timeOrigin });
    listenToPage();
    const shown = grid;
    ready(main).then(() => shown.watch.begin());
    if (grid.preview) {
        return;
    }
    queue.listen(onQueue);
    await queue.start();
    done += queue.waiting().filter((i) => i.place === place && i.kind === "answer").length;
    if (grid === shown) {
        showProgress();
        settleIn(grid.assignment);
    }
}

start();
