/* say.js - the texts of scripts (static/lang), said on the page and to who cannot see it. */
const texts = JSON.parse(document.getElementById("texts").textContent);
const region = document.getElementById("say");

export function say(key, places = {}) {
    return texts[key].replace(/\{(\w+)\}/g, (_, name) => places[name]);
}

export function sayCount(key, n) {
    return say(`${key}_${n === 1 ? "one" : "other"}`, { n });
}

/* The server's word for a reason, or its sentence when there is no text for it. */
export function sayReason(code, sentence) {
    return texts[code] ?? sentence ?? code;
}

const TOAST_MS = 10000;
let toastTimer = 0;

/* What was done, said for everybody and shown for a while. */
export function toast(text) {
    const part = document.getElementById("toast");
    clearTimeout(toastTimer);
    part.textContent = text;
    toastTimer = setTimeout(() => part.replaceChildren(), TOAST_MS);
}

/* A text that stands there already would not be read out again. */
export function announce(text) {
    region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
