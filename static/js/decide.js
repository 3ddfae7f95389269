/* decide.js - deciding about pictures: which are on the blacklist, and which show the same photo. The fields are
 * those of the plain form with the id "decide" (server/web/review/decide.h); this script counts what changed, sends
 * nothing else, lets near-duplicates be clicked together and adds keys. A card is an element with data-decide-card,
 * whose number the names of its fields end with. Cards may be replaced at any time (live.js), so nothing is kept
 * about them but what their fields say and the numbers of those that are selected. */
import { cards as cardList } from "./cards.js";

const form = document.getElementById("decide");
const KINDS = ["reason", "note", "set"];
const numbers = new Set(); /* of the selected */
const isSelected = (card) => numbers.has(card.dataset.decideCard);
const part = (name) => document.querySelector(`[data-decide-${name}]`);
const list = cardList({
    root: document,
    card: "[data-decide-card]",
    handle: "a",
    isMarked: isSelected,
    mark: select,
    counted: (n) => setPicking(picking || n > 0),
    fields: fieldsOf,
    said: () => setPicking(false),
    send,
});
const { all: cards, marked: selected } = list;

let picking = false;
let sending = false;

/* ---- one card ---- */

function fieldsOf(card) {
    const id = card.dataset.decideCard;
    const at = (kind) => card.querySelector(`[name="${kind}-${id}"]`);
    const [reason, set, ...note] = at("was").value.split("|");
    const was = { reason, set, note: note.join("|") };
    return { was, all: at("was"), reason: at("reason"), note: at("note"), set: at("set") };
}

/* A box that is not ticked is not sent, so it is as it was. A note without a reason says nothing. */
function differs(fields, kind) {
    const field = fields[kind];
    const sent = field !== null && (field.type !== "checkbox" || field.checked);
    return sent && field.value.trim() !== fields.was[kind].trim();
}

function isChanged(card) {
    const fields = fieldsOf(card);
    return differs(fields, "reason") || differs(fields, "set") || (differs(fields, "note") && fields.reason.value !== "");
}

/* ---- what changed ---- */

function say(text) {
    const status = part("status");
    if (status && status.textContent !== text) {
        status.textContent = text;
    }
}

function show() {
    const changed = cards().filter(isChanged);
    cards().forEach((card) => card.classList.toggle("changed", changed.includes(card)));
    const written = (form.elements.namedItem("near")?.value ?? "").trim() !== "";
    form.toggleAttribute("data-unsaved", changed.length > 0 || written);
    part("bar")?.toggleAttribute("data-unsaved", changed.length > 0 || written);
    const group = part("group");
    const n = selected().length;
    if (group) {
        group.hidden = n === 0;
        group.disabled = n < 2;
        group.textContent = n < 2 ? "Select at least two images" : `These ${n} show the same photo`;
    }
    if (changed.length > 0) {
        say(`${changed.length} ${changed.length === 1 ? "image" : "images"} changed, not saved yet`);
    } else if (n > 0) {
        say(`${n} selected`);
    } else if (picking) {
        say("Click the images that show the same photo");
    }
}

/* ---- near-duplicates ---- */

function setPicking(on) {
    picking = on;
    part("mode")?.setAttribute("aria-pressed", String(on));
    if (!on) {
        selected().forEach((card) => select(card, false));
        numbers.clear();
    }
    document.body.classList.toggle("picking", on);
    show();
}

function select(card, on) {
    card.classList.toggle("selected", on);
    if (on) {
        numbers.add(card.dataset.decideCard);
    } else {
        numbers.delete(card.dataset.decideCard);
    }
}

/* Keys mean something only at the pictures' links: the page has others. */
function onKey(event) {
    const { target, key } = event;
    if (key === "Escape" && picking) {
        setPicking(false);
    } else if (list.cardOf(target) || form.hasAttribute("data-unsaved")) {
        list.onKey(event, Boolean(list.cardOf(target)) && target.matches("a"));
    }
}

/* ---- sending ---- */

/* What changed, and who is of a set that got somebody new: the server knows sets by who has the same text. */
function toSend() {
    const changed = cards().filter(isChanged);
    const grown = changed.map(fieldsOf).filter((fields) => differs(fields, "set")).map(({ set }) => set.value.trim());
    const ofGrown = (card) => {
        const text = fieldsOf(card).set?.value.trim();
        return Boolean(text) && grown.includes(text);
    };
    return cards().filter((card) => changed.includes(card) || ofGrown(card));
}

/* The fields of the other pictures stay here: a page of hundreds is sent in a few bytes. */
function setSent(of, on) {
    for (const card of cards().filter((one) => of(one))) {
        const { all, ...fields } = fieldsOf(card);
        [all, ...KINDS.map((kind) => fields[kind])].filter(Boolean).forEach((field) => (field.disabled = !on));
    }
}

function send() {
    form.requestSubmit();
}

function onSubmit(event) {
    if (!form.hasAttribute("data-unsaved")) {
        event.preventDefault();
        say("Nothing has changed yet: choose a reason, or put images into a near-duplicate set");
        return;
    }
    sending = true;
    const sent = toSend();
    setSent((card) => !sent.includes(card), false);
}

if (form) {
    document.addEventListener("input", (event) => event.target.form === form && show());
    document.addEventListener("keydown", onKey);
    document.addEventListener("click", (event) => {
        const card = list.cardOf(event.target);
        if (event.target.closest("[data-decide-mode]")) {
            setPicking(!picking);
        } else if (event.target.closest("[data-decide-group]")) {
            list.group();
        } else if (picking && card && !event.target.closest("input, select, label")) {
            event.preventDefault();
            list.press(card, event.shiftKey);
        }
    });
    document.addEventListener("live:changed", () => {
        part("mode")?.removeAttribute("hidden");
        cards().forEach((card) => select(card, isSelected(card)));
        setPicking(picking);
    });
    form.addEventListener("submit", onSubmit);
    window.addEventListener("beforeunload", (event) => {
        if (form.hasAttribute("data-unsaved") && !sending) {
            event.preventDefault();
        }
    });
    window.addEventListener("pageshow", () => {
        sending = false;
        setSent(() => true, true);
        show();
    });
    part("mode")?.removeAttribute("hidden");
}
