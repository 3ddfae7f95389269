/* chart.js - reading charts: the text of the mark nearest to the pointer or finger, with a crosshair, arrow keys that
 * walk from mark to mark and say each, switches that hide series. Everything comes from the SVG (server/chart/marks.c): a
 * mark has the class "m" and a <title>, a series is a group c1 to c8 inside of .data.
 *
 * Listens on the document and keeps what was chosen by id, so that live.js may swap the charts. */
const hidden = new Map(); /* figure id -> set of series classes */
const walked = new Map(); /* view id -> { text, index } of the mark that was reached */

const root = document.documentElement;
root.classList.add("charts");

/* --- the two places where a mark is told --- */

const tip = document.createElement("div");
tip.className = "chart-tip";
tip.hidden = true;
tip.setAttribute("aria-hidden", "true");

const voice = document.createElement("div");
voice.className = "visually-hidden";
voice.setAttribute("aria-live", "polite");
/* Lines through the mark that is told, over the picture: nothing is added to it, for live.js may change it. */
const cross = ["x", "y"].map((along) => {
    const line = document.createElement("div");
    line.className = `chart-cross ${along}`;
    line.hidden = true;
    line.setAttribute("aria-hidden", "true");
    return line;
});
document.getElementById("main").append(...cross, tip, voice);

/* What is broader than its frame begins with its newest end where it is about times, once: from then on it stays where
 * the reader scrolls it (live.js). */
const opened = new Set(); /* ids of views */

function openNewest() {
    for (const view of document.querySelectorAll("[data-chart-view]:has(> .times)")) {
        if (view.scrollWidth > view.clientWidth && !opened.has(view.id)) {
            opened.add(view.id);
            view.scrollLeft = view.scrollWidth;
        }
    }
}

let shown = null; /* { mark, text, byKey } */

const titleOf = (mark) => mark.querySelector("title");

function hideTip() {
    if (!shown) {
        return;
    }
    if (!shown.byKey) {
        titleOf(shown.mark).textContent = shown.text;
    }
    shown.mark.classList.remove("at");
    shown = null;
    tip.hidden = true;
    cross.forEach((line) => (line.hidden = true));
}

/* The part of the picture in which data may be, in the window's pixels; null where it has no axes. */
function plotOf(view) {
    const rect = view.querySelector(".chart-svg > defs clipPath > rect");
    const at = rect?.ownerSVGElement.getScreenCTM();
    if (!at) {
        return null;
    }
    const [x, y, w, h] = ["x", "y", "width", "height"].map((name) => rect[name].baseVal.value);
    const from = new DOMPoint(x, y).matrixTransform(at);
    const to = new DOMPoint(x + w, y + h).matrixTransform(at);
    const { left, right } = view.getBoundingClientRect();
    return { left: Math.max(from.x, left), right: Math.min(to.x, right), top: from.y, bottom: to.y };
}

const DOT_PX = 24; /* what is larger is a bar, which shows by itself where it is */

function placeCross(mark) {
    const plot = plotOf(mark.closest("[data-chart-view]"));
    const box = mark.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const isDot = Math.max(box.width, box.height) <= DOT_PX;
    const [up, across] = cross;
    up.hidden = !plot || !isDot || x < plot.left || x > plot.right;
    across.hidden = up.hidden;
    if (!up.hidden) {
        Object.assign(up.style, { left: `${x}px`, top: `${plot.top}px`, height: `${plot.bottom - plot.top}px` });
        Object.assign(across.style, { left: `${plot.left}px`, top: `${y}px`, width: `${plot.right - plot.left}px` });
    }
}

/* Beside the mark, inside the window. */
function placeTip(mark) {
    const box = mark.getBoundingClientRect();
    const { offsetWidth: w, offsetHeight: h } = tip;
    const x = Math.min(Math.max(8, box.left + box.width / 2 - w / 2), root.clientWidth - w - 8);
    const above = box.top - h - 8;
    tip.style.left = `${x}px`;
    tip.style.top = `${above > 4 ? above : box.bottom + 8}px`;
    placeCross(mark);
}

/* The browser would show the title a second time: it is away as long as the pointer is here. */
function showTip(mark, byKey) {
    hideTip();
    const title = titleOf(mark);
    shown = { mark, text: title.textContent, byKey };
    tip.textContent = shown.text;
    tip.hidden = false;
    mark.classList.add("at");
    placeTip(mark);
    if (!byKey) {
        title.textContent = "";
    }
}

/* --- the nearest mark --- */

let measured = new WeakMap(); /* picture -> its marks with their boxes, in the picture's own units */

/* Series of points, which may be beside and above each other. */
const POINTS = '.data > g[fill-opacity="0.75"]';

function measure(svg) {
    if (!measured.has(svg)) {
        const marks = [...svg.querySelectorAll(".data .m")].filter((mark) => !mark.closest(".off"));
        const boxes = marks.map((mark) => ({ mark, box: mark.getBBox() }));
        const isFlat = !svg.querySelector(POINTS);
        measured.set(svg, { boxes, isFlat });
    }
    return measured.get(svg);
}

const outside = (at, from, size) => Math.max(from - at, 0, at - from - size);

/* Of lines and bars the one at this place of the axis, whatever its height; of points the nearest. */
function nearestMark(view, { clientX, clientY }) {
    const svg = view.querySelector(".chart-svg");
    const plot = plotOf(view);
    if (!plot || clientX < plot.left || clientX > plot.right || clientY < plot.top || clientY > plot.bottom) {
        return null;
    }
    const at = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
    const { boxes, isFlat } = measure(svg);
    const lean = isFlat ? 0.001 : 1; /* among series at one place the nearest */
    const far = ({ box }) => Math.hypot(outside(at.x, box.x, box.width), lean * outside(at.y, box.y, box.height));
    return nearest(boxes, far)?.mark ?? null;
}

/* A pointer reads while it is over the picture; a finger where it taps, until it taps elsewhere. */
function onPointer(event) {
    const view = event.target instanceof Element ? event.target.closest("[data-chart-view]") : null;
    const mark = view && nearestMark(view, event);
    if (mark && (mark !== shown?.mark || shown.byKey)) {
        showTip(mark, false);
    } else if (!mark && shown && !shown.byKey) {
        hideTip();
    }
}

document.addEventListener("pointermove", (event) => event.pointerType !== "touch" && onPointer(event));
document.addEventListener("pointerdown", onPointer);
document.documentElement.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "touch" && shown && !shown.byKey) {
        hideTip();
    }
});

document.addEventListener("scroll", () => shown && placeTip(shown.mark), true);
document.addEventListener("focusout", () => shown?.byKey && hideTip());

/* --- walking --- */

/* Every mark that is shown, with its middle in the picture. */
function marksOf(view) {
    return [...view.querySelectorAll(".data .m")]
        .filter((mark) => !mark.closest(".off"))
        .map((mark) => {
            const box = mark.getBBox();
            const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
            return { mark, x, y, series: mark.closest(".data > g"), text: titleOf(mark).textContent };
        });
}

/* The mark that was reached last; after a swap the one that says the same, if there is one. */
function reached(view, marks) {
    const { text, index } = walked.get(view.id) ?? {};
    return marks[index]?.text === text ? marks[index] : marks.find((m) => m.text === text);
}

const nearest = (marks, distance) =>
    marks.reduce((best, m) => (best && distance(best) <= distance(m) ? best : m), null);

/* Left and right within a series, up and down to the nearest mark of another one. */
function step(marks, at, key) {
    const sign = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1;
    if (key === "ArrowUp" || key === "ArrowDown") {
        const all = [...new Set(marks.map((m) => m.series))];
        const other = all[all.indexOf(at.series) + sign];
        const those = marks.filter((m) => m.series === other);
        return nearest(those, (m) => Math.abs(m.x - at.x));
    }
    const row = ordered(marks, at);
    return row[row.indexOf(at) + sign] ?? null;
}

function ordered(marks, at) {
    return marks.filter((m) => m.series === at.series).sort((a, b) => a.x - b.x);
}

function walk(view, key) {
    hideTip();
    const marks = marksOf(view);
    if (marks.length === 0) {
        return;
    }
    const at = reached(view, marks);
    let to = nearest(marks.filter((m) => m.series === marks[0].series), (m) => m.x + m.y / 1e4);
    if (at) {
        const row = ordered(marks, at);
        to = key === "Home" ? row[0] : key === "End" ? row.at(-1) : step(marks, at, key) ?? at;
    }
    walked.set(view.id, { text: to.text, index: marks.indexOf(to) });
    to.mark.scrollIntoView({ block: "nearest", inline: "nearest" });
    showTip(to.mark, true);
    voice.textContent = shown.text;
}

const KEYS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];

document.addEventListener("keydown", (event) => {
    const view = event.target instanceof Element ? event.target.closest("[data-chart-view]") : null;
    if (event.key === "Escape") {
        hideTip();
    } else if (view && KEYS.includes(event.key) && !(event.ctrlKey || event.metaKey || event.altKey)) {
        event.preventDefault();
        walk(view, event.key);
    }
});

/* --- switches --- */

function apply(figure) {
    const off = hidden.get(figure.id) ?? new Set();
    for (const group of figure.querySelectorAll(".data > g")) {
        group.classList.toggle("off", [...off].some((name) => group.classList.contains(name)));
    }
    measured = new WeakMap();
    for (const button of figure.querySelectorAll("[data-chart-series]")) {
        button.setAttribute("aria-pressed", String(!off.has(button.dataset.chartSeries)));
    }
}

document.addEventListener("click", (event) => {
    const button =
        event.target instanceof Element ? event.target.closest("[data-chart-series]") : null;
    const figure = button?.closest("[data-chart]");
    if (!figure) {
        return;
    }
    const off = hidden.get(figure.id) ?? new Set();
    const name = button.dataset.chartSeries;
    if (!off.delete(name)) {
        off.add(name);
    }
    hidden.set(figure.id, off);
    hideTip();
    apply(figure);
});

/* --- after a swap --- */

function afterSwap() {
    measured = new WeakMap();
    openNewest();
    for (const [id, off] of hidden) {
        const figure = document.getElementById(id);
        if (figure && off.size > 0) {
            apply(figure);
        }
    }
    const now = shown?.mark.isConnected ? titleOf(shown.mark).textContent : "";
    /* The mark stayed: with its title again, or with another one. */
    if (now && (now !== shown.text || !shown.byKey)) {
        const { mark, byKey } = shown;
        shown = null;
        showTip(mark, byKey);
    } else if (shown && !shown.mark.isConnected) {
        const { byKey } = shown;
        hideTip();
        const view = document.activeElement?.closest("[data-chart-view]");
        const again = byKey && view && reached(view, marksOf(view));
        if (again) {
            showTip(again.mark, true);
        }
    }
}

openNewest();

/* The note's text, and the title that is away meanwhile: no marks were changed by those. */
const isOurs = ({ target }) => [tip, voice].includes(target) || target.localName === "title";

/* live.js changes what differs and keeps the rest: that may be attributes alone. */
document.addEventListener("live:changed", afterSwap);
new MutationObserver((changes) => changes.every(isOurs) || afterSwap()).observe(document.getElementById("main"), {
    childList: true,
    subtree: true,
});
