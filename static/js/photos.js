/* photos.js - the photos of a grid: decoded before they are shown, tried again when the network
 * failed, and a note in the place of one that is gone for good. */
import { say } from "./say.js";

const TRIES_MS = [500, 2000, 5000, 15000, 30000];

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
    const cell = img.closest(".cell");
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
    if (img.complete && !img.naturalWidth) {
        onError(img, tries++);
    }
}

/* Resolves when every photo can be painted at once or is known to be late. */
export async function ready(main) {
    const all = [...main.querySelectorAll("img")];
    all.forEach(watch);
    await Promise.all(all.map((img) => img.decode().catch(() => {})));
}
