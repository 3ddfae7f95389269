/* dialogs.js - one photo large, reporting a photo, and the sheet of keys and answers. */
import { largeOf } from "./photos.js";
import { say, sayReason } from "./say.js";

const zoom = document.getElementById("zoom");
const flag = document.getElementById("flag");
const keys = document.getElementById("keys");

const RING = 4; /* pixels around the chosen one */

const photoAt = (boxes, i) => boxes[i].parentElement.querySelector("img");

/* hooks: grid() is {boxes, focus, toggle} of select.js, report(position, kind, note), reports()
 * whether photos can be reported, singleKeys(). */
export function dialogs(hooks) {
    let at = 0;

    function showZoom(i) {
        const { boxes } = hooks.grid();
        at = (i + boxes.length) % boxes.length;
        const from = photoAt(boxes, at);
        const img = zoom.querySelector("img");
        const { checked } = boxes[at];
        img.src = largeOf(from.src);
        img.alt = from.alt;
        zoom.querySelector('[data-zoom="mark"]').setAttribute("aria-pressed", checked);
        if (!zoom.open) {
            zoom.showModal();
            zoom.focus();
        }
        zoom.querySelector("[data-zoom-text]").textContent =
            checked ? say("zoom_picked", { photo: from.alt }) : from.alt;
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
            if (hooks.reports()) {
                zoom.close();
                showFlag(at);
            }
        },
    };

    zoom.addEventListener("click", (event) => {
        const button = event.target.closest("[data-zoom]");
        if (button) {
            doIt[button.dataset.zoom]();
            if (event.detail && zoom.open) {
                zoom.focus(); /* who uses the mouse may go on with keys: Space selects */
            }
        } else if (event.target === zoom) {
            zoom.close(); /* beside the photo */
        }
    });
    zoom.addEventListener("keydown", (event) => {
        const names = { ArrowLeft: "back", ArrowUp: "back", ArrowRight: "next", ArrowDown: "next" };
        const single = hooks.singleKeys() && { z: "close", f: "flag" }[event.key.toLowerCase()];
        const name =
            event.key === " " && event.target === zoom ? "mark"
            : event.ctrlKey || event.metaKey || event.altKey ? null
            : single || names[event.key];
        event.stopPropagation(); /* the page would open it again */
        if (name) {
            event.preventDefault();
            doIt[name]();
        }
    });
    zoom.addEventListener("close", () => hooks.grid()?.focus(at));

    /* --- reporting: which photo, then what is wrong with it --- */

    function flagChoice(box, i) {
        const label = document.createElement("label");
        const radio = document.createElement("input");
        const img = document.createElement("img");
        const from = photoAt([box], 0);
        Object.assign(radio, { type: "radio", name: "photo", value: i, required: true });
        Object.assign(img, { src: from.currentSrc || from.src, alt: from.alt });
        label.append(radio, img);
        return label;
    }

    function showChosen() {
        const chosen = flag.querySelector("[data-flag-photos] input:checked");
        const part = flag.querySelector("[data-flag-photo]");
        part.hidden = !chosen;
        if (chosen) {
            const from = chosen.nextElementSibling;
            part.querySelector("img").src = from.src;
            part.querySelector("span").textContent = from.alt;
        }
    }

    /* `i`: the photo that is meant; without, none is chosen yet. */
    function showFlag(i) {
        const { boxes } = hooks.grid();
        const photos = flag.querySelector("[data-flag-photos]");
        flag.querySelector("form").reset();
        photos.replaceChildren(...boxes.map(flagChoice));
        flag.returnValue = "";
        flag.showModal();
        if (i === undefined) {
            photos.querySelector("input").focus();
        } else {
            photos.children[i].firstElementChild.checked = true;
            photos.scrollTop = photos.children[i].offsetTop - RING;
            flag.querySelector('[name="kind"]').focus({ preventScroll: true });
        }
        showChosen();
    }

    /* A field that is clicked where it looks out from behind the buttons is not scrolled by the browser. */
    const note = flag.querySelector("textarea");
    note.addEventListener("focus", () => note.scrollIntoView({ block: "nearest" }));
    flag.addEventListener("change", showChosen);
    flag.addEventListener("close", () => {
        const data = new FormData(flag.querySelector("form"));
        const photo = data.get("photo");
        if (flag.returnValue === "send") {
            hooks.report(Number(photo), data.get("kind"), data.get("note").trim());
        }
        hooks.grid()?.focus(photo === null ? undefined : Number(photo));
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
