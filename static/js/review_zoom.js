/* review_zoom.js - one image large, in the final review: everything that can be said of a card can be said
 * here too, by keys, mouse and touch. It ends in the card's own fields; this file is given the cards (cards.js), with
 * what is said of the class as state(), "" for nothing. */
const large = document.getElementById("review-large");
const picture = large.querySelector("[data-large-picture]");
const image = picture.querySelector("img");
const reason = large.querySelector("[data-large-reason]");
const select = reason.querySelector("select");
const note = large.querySelector("[data-large-note]");
const box = large.querySelector("[data-large-mark]");
const text = large.querySelector("[data-large-text]");

let cards = null;
let at = null;    /* the card that is shown */

const sourceOf = (card) => cards.fields(card).picture.dataset.large;
const shownCards = () => cards.all().filter(sourceOf);

function words() {
    const { picture: of, reason: field } = cards.fields(at);
    const row = shownCards();
    const n = cards.marked().length;
    return [
        `${of.getAttribute("aria-label")}, ${row.indexOf(at) + 1} of ${row.length}`,
        field?.value ? field.selectedOptions[0].text : "",
        cards.isMarked(at) ? "marked" : "",
        n > 0 ? `${n} marked in all` : "",
        cards.state(),
    ].filter(Boolean).join(" · ");
}

/* What the card and the class say now. */
export function refresh() {
    const { reason: field, note: words_ } = cards.fields(at);
    reason.hidden = !field;
    note.hidden = !field?.value;
    if (field) {
        select.selectedIndex = field.selectedIndex;
        note.value = words_.value;
        note.maxLength = words_.maxLength;
    }
    box.querySelector("input").checked = cards.isMarked(at);
    for (const button of large.querySelectorAll("[data-large-do]")) {
        button.hidden = cards.marked().length < (button.dataset.largeDo === "group" ? 2 : 1);
    }
    large.classList.toggle("rejected", Boolean(field?.value));
    const said = words();
    if (text.textContent !== said) {
        text.textContent = said;
    }
}

function show(card) {
    at = card;
    const { reason: field } = cards.fields(card);
    image.src = sourceOf(card);
    image.alt = cards.fields(card).picture.getAttribute("aria-label");
    if (field) {
        select.replaceChildren(...[...field.options].map((option) => option.cloneNode(true)));
    }
    refresh();
    const row = shownCards();
    for (const step of [1, -1]) {
        const next = row[row.indexOf(card) + step];
        if (next) {
            new Image().src = sourceOf(next);
        }
    }
}

function go(step) {
    const row = shownCards();
    const to = row[Math.min(Math.max(row.indexOf(at) + step, 0), row.length - 1)];
    if (to && to !== at) {
        show(to);
    }
}

const steps = {
    ArrowLeft: -1,
    ArrowUp: -1,
    ArrowRight: 1,
    ArrowDown: 1,
    Home: -Infinity,
    End: Infinity,
};

function blacklist(index) {
    if (cards.fields(at).reason) {
        cards.setReason([at], index);
        refresh();
        if (select.value === "other") {
            note.focus();
        }
    }
}

const doIt = {
    g: () => cards.group(),
    u: () => cards.apart(),
    z: () => large.close(),
};

/* A key that was pressed here; true when it did something. `single`: single keys do something. */
export function onZoomKey(event, single) {
    const { target, key } = event;
    if (target.matches("select, input:not([type=checkbox])")) {
        return false;
    }
    if (key in steps) {
        go(steps[key]);
        return true;
    }
    if (key === " " && target === picture) {
        cards.press(at, false);
        refresh();
        return true;
    }
    const digit = /^\d$/.test(key) ? Number(key) : select.options.length;
    if (single && (digit < select.options.length || key.toLowerCase() in doIt)) {
        if (digit < select.options.length) {
            blacklist(digit);
        } else {
            doIt[key.toLowerCase()]();
            refresh();
        }
        return true;
    }
    return false;
}

export const isZoomed = () => large.open;

export function zoom(card, given) {
    cards = given;
    if (sourceOf(card)) {
        show(card);
        large.showModal();
        picture.focus();
    }
}

select.addEventListener("change", () => blacklist(select.selectedIndex));
note.addEventListener("input", () => {
    cards.fields(at).note.value = note.value;
    cards.said([at]);
});
box.addEventListener("change", () => {
    cards.press(at, false);
    refresh();
});
large.addEventListener("click", (event) => {
    const step = event.target.closest("[data-large-step]")?.dataset.largeStep;
    const what = event.target.closest("[data-large-do]")?.dataset.largeDo;
    if (event.target === large || event.target === image) {
        large.close();
    } else if (step) {
        go(Number(step));
    } else if (what) {
        cards[what]();
        refresh();
    }
});
large.addEventListener("close", () => cards.focus(at));
