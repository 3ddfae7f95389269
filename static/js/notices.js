/* notices.js - above the task: being offline, a window that is narrower than the study asks for, and
 * what was refused until the worker dismisses it. */
import { announce, say, sayReason } from "./say.js";

const region = document.getElementById("notices");

function banner(id, tone, heading, text) {
    const part = document.createElement("div");
    const strong = document.createElement("strong");
    const span = document.createElement("span");
    part.className = `banner ${tone}`;
    part.dataset.id = id;
    strong.textContent = heading;
    span.textContent = text;
    part.append(strong, span);
    return part;
}

function refusal({ id, kind, n, why, detail }, dismiss) {
    const heading = say(kind === "answer" ? "not_taken" : "not_reported");
    const part = banner(id, "danger", heading, `${say("grid_of", { n })}: ${sayReason(why, detail)}`);
    const button = document.createElement("button");
    button.className = "button";
    button.textContent = say("dismiss");
    button.addEventListener("click", () => dismiss(id));
    part.append(button);
    return part;
}

/* `screen`: the least width in CSS pixels, 0 for none. */
export function notices({ isOffline, refused, dismiss }, screen) {
    const parts = refused().map((item) => refusal(item, dismiss));
    if (window.innerWidth < screen) {
        parts.unshift(banner("narrow", "", say("narrow"), say("narrow_more", { n: screen })));
    }
    if (isOffline()) {
        parts.unshift(banner("offline", "warning", say("offline"), say("offline_more")));
    }
    const ids = (list) => [...list].map((part) => part.dataset.id).join();
    if (ids(region.children) !== ids(parts)) {
        region.replaceChildren(...parts);
        region.hidden = !parts.length;
        announce(region.innerText);
    }
}
