/* forms.js - what every page with forms does besides sending them: says what was done, marks fields that
 * the browser finds wrong beside them instead of in a bubble, keeps the page where it was scrolled to when
 * a form led back to it (unless it begins with what was asked for: data-answer), and closes a question that
 * was opened in place. Forms work without it too: the server says what is wrong and what was done. */
import { dress } from "./toast.js";

const WHERE = "holdout-where";

/* --- coming back from a form --- */

function take() {
    try {
        const left = JSON.parse(sessionStorage.getItem(WHERE));
        sessionStorage.removeItem(WHERE);
        return left;
    } catch {
        return null;
    }
}

let pointer = null;

function remember() {
    try {
        const { pathname } = location;
        const from = document.querySelector("[data-form-page]")?.dataset.formPage ?? pathname;
        const path = new URL(from, location.href).pathname;
        sessionStorage.setItem(WHERE, JSON.stringify({ path, y: window.scrollY, pointer, at: Date.now() }));
    } catch {
        /* forbidden: the page begins at its top */
    }
}

/* --- a form that was sent after its session had ended --- */

const TYPED = "holdout-typed";

const account = () => document.querySelector('.topbar-end a[href="/account"]')?.innerText ?? "";

const actionOf = (form) => form.getAttribute("action"); /* form.action may be a field of that name */

const isTyped = (field) => field.name && field.matches("input, textarea, select") && !/^(hidden|password|file|submit)$/.test(field.type);

/* What is typed, until the reply says that it came; of one account, and without passwords. */
function keepTyped(form) {
    const fields = [...form.elements].filter(isTyped).map((f) => [f.name, f.value, Boolean(f.checked)]);
    const page = document.querySelector("[data-form-page]")?.dataset.formPage ?? location.pathname + location.search;
    try {
        sessionStorage.setItem(TYPED, JSON.stringify({ page, action: actionOf(form), account: account(), fields }));
    } catch {
        /* forbidden or too long: the browser's way back has it */
    }
}

function readTyped() {
    try {
        return JSON.parse(sessionStorage.getItem(TYPED));
    } catch {
        return null;
    }
}

function fillIn(form, fields) {
    const left = [...fields];
    for (const field of [...form.elements].filter(isTyped)) {
        const choice = field.type === "checkbox" || field.type === "radio";
        const at = left.findIndex(([name, value]) => name === field.name && (!choice || value === field.value));
        if (at >= 0) {
            const [[, value, checked]] = left.splice(at, 1);
            field.value = value;
            field.checked = checked;
        }
    }
    for (let part = form; part; part = part.parentElement) {
        if (part.localName === "details") {
            part.open = true;
        }
    }
}

/* The page that says so leads on to the form, which has everything again. */
function bringBack() {
    const typed = readTyped();
    const signIn = document.querySelector("[data-signed-out]");
    if (signIn && typed) {
        signIn.href = `/login?next=${encodeURIComponent(typed.page)}`;
        sessionStorage.setItem(TYPED, JSON.stringify({ ...typed, out: true }));
        return;
    }
    if (!typed || (typed.out && location.pathname === "/login")) {
        return;
    }
    sessionStorage.removeItem(TYPED);
    const form = typed.out && typed.account === account() && location.pathname + location.search === typed.page &&
        [...document.forms].find((f) => f.method === "post" && actionOf(f) === typed.action);
    if (form) {
        const note = document.createElement("p");
        note.className = "banner warning";
        note.setAttribute("role", "status");
        note.textContent = "You were signed out, so nothing was changed. What you typed is here again.";
        fillIn(form, typed.fields);
        form.before(note);
        note.scrollIntoView({ block: "center" });
    }
}

/* The second click of a double click neither sends a form twice, whose reply would be "done already"
 * instead of what was done, nor presses the button that the next page has in that place. */
const DOUBLE_MS = 500;
const NEAR_PX = 24;
const sent = new WeakMap();

const justSent = (form) => performance.now() - (sent.get(form) ?? -DOUBLE_MS) < DOUBLE_MS;

document.addEventListener("submit", (event) => {
    if (!event.defaultPrevented && event.target.method === "post") {
        if (justSent(event.target)) {
            event.preventDefault();
        } else {
            sent.set(event.target, performance.now());
            remember();
            if (account()) {
                keepTyped(event.target);
            }
        }
    }
});
document.addEventListener("pointerdown", (event) => {
    pointer = { x: event.clientX, y: event.clientY };
});
document.addEventListener("keydown", () => {
    pointer = null;
});

bringBack();

/* A refused form's page has the form's address: going on from there must not send it again. */
const refused = document.querySelector("[data-form-page]");
if (refused) {
    history.replaceState(history.state, "", refused.dataset.formPage);
}
const left = take();
const was = left?.path === location.pathname ? left : null;
document.addEventListener("click", (event) => {
    const again = left?.pointer && event.detail && Date.now() - left.at < DOUBLE_MS &&
        Math.hypot(event.clientX - left.pointer.x, event.clientY - left.pointer.y) < NEAR_PX;
    if (again && event.target.closest("button, summary, a.button")) {
        event.preventDefault();
        event.stopPropagation();
    }
}, true);
if (was && !refused && !document.querySelector("[data-answer]")) {
    window.scrollTo(0, was.y);
    const at = location.hash && document.getElementById(location.hash.slice(1))?.getBoundingClientRect();
    if (at && (at.bottom < 0 || at.top > window.innerHeight)) {
        document.getElementById(location.hash.slice(1)).scrollIntoView();
    }
}
document.querySelectorAll("[data-toast]").forEach((toast) => {
    dress(toast, { close: toast.dataset.close ?? "Dismiss", pointer: was?.pointer });
});

/* --- messages beside fields --- */

let made = 0;

/* A group of boxes has one message, under its legend. */
function placeOf(field) {
    const legend = field.type === "radio" ? field.closest("fieldset")?.querySelector("legend") : null;
    return legend ?? field.closest("label") ?? field;
}

function messageOf(field) {
    return document.getElementById(field.dataset.wrong ?? "");
}

function clearMessage(field) {
    const message = messageOf(field);
    if (message) {
        const ids = (field.getAttribute("aria-describedby") ?? "").split(" ");
        const rest = ids.filter((id) => id && id !== message.id).join(" ");
        message.remove();
        field.removeAttribute("aria-invalid");
        delete field.dataset.wrong;
        if (rest) {
            field.setAttribute("aria-describedby", rest);
        } else {
            field.removeAttribute("aria-describedby");
        }
    }
}

function showMessage(field) {
    const place = placeOf(field);
    clearMessage(field);
    const next = place.nextElementSibling;
    if (field.type === "radio" && next?.dataset.group === field.name) {
        return; /* another box of the group says it */
    }
    const message = document.createElement("span");
    message.className = "field-error";
    message.id = `field-wrong-${++made}`;
    message.textContent = field.validationMessage;
    message.dataset.group = field.name;
    place.after(message);
    field.dataset.wrong = message.id;
    field.setAttribute("aria-invalid", "true");
    const described = field.getAttribute("aria-describedby");
    field.setAttribute("aria-describedby", described ? `${message.id} ${described}` : message.id);
}

let first = null;

document.addEventListener("invalid", (event) => {
    const field = event.target;
    if (!field.offsetParent && field.type !== "checkbox" && field.type !== "radio") {
        return; /* out of sight: the browser says it */
    }
    event.preventDefault();
    showMessage(field);
    if (!first) {
        first = field;
        queueMicrotask(() => {
            first.focus();
            first = null;
        });
    }
}, true);

/* The message of a group hangs on one of its boxes, whichever was chosen. */
document.addEventListener("input", ({ target }) => {
    const group = target.type === "radio" ? target.form?.elements[target.name] : null;
    for (const field of group instanceof RadioNodeList ? group : [target]) {
        if (field.dataset?.wrong && field.validity.valid) {
            clearMessage(field);
        }
    }
});

/* --- a question in place --- */

document.documentElement.dataset.script = ""; /* buttons that need one may show */

document.addEventListener("keydown", (event) => {
    const open = event.key === "Escape" ? event.target.closest?.("details.confirm[open]") : null;
    if (open) {
        open.open = false;
        open.querySelector("summary").focus();
    }
});
document.addEventListener("click", (event) => {
    const part = event.target.closest?.("[data-confirm-no]")?.closest("details.confirm");
    if (part) {
        part.open = false;
        part.querySelector("summary").focus();
    }
});
document.addEventListener("toggle", (event) => {
    const part = event.target;
    if (part.matches?.("details.confirm") && part.open) {
        document.querySelectorAll("details.confirm[open]").forEach((other) => {
            other.open = other === part;
        });
    }
}, true);
