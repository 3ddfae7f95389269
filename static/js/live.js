/* live.js - keeps the live region of a page up to date.
 *
 * The server says on /events that a topic changed, nothing more; the page's own HTML is fetched
 * again and what differs in the region is changed, so what is shown is always what a reload would
 * show, and what did not change keeps its focus, its pointer and what the reader opened. Topics, the
 * address and the region come from the page: <div id data-live data-live-topic data-live-url>, with
 * data-live-again="SECONDS" when the page says something else by then though nothing happens.
 * After a change the region gets the event "live:changed".
 * Without this script the page reloads itself (see templates/layout/head). */
const LEAST_PAUSE_MS = 1000;
const RETRY_MS = 5000;
/* A server that takes long is asked less often: many dashboards must not hold up those who vote. */
const PAUSES_PER_FETCH = 10;

const regions = [...document.querySelectorAll("[data-live]")];
const topics = [...new Set(regions.flatMap((r) => r.dataset.liveTopic.split(",")))];

const told = new Map(); /* region -> what the server said last; other scripts change it */

let source = null;
let timer = 0;
let running = false;
let again = false;
let later = 0;
let over = false;
let lastRun = 0;
let lastTook = 0;

function showState(good) {
    for (const note of document.querySelectorAll("[data-live-state]")) {
        note.hidden = false;
        note.textContent = good ? "Live" : "Not up to date: trying again";
        note.classList.toggle("success", good);
        note.classList.toggle("warning", !good);
    }
}

/* Swapping under somebody who types or chooses would throw their work away; so it would when a form
 * has decisions that are not saved yet (decide.js). */
function isBusy(region) {
    const active = document.activeElement;
    return (
        (region.contains(active) && active.matches("input, textarea, select")) ||
        region.querySelector("dialog[open], [data-unsaved]") !== null
    );
}

/* How to find the focused element again: by id, else by its place among the focusable ones. */
const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";

function focusMark(region) {
    const active = document.activeElement;
    if (!region.contains(active) || active === region) {
        return null;
    }
    return { id: active.id, index: [...region.querySelectorAll(FOCUSABLE)].indexOf(active) };
}

function focusAgain(region, mark) {
    if (!mark) {
        return;
    }
    const target =
        (mark.id && document.getElementById(mark.id)) ||
        region.querySelectorAll(FOCUSABLE)[mark.index];
    target?.focus({ preventScroll: true });
}

/* Somebody may have filled these in: they belong to what stands beside them, and go with it. */
const FIELDS = "input:not([type=hidden]), textarea, select";
const ITEMS = "tr, li, form, fieldset";

const isElement = (node) => node.nodeType === Node.ELEMENT_NODE;

function isAlike(old, fresh) {
    return (
        old.nodeName === fresh.nodeName &&
        old.id === fresh.id &&
        old.childNodes.length === fresh.childNodes.length &&
        !(isElement(old) && old.matches(ITEMS) && old.querySelector(FIELDS))
    );
}

/* Whether a <details> is open is the reader's business. */
function patchAttributes(old, fresh) {
    const keep = old.localName === "details" ? ["open"] : [];
    for (const { name } of [...old.attributes]) {
        if (!fresh.hasAttribute(name) && !keep.includes(name)) {
            old.removeAttribute(name);
        }
    }
    for (const { name, value } of fresh.attributes) {
        if (old.getAttribute(name) !== value && !keep.includes(name)) {
            old.setAttribute(name, value);
        }
    }
}

function patchChildren(old, fresh) {
    const next = [...fresh.childNodes];
    [...old.childNodes].forEach((node, i) => patch(node, next[i]));
}

/* Makes `old` what `fresh` is with as few new nodes as possible. */
function patch(old, fresh) {
    if (old.isEqualNode(fresh)) {
        return;
    }
    if (!isAlike(old, fresh)) {
        old.replaceWith(fresh);
    } else if (isElement(old)) {
        patchAttributes(old, fresh);
        patchChildren(old, fresh);
    } else {
        old.data = fresh.data;
    }
}

function swap(region, fresh) {
    const mark = focusMark(region);
    const openDetails = [...region.querySelectorAll("details[id][open]")].map((d) => d.id);
    const scrolled = [...region.querySelectorAll("[id]")]
        .filter((e) => e.scrollLeft || e.scrollTop)
        .map((e) => [e.id, e.scrollLeft, e.scrollTop]);
    const x = window.scrollX;
    const y = window.scrollY;
    patchAttributes(region, fresh);
    if (isAlike(region, fresh)) {
        patchChildren(region, fresh);
    } else {
        region.replaceChildren(...fresh.childNodes);
    }
    for (const id of openDetails) {
        document.getElementById(id)?.setAttribute("open", "");
    }
    for (const [id, left, top] of scrolled) {
        document.getElementById(id)?.scrollTo(left, top);
    }
    window.scrollTo(x, y);
    if (!region.contains(document.activeElement)) {
        focusAgain(region, mark);
    }
    region.dispatchEvent(new CustomEvent("live:changed", { bubbles: true }));
}

/* Fetches one address for all its regions. */
async function fetchPage(url) {
    const reply = await fetch(url, { headers: { Accept: "text/html" }, cache: "no-cache" });
    if (!reply.ok || reply.redirected) {
        throw new Error(`status ${reply.status}`);
    }
    return new DOMParser().parseFromString(await reply.text(), "text/html");
}

/* The rail is not part of a region, but what it counts is as new as the page that was fetched. */
function countAreas(page) {
    for (const count of document.querySelectorAll("[data-area-count]")) {
        const { areaCount } = count.dataset;
        const fresh = page.querySelector(`[data-area-count="${CSS.escape(areaCount)}"]`);
        if (fresh && !fresh.isEqualNode(count)) {
            count.replaceChildren(...document.adoptNode(fresh).childNodes);
        }
    }
}

/* False when something was not swapped because somebody is working in it. */
async function refreshUrl(url) {
    const page = await fetchPage(url);
    let all = true;
    countAreas(page);
    for (const region of regions.filter((r) => r.dataset.liveUrl === url)) {
        const fresh = page.getElementById(region.id);
        const html = fresh?.outerHTML;
        if (!fresh || html === told.get(region) || fresh.isEqualNode(region)) {
            continue;
        }
        if (isBusy(region)) {
            all = false;
        } else {
            swap(region, document.adoptNode(fresh));
            told.set(region, html);
        }
    }
    return all;
}

function plan(pause) {
    if (!timer && !document.hidden) {
        const least = Math.max(LEAST_PAUSE_MS, PAUSES_PER_FETCH * lastTook);
        timer = setTimeout(refresh, Math.max(pause, lastRun + least - Date.now()));
    }
}

/* The page said when it will have something else to say. */
function planLater() {
    const seconds = watched().map((r) => Number(r.dataset.liveAgain)).filter((n) => n > 0);
    clearTimeout(later);
    if (seconds.length > 0) {
        later = setTimeout(() => plan(0), 1000 * Math.min(...seconds));
    }
}

/* A region whose new state says no address, such as a job that ended, does not change any more. */
const watched = () => regions.filter((r) => r.dataset.liveUrl);

async function refresh() {
    timer = 0;
    if (running) {
        again = true;
        return;
    }
    running = true;
    again = false;
    lastRun = Date.now();
    try {
        const urls = [...new Set(watched().map((r) => r.dataset.liveUrl))];
        const done = await Promise.all(urls.map(refreshUrl));
        lastTook = Date.now() - lastRun;
        showState(true);
        if (watched().length === 0) {
            stop();
            return;
        }
        planLater();
        if (done.includes(false)) {
            plan(LEAST_PAUSE_MS);
        }
    } catch {
        showState(false);
        plan(RETRY_MS);
    } finally {
        running = false;
        if (again && !over) {
            plan(0);
        }
    }
}

function open() {
    source = new EventSource(`/events?topics=${encodeURIComponent(topics.join(","))}`);
    source.addEventListener("open", () => showState(true));
    source.addEventListener("error", () => {
        showState(false);
        /* The browser reconnects by itself unless the server refused. */
        if (source?.readyState === EventSource.CLOSED) {
            source = null;
            setTimeout(() => !document.hidden && !over && !source && open(), RETRY_MS);
        }
    });
    source.addEventListener("message", () => plan(0));
    for (const topic of topics) {
        source.addEventListener(topic, () => plan(0));
    }
}

function close() {
    source?.close();
    source = null;
    clearTimeout(timer);
    clearTimeout(later);
    timer = 0;
}

/* Nothing on the page will change: no connection, and nothing says that it is live. */
function stop() {
    over = true;
    close();
    for (const note of document.querySelectorAll("[data-live-state]")) {
        note.hidden = true;
    }
}

/* Browsers allow six connections per host: a hidden tab gives its one back. */
function onVisibility() {
    close();
    if (!document.hidden && !over) {
        open();
        plan(0);
    }
}

if (topics.length > 0) {
    document.addEventListener("visibilitychange", onVisibility);
    window.addEventListener("pagehide", close);
    window.addEventListener("pageshow", (event) => event.persisted && onVisibility());
    if (!document.hidden) {
        open();
        planLater();
    }
}
