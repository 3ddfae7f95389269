/* photos.js - the photos of a grid: decoded before they are shown, tried again when the network
 * failed, and a note in the place of one that is gone for good. */
import { kept } from "./kept.js";
import { say } from "./say.js";

const PIXELS_MORE = 1.1; /* nobody sees less */
const TRIES_MS = [500, 2000, 5000, 15000, 30000];

/* A worker's photo is .../7 and .../large/7; in a lead's preview it is .../grid and .../view. */
export function largeOf(url) {
    return url.replace(/\/grid$/, "/view").replace(/(?<!\/large)\/(\d+)$/, "/large/$1");
}

/* In CSS pixels; where the worker sets it, as it was set last. */
export function photoSize({ dataset }) {
    return (dataset.layout === "free" && kept("size")) || dataset.photo;
}

/* The larger files where the smaller ones have fewer pixels than the display shows. */
export function sharpen(main, size = photoSize(main)) {
    const pixels = Number(main.dataset.pixels);
    if (pixels && size * devicePixelRatio > PIXELS_MORE * pixels) {
        for (const img of main.querySelectorAll(".cell img")) {
            const large = largeOf(img.src);
            if (img.src !== large) {
                img.src = large;
            }
        }
    }
}

function note(cell, key) {
    let text = cell.querySelector(".cell-note");
    if (!text) {
        text = document.createElement("span");
        text.className = "cell-note";
        cell.append(text);
    }
    text.textContent = say(key);
    cell.classList.add("gone");
}

async function isGone(img) {
    try {
        const { status } = await fetch(img.src, { method: "HEAD", cache: "no-store" });
        return status >= 400 && status < 500 && status !== 429;
    } catch {
        return false;
    }
}

async function onError(img, tries) {
    const cell = img.closest(".cell, .stage-view");
    if (!cell) {
        img.remove(); /* an example: nothing is lost */
        return;
    }
    const gone = await isGone(img);
    note(cell, gone ? "removed" : "photo_late");
    if (!gone) {
        const pause = TRIES_MS[Math.min(tries, TRIES_MS.length - 1)];
        setTimeout(() => (img.src = img.getAttribute("src")), pause);
    }
}

function onLoad(img) {
    img.parentElement.classList.remove("gone");
    img.parentElement.querySelector(".cell-note")?.remove();
}

function watch(img) {
    let tries = 0;
    img.addEventListener("error", () => onError(img, tries++));
    img.addEventListener("load", () => onLoad(img));
    if (img.loading !== "lazy" && img.complete && !img.naturalWidth) {
        onError(img, tries++);
    }
}

/* A browser scales photos when it first paints them, which takes longer than all else about a new
 * grid. So those of the next one are painted before, in their size, in a strip a pixel high below the
 * bar; what has been scaled is kept. The strip is closed to whoever reads the page. */
const strip = document.createElement("div");
const inside = strip.attachShadow({ mode: "closed" });
strip.className = "strip";
strip.inert = true;
document.body.append(strip);

function paintAhead(main) {
    const size = photoSize(main);
    const middle = Math.floor(size / 2); /* beside a photo there may be nothing */
    const copies = [...main.querySelectorAll(".cell img")].map((img, i) => {
        const copy = new Image();
        const { style } = copy;
        copy.src = img.src;
        style.cssText = `position:absolute;object-fit:contain;top:-${middle}px`;
        style.left = `${i - middle}px`;
        style.width = style.height = `${size}px`;
        return copy;
    });
    inside.replaceChildren(...copies);
    strip.dataset.grid = main.dataset.url;
}

/* Resolves when every photo can be painted at once or is known to be late; examples in folded parts are not waited for. */
export async function ready(main) {
    sharpen(main);
    main.querySelectorAll("img").forEach(watch);
    const all = [...main.querySelectorAll('img:not([loading="lazy"])')];
    await Promise.all(all.map((img) => img.decode().catch(() => {})));
    paintAhead(main);
}
