/* grid.js - the grid page with a script: answers go into the queue and the next grid, which is there
 * already, takes the place of this one. What is shown is always a page that the server made; here its
 * <main> is swapped and brought to life. Without this script the same page is a plain form. */
import { dialogs } from "./dialogs.js";
import { painted } from "./frame.js";
import { forget, keep, kept } from "./kept.js";
import { lease } from "./lease.js";
import { notices } from "./notices.js";
import { photoSize, ready, sharpen } from "./photos.js";
import { ahead, load, serverNow } from "./prefetch.js";
import * as queue from "./queue.js";
import { announce, say, sayCount, sayReason, toast } from "./say.js";
import { selection } from "./select.js";
import { patience, post } from "./server.js";
import { task } from "./task.js";
import { device, stopwatch } from "./timing.js";

const DRAFT = "draft-";
const SWITCH = "single-keys";
const PANEL = "panel";
const TRIES_MOST = 4;
const DOUBLE_MS = 500;

const waitPart = document.getElementById("wait");
const waitText = waitPart.querySelector("[data-wait-text]");
const onward = document.getElementById("onward");
const themeSwitch = document.querySelector("[data-theme-switch]"); /* theme.js knows this one */
const pause = patience(500, 10000);

let grid = null; /* the one that is shown; null while waiting for it */
let place = "";
let screenLeast = 0; /* CSS pixels */
let next = null; /* prefetch.js */
let done = 0; /* grids of this place, with those that wait to be sent */
let leaving = false;

const find = (selector) => grid.main.querySelector(selector);

/* --- what the page says --- */

function showProgress() {
    const { total, expected } = grid.main.dataset;
    const times = queue.answers(place).slice(-20).map((i) => i.ms).sort((a, b) => a - b);
    const each = times[times.length >> 1] || Number(expected);
    const minutes = Math.max(1, Math.round((each * (total - done)) / 60000));
    const bar = find("progress");
    bar.value = done;
    bar.nextElementSibling.textContent = say("progress", { done, total, minutes });
}

function showState() {
    const n = queue.waiting().length;
    const text = n ? sayCount("waiting", n) : done ? say("saved") : "";
    for (const part of document.querySelectorAll("[data-state]")) {
        if (part.textContent !== text) {
            part.textContent = text;
            announce(text);
        }
    }
}

function showWaitText(key) {
    if (waitText.textContent !== say(key)) {
        waitText.textContent = say(key);
        announce(say(key));
    }
}

/* --- one grid --- */

function saveDraft() {
    if (grid && !grid.preview && !grid.over) {
        const { assignment, picked, watch, toggles, keys } = grid;
        const { zooms } = grid;
        keep(DRAFT + assignment, { picked: picked.text(), ...watch.times(), toggles, keys, zooms });
    }
}

function showPicked() {
    const { picked } = grid;
    find("[data-picked]")?.replaceChildren(picked.sum ? picked.sum() : sayCount("picked", picked.picked().length));
}

function onPick() {
    grid.toggles++;
    grid.watch.begin();
    showPicked();
    find('[data-do="undo"]').disabled = !grid.picked.canUndo();
    if (grid.picked.picked().length) {
        askNone(false);
    }
    saveDraft();
}

const asksNone = () => find("[data-none]")?.hidden === false; /* never in CLASSIFY, which has no such part */

function askNone(on) {
    if (!grid.preview && !grid.classify) {
        find("[data-none]").hidden = !on;
        find("[data-submit]").disabled = on;
        if (on) {
            find('[name="none"]').focus();
        }
    }
}

/* The number under which this tab answers: the same after a reload, another one in another tab. */
function clientId(main, assignment) {
    const fresh = main.querySelector('[name="client_id"]').value;
    try {
        const name = `holdout-client-${assignment}`;
        const old = sessionStorage.getItem(name);
        sessionStorage.setItem(name, old ?? fresh);
        return old ?? fresh;
    } catch {
        return fresh;
    }
}

/* What counts is open for the first grid of a place; what a worker set there or on a later one stays
 * so. */
function setUpPanel() {
    const about = find(".task-about");
    const mine = kept(PANEL);
    about.open = mine?.place === place ? mine.open : done === 0;
    about.querySelector("summary").addEventListener("click", () => {
        keep(PANEL, { place, open: !about.open });
    });
}

function setUpSize() {
    const slider = find("[data-size]");
    if (slider) {
        const apply = () => {
            find(".grid").style.setProperty("--size", `${slider.value}px`);
            sharpen(grid.main, slider.value);
        };
        slider.value = photoSize(grid.main);
        slider.addEventListener("input", apply);
        slider.addEventListener("change", () => keep("size", slider.value));
        apply();
    }
}

/* Brings a <main> to life. `at`: when its page was asked for. */
function open({ main, at }) {
    const assignment = main.dataset.url.split("/").pop();
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
        zooms: draft.zooms ?? 0,
        watch: stopwatch(draft),
    };
    grid.classify = "classify" in main.dataset;
    grid.picked = grid.classify
        ? task.labels(main, { changed: onPick, singleKeys })
        : selection(main, { changed: onPick, zoom: showLarge });
    grid.picked.restore(draft.picked ?? "");
    find("[data-tools]").hidden = false;
    find("[data-theme-switch]").replaceWith(themeSwitch);
    setUpPanel();
    setUpSize();
    showProgress();
    showPicked();
    if (!grid.preview) {
        const mine = grid;
        find('[data-do="back"]')?.removeAttribute("hidden");
        askNone(asksNone() && !grid.picked.picked().length);
        grid.lease = lease({ main, assignment, now: () => serverNow(mine) });
    }
}

function close() {
    grid.over = true;
    grid.watch.end();
    grid.lease?.end();
    sheets.close();
}

/* --- submitting --- */

function itemOf(said) {
    const { assignment, client, watch, toggles, keys, zooms, picked } = grid;
    const { ms, hidden } = watch.times();
    const taken = queue.all().some((i) => i.id === client);
    const id = taken ? queue.newId() : client;
    const body = {
        client_id: id,
        ...said,
        active_ms: ms,
        device: { ...device(picked), hidden_ms: hidden, toggles, keys, zooms },
    };
    const url = `/api/v1/assignments/${assignment}/answer`;
    return { id, kind: "answer", about: assignment, place, url, body, ms, n: done + 1 };
}

/* `none`: it was said that no photo fits. */
function submit(none) {
    if (!grid || grid.preview) {
        return;
    }
    const said = grid.picked.answer();
    const missing = grid.picked.missing?.();
    if (missing) {
        toast(missing);
        return;
    }
    if (!grid.classify && !said.selected.length && !none) {
        askNone(true);
        return;
    }
    const { assignment } = grid;
    const item = itemOf(said);
    close();
    if (queue.isAnswered(assignment)) {
        queue.add({ ...item, state: "rejected", why: "already-answered" });
    } else {
        queue.add(item).then(() => forget(DRAFT + assignment));
        done++;
    }
    advance(assignment);
}

/* Shows the next grid: at once when it is here. */
function advance(after) {
    const fresh = next.take();
    if (fresh && !queue.isAnswered(fresh.assignment)) {
        swap(fresh);
    } else {
        showWaiting();
        waitForNext(after);
    }
}

/* Nothing between the click and the frame that need not be there: all of the page is changed before
 * anything asks where it lies, and the rest waits for the frame. */
function swap(fresh) {
    const old = document.getElementById("main");
    const active = document.activeElement;
    const inMain = active === document.body || old.contains(active);
    old.replaceWith(fresh.main);
    if (fresh.title) { /* a reload comes back to this grid, however soon */
        document.title = fresh.title;
        history.replaceState(null, "", fresh.main.dataset.url);
    }
    open(fresh);
    grid.shown = performance.now();
    grid.watch.begin();
    showState();
    window.scrollTo(0, 0);
    if (inMain) {
        grid.picked.start();
    }
    settleIn(fresh);
}

/* What can wait for the frame. The full lease begins when a grid is shown; the one after it can be had
 * once the server knows that those before are answered. */
async function settleIn({ assignment, title, main }) {
    await painted();
    if (grid?.assignment !== assignment) {
        return;
    }
    if (title) {
        announce(main.querySelector("h1").textContent);
    }
    const reply = await grid?.lease?.extend();
    if (grid?.assignment === assignment && reply?.body?.code === "already-answered") {
        elsewhere();
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
    onQueue();
}

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
    if (!fresh || queue.isAnswered(fresh.assignment)) {
        return false;
    }
    done = Math.max(done, reply.body.progress.done);
    swap(fresh);
    return true;
}

async function waitForNext(after) {
    const fetched = await next.wait();
    if (fetched && !queue.isAnswered(fetched.assignment)) {
        swap(fetched);
        return;
    }
    /* Until then the server would lend the same one again. */
    await queue.until(() => !queue.waiting().some((i) => i.about === after));
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
    leaving = true;
    onQueue();
    await queue.until(() => !queue.waiting().length && !queue.refused().length);
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
    const { assignment } = grid;
    announce(say("elsewhere"));
    done++;
    close();
    forget(DRAFT + assignment);
    advance(assignment);
}

/* --- keys, buttons --- */

const singleKeys = () => kept(SWITCH) ?? true;

function report(position, kind, note) {
    const about = grid.assignment;
    const url = `/api/v1/assignments/${about}/flags`;
    const body = { position, kind, note };
    queue.add({ id: queue.newId(), kind: "flag", about, place, url, body, n: done + 1 });
    toast(say("reported", { photo: grid.picked.boxes[position].nextElementSibling.alt }));
}

const sheets = dialogs({
    grid: () => grid?.picked,
    report,
    reports: () => !grid.preview,
    singleKeys,
});

function showLarge(i) {
    grid.zooms += sheets.open() ? 0 : 1; /* a finger that moves on looks once */
    sheets.zoom(i);
}

const actions = {
    undo: () => grid.picked.undo(),
    all: () => grid.bulk && grid.picked.all(),
    none: () => grid.bulk && grid.picked.none(),
    invert: () => grid.bulk && grid.picked.invert(),
    keys: () => sheets.keys(queue.answers(place)),
    zoom: () => (grid.classify ? grid.picked.toggleZoom() : showLarge(grid.picked.aim())),
    larger: () => grid.picked.larger(),
    smaller: () => grid.picked.smaller(),
    fit: () => grid.picked.fit(),
    flag: () => grid.preview || sheets.flag(grid.picked.aim()),
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

/* With Control or Command. */
function onChord(event) {
    const key = event.key.toLowerCase();
    if (key === "enter" && !event.repeat) {
        submit(asksNone());
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
        onChord(event);
        return;
    }
    const name = SINGLE[event.key.toLowerCase()];
    if (event.key === "Escape" && asksNone()) {
        actions.back();
    } else if (grid.picked.onKey?.(event)) {
        event.preventDefault();
    } else if (name && !event.altKey && !event.repeat && singleKeys()) {
        event.preventDefault();
        actions[name]();
    }
}

function onClick(event) {
    const name = event.target.closest("[data-do]")?.dataset.do;
    if (!grid) {
        return;
    }
    if (name) {
        actions[name]();
    } else if (event.target.closest("[data-flag]")) {
        event.preventDefault();
        sheets.flag(); /* whoever presses this has not said which photo */
    }
}

/* The second half of a double click is no second answer, and none to the grid that came between. */
function onSecondClick(event) {
    const ours = event.target.closest('[data-submit], [name="none"]');
    if (event.detail > 1 && (ours || event.timeStamp - grid?.shown < DOUBLE_MS)) {
        event.preventDefault();
        event.stopPropagation();
    }
}

function onSubmit(event) {
    if (event.target.method !== "dialog") {
        event.preventDefault();
        submit(event.submitter?.name === "none");
    }
}

/* --- the page --- */

/* Something was added, sent or refused, here or in another tab, the network went or came, or the
 * window has another size. */
function onQueue() {
    showState();
    notices(queue, screenLeast);
    if (!grid) {
        const unread = queue.refused().length && !queue.waiting().length;
        const end = unread ? "wait_read" : "wait_done";
        showWaitText(leaving ? end : queue.isOffline() ? "wait_offline" : "wait_next");
    } else if (!grid.over && queue.isAnswered(grid.assignment)) {
        elsewhere();
    }
}

function listenToPage() {
    document.addEventListener("keydown", onKey);
    document.addEventListener("click", onClick);
    document.addEventListener("click", onSecondClick, { capture: true });
    document.addEventListener("dblclick", onSecondClick, { capture: true });
    document.addEventListener("submit", onSubmit);
    document.addEventListener("pointerdown", () => grid?.watch.begin());
    document.addEventListener("visibilitychange", saveDraft);
    window.addEventListener("pagehide", saveDraft);
    window.addEventListener("pageshow", (event) => event.persisted && location.reload());
    window.addEventListener("beforeunload", (event) => {
        if (queue.waiting().length) {
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
    screenLeast = Number(main.dataset.screen);
    done = Number(main.dataset.done);
    next = ahead(place);
    open({ main, at: performance.timeOrigin });
    listenToPage();
    const first = grid;
    ready(main).then(() => first.watch.begin());
    if (first.preview) {
        return;
    }
    await queue.start();
    const isWaiting = (i) => i.state === "waiting" && i.about !== first.assignment;
    done += queue.answers(place).filter(isWaiting).length;
    showProgress();
    queue.listen(onQueue);
    window.addEventListener("resize", onQueue);
    onQueue();
    if (grid === first) {
        settleIn(grid);
    }
}

start();
