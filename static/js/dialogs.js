/* dialogs.js - one photo large, reporting a photo, and the sheet of keys and answers. */
import { say, sayReason } from "./say.js";

const zoom = document.getElementById("zoom");
const flag = document.getElementById("flag");
const keys = document.getElementById("keys");

/* A worker's photo is .../7 and .../large/7; in a lead's preview it is .../grid and .../view. */
const largeOf = (url) => url.replace(/\/grid$/, "/view").replace(/\/(\d+)$/, "/large/$1");

/* hooks: grid() is {boxes, focus, toggle} of select.js, report(position, kind, note). */
export function dialogs(hooks) {
    let at = 0;

    function showZoom(i) {
        const { boxes } = hooks.grid();
        at = (i + boxes.length) % boxes.length;
        const from = boxes[at].parentElement.querySelector("img");
        const img = zoom.querySelector("img");
        img.src = largeOf(from.src);
        img.alt = from.alt;
        zoom.querySelector('[data-zoom="mark"]').setAttribute("aria-pressed", boxes[at].checked);
        if (!zoom.open) {
            zoom.showModal();
            zoom.focus();
        }
    }

    const doIt = {
        back: () => showZoom(at - 1),
        next: () => showZoom(at + 1),
        mark() {
            hooks.grid().toggle(at);
            showZoom(at);
        },
        close: () => zoom.close(),
        flag() {
            zoom.close();
            showFlag(at);
        },
    };

    zoom.addEventListener("click", (event) => {
        const button = event.target.closest("[data-zoom]");
        if (button) {
            doIt[button.dataset.zoom]();
        } else if (event.target === zoom) {
            zoom.close(); /* beside the photo */
        }
    });
    zoom.addEventListener("keydown", (event) => {
        const names = { ArrowLeft: "back", ArrowUp: "back", ArrowRight: "next", ArrowDown: "next" };
        const name =
            event.key === " " && event.target === zoom ? "mark"
            : event.key.toLowerCase() === "z" && hooks.singleKeys() ? "close"
            : names[event.key];
        event.stopPropagation(); /* the page would open it again */
        if (name) {
            event.preventDefault();
            doIt[name]();
        }
    });
    zoom.addEventListener("close", () => hooks.grid().focus(at));

    function showFlag(i) {
        const img = hooks.grid().boxes[i].parentElement.querySelector("img");
        const form = flag.querySelector("form");
        at = i;
        form.reset();
        flag.returnValue = "";
        flag.querySelector("[data-flag-photo]").textContent = img.alt;
        flag.showModal();
    }

    flag.addEventListener("close", () => {
        if (flag.returnValue === "send") {
            const data = new FormData(flag.querySelector("form"));
            hooks.report(at, data.get("kind"), data.get("note").trim());
        }
        hooks.grid().focus(at);
    });

    function showKeys(answers) {
        const list = document.createElement("ul");
        for (const item of answers.slice(-20)) {
            const line = document.createElement("li");
            const why = sayReason(item.why, item.detail);
            line.textContent = `${say("grid_of", { n: item.n })}: ${say(`state_${item.state}`, { why })}`;
            list.append(line);
        }
        const head = document.createElement("h3");
        head.textContent = say("answers");
        const part = keys.querySelector("[data-answers]");
        part.replaceChildren(...(answers.length ? [head, list] : []));
        keys.showModal();
    }

    return {
        zoom: showZoom,
        flag: showFlag,
        keys: showKeys,
        open: () => zoom.open || flag.open || keys.open,
        close: () => [zoom, flag, keys].forEach((dialog) => dialog.open && dialog.close()),
    };
}
