/* review.js - the final review of a class with the keyboard: going from image to image, blacklisting,
 * putting images of one photo together, going on. Everything ends in the fields of the plain form. What
 * is not saved is kept in this browser until it is, and brought back when the class is opened again. */
import { cards as cardList, setName } from "./cards.js";
import { forget, keep, kept } from "./kept.js";
import { isZoomed, onZoomKey, refresh, zoom } from "./review_zoom.js";
import { getPage } from "./server.js";

const form = document.querySelector("[data-review]");
const sheet = document.getElementById("review-keys");
const single = sheet.querySelector("[data-single]");
const bar = form.querySelector("[data-marked]");
const at = (name) => form.elements.namedItem(name)?.value ?? "";
/* Fields of a blind turn go by places, which are others in the next round. */
const draftOf = [form.getAttribute("action"), form.dataset.account, ...["revision", "round", "again"].map(at)];
const draftName = `review-${draftOf.join("-")}`;
const FIELDS = "select, input:not([type=hidden]), textarea";

const pictureOf = (card) => card.querySelector("[data-picture]");
const setOf = (card) => card.querySelector('[name^="set-"]');

/* About the class, not about one image: while one is shown large too. */
const HERE_TOO = ["r", "p"];

const list = cardList({
    root: form,
    card: "[data-card]",
    handle: "[data-picture]",
    isMarked: (card) => pictureOf(card).getAttribute("aria-checked") === "true",
    mark: (card, on) => pictureOf(card).setAttribute("aria-checked", on),
    counted(n) {
        bar.hidden = n === 0;
        bar.querySelector("[data-marked-text]").textContent = n === 1 ? "1 image marked" : `${n} images marked`;
    },
    fields: (card) => ({
        picture: pictureOf(card),
        reason: card.querySelector("select"),
        note: card.querySelector('[name^="note-"]'),
        set: setOf(card),
    }),
    said: changed,
    send,
    stand,
    keys: {
        z: () => chosen().slice(0, 1).forEach(enlarge),
        r: () => toggle("reviewed"),
        p: () => toggle("problematic"),
        o: others,
        f: () => document.querySelector("[data-frequencies]")?.click(),
        j: () => location.assign(form.dataset.next),
        k: () => location.assign(form.dataset.previous),
        "?": () => sheet.showModal(),
    },
});
const { all, cardOf, chosen, isMarked, textOf } = list;

/* The live region is of the page from the start; a text that came with it would not be read out. */
function tell(text) {
    form.querySelector("[data-review-status]").textContent = text;
}

/* --- what is not saved --- */

const written = new Map(); /* field name -> what the server wrote there */

const valueOf = (field) => (field.type === "checkbox" ? field.checked : field.value);

function setValue(field, value) {
    if (field.type === "checkbox") {
        field.checked = value;
    } else {
        field.value = value;
    }
}

function note(fields) {
    for (const field of fields) {
        written.set(field.name, valueOf(field));
    }
}

const isWritten = (field) => valueOf(field) === written.get(field.name);

/* What the server wrote there is kept too: see bringBack. */
function keepDraft() {
    const fields = {};
    for (const field of form.querySelectorAll(FIELDS)) {
        if (!isWritten(field)) {
            fields[field.name] = { value: valueOf(field), was: written.get(field.name) };
        }
    }
    if (Object.keys(fields).length > 0) {
        keep(draftName, { seen: at("seen"), fields });
    } else {
        forget(draftName);
    }
}

/* When somebody decided meanwhile, the numbers of near-duplicate sets mean other sets, and what they changed is not
 * overwritten unseen. An original that is not shown now cannot be decided about. */
function stillHolds(draft, field, { was }) {
    const sameVersion = draft.seen === at("seen");
    return Boolean(field) && (sameVersion || (!field.name.startsWith("set-") && was === written.get(field.name)));
}

function bringBack() {
    const draft = kept(draftName);
    let dropped = 0;
    for (const [name, one] of Object.entries(draft?.fields ?? {})) {
        const field = [...form.querySelectorAll(FIELDS)].find((other) => other.name === name);
        if (stillHolds(draft, field, one)) {
            setValue(field, one.value);
        } else {
            dropped++;
        }
    }
    if (dropped > 0) {
        const changes = dropped === 1 ? "1 unsaved change was" : `${dropped} unsaved changes were`;
        tell(`${changes} not restored, because the class has changed since. Look at it again.`);
        keepDraft();
    }
}

/* --- marks --- */

function show(card) {
    const { reason } = list.fields(card);
    card.classList.toggle("rejected", Boolean(reason?.value));
    card.classList.toggle("grouped", Boolean(setOf(card)?.value));
}

function changed(cards) {
    cards.forEach(show);
    keepDraft();
}

/* --- focus --- */

function stand(card) {
    for (const picture of form.querySelectorAll("[data-picture]")) {
        picture.tabIndex = picture === pictureOf(card) ? 0 : -1;
    }
}

/* --- one image large --- */

const state = () =>
    ["reviewed", "problematic"].filter((name) => form.elements[name]?.checked).map((name) => `class ${name}`).join(", ");

const enlarge = (card) => zoom(card, { ...list, state });

/* --- others --- */

const isRegrouped = (card) => Boolean(setOf(card)) && !isWritten(setOf(card));

/* What is said of originals and not saved goes on being shown, as do those whose set is to get somebody new. */
function staying(section) {
    const growing = all().filter(isRegrouped).map(textOf);
    const stays = (card) => isMarked(card) || isRegrouped(card) || (textOf(card) !== "" && growing.includes(textOf(card)));
    return [...section.querySelectorAll("[data-card]")].filter(stays);
}

/* A set that is new here has a number; who comes may be of one that has the same. */
function renumber(coming) {
    const theirs = coming.map(textOf);
    const held = all().filter((card) => !isRegrouped(card)).map(textOf);
    for (const text of new Set(all().filter(isRegrouped).map(textOf))) {
        if (text !== "" && theirs.includes(text) && !held.includes(text)) {
            const name = setName([], [...all().map(textOf), ...theirs]);
            all().filter((card) => isRegrouped(card) && textOf(card) === text).forEach((card) => (setOf(card).value = name));
        }
    }
}

function replaceOriginals(section, coming) {
    const stay = staying(section);
    const numbers = stay.map((card) => card.dataset.number);
    const cards = [...coming.querySelectorAll("[data-card]")].filter((card) => !numbers.includes(card.dataset.number));
    renumber(cards);
    coming.querySelectorAll("[data-card]").forEach((card) => cards.includes(card) || card.remove());
    section.replaceWith(document.adoptNode(coming));
    prepare([...coming.querySelectorAll("[data-picture]")]);
    coming.querySelector("ul").prepend(...stay);
    keepDraft();
}

async function others() {
    const link = form.querySelector("[data-others]");
    const page = link && (await getPage(link.href));
    const fresh = page?.querySelector("[data-others]");
    if (fresh && (page.querySelector('[data-review] [name="seen"]')?.value ?? "") !== at("seen")) {
        tell("Somebody has decided about this class since you opened it. To see other originals, save first or open the class again.");
    } else if (fresh) {
        replaceOriginals(link.closest("section"), fresh.closest("section"));
    }
}

/* --- ways on --- */

function send(stay) {
    const button = form.querySelector(stay ? "[data-stay]" : "button.primary");
    if (button) {
        form.requestSubmit(button);
    }
}

function toggle(name) {
    const box = form.elements[name];
    if (box) {
        box.checked = !box.checked;
        keepDraft();
        if (isZoomed()) {
            refresh();
        }
    }
}

const doIt = { group: list.group, apart: list.apart, keys: () => sheet.showModal() };

function onKey(event) {
    const sends = event.key === "Enter" && event.ctrlKey;
    const zoomed = isZoomed() && !sends;
    if ((sheet.open || event.ctrlKey || event.altKey || event.metaKey) && !sends) {
        return;
    }
    if (zoomed && onZoomKey(event, single.checked)) {
        event.preventDefault();
    } else if (!zoomed || HERE_TOO.includes(event.key.toLowerCase())) {
        list.onKey(event, single.checked);
    }
}

/* A picture becomes a box that can be ticked; its link is for browsers without this script. */
function prepare(pictures) {
    for (const picture of pictures) {
        const link = picture.querySelector("a");
        const card = cardOf(picture);
        if (link) {
            picture.dataset.large = link.dataset.large;
            link.replaceWith(...link.childNodes);
        }
        if (card) {
            const img = picture.querySelector("img");
            picture.setAttribute("role", "checkbox");
            picture.setAttribute("aria-checked", "false");
            picture.setAttribute("aria-label", img?.alt ?? "image without pixels");
            picture.tabIndex = -1;
            show(card);
            note(card.querySelectorAll(FIELDS));
        }
    }
}

/* The pictures of the next class come while this one is looked at; those of a blind turn may not be kept. */
async function fetchNext() {
    const page = form.elements.revision ? await getPage(form.dataset.next) : null;
    for (const img of page?.querySelectorAll("[data-picture] img") ?? []) {
        new Image().src = img.getAttribute("src");
    }
}

const PLACE = "review-at"; /* where the reader was when they saved and stayed */

function rememberPlace() {
    const { number } = cardOf(form.querySelector('[data-picture][tabindex="0"]') ?? form)?.dataset ?? {};
    keep(PLACE, { path: location.pathname, number });
}

/* Work begins at the first image, or where it was left to save; unless the address names a place or the reader is
 * somewhere already. */
function begin() {
    const was = kept(PLACE);
    forget(PLACE);
    const back = was?.path === location.pathname && all().find((card) => card.dataset.number === was.number);
    const card = back || all()[0];
    if (card && !location.hash && document.activeElement === document.body) {
        stand(card);
        pictureOf(card).focus({ preventScroll: true });
        card.scrollIntoView({ block: "nearest" });
    }
}

prepare([...form.querySelectorAll("[data-picture]")]);
note(form.querySelectorAll(FIELDS));
bringBack();
all().forEach(show);
stand(all()[0]);
begin();
single.checked = kept("review-single") ?? true;
form.querySelector('[data-do="keys"]').hidden = false;
form.addEventListener("change", (event) => {
    const card = cardOf(event.target);
    changed(card ? [card] : []);
});
form.addEventListener("click", (event) => {
    const picture = event.target.closest("[data-picture]");
    const button = event.target.closest("[data-do]");
    if (picture && cardOf(picture)) {
        list.focus(cardOf(picture));
        list.press(cardOf(picture), event.shiftKey);
    } else if (event.target.closest("[data-others]")) {
        event.preventDefault();
        others();
    }
    if (button) {
        doIt[button.dataset.do]();
    }
});
form.addEventListener("dblclick", (event) => {
    const card = cardOf(event.target);
    if (card && event.target.closest("[data-picture]")) {
        enlarge(card);
    }
});
form.addEventListener("submit", () => {
    forget(draftName);
    rememberPlace();
});
single.addEventListener("change", () => keep("review-single", single.checked));
document.addEventListener("keydown", onKey);
window.addEventListener("load", () => setTimeout(fetchNext, 300), { once: true });
