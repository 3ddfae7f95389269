/* training.js - training by keys: "/" searches, arrows choose, Enter checks and then goes on; after an answer digits suggest what
 * the chosen label is. All that is sent are the fields of the plain forms. */
import { isPressed, isTyping } from "./keys.js";
import { timeForm } from "./timing.js";

const form = document.querySelector("[data-training]");
const told = document.querySelector("[data-told]");
const next = document.querySelector("[data-next]");
const suggest = document.querySelector("[data-suggest]");

function choosing() {
    const query = form.querySelector("[data-query]");
    const check = form.querySelector("button[value=check]");
    timeForm(form);
    /* Enter on a class that is chosen checks it; in the search it takes the first class (js/classes.js). */
    form.addEventListener("keydown", (event) => {
        if (event.key === "Enter" && !event.defaultPrevented && !isPressed(event.target) && event.target !== query) {
            event.preventDefault();
            form.requestSubmit(check);
        }
    });
    /* Pictures of the chosen class elsewhere; that somebody looked there is noted. */
    const elsewhere = form.querySelector("[data-elsewhere]");
    form.addEventListener("class-chosen", (event) => {
        elsewhere.hidden = false;
        elsewhere.href = elsewhere.dataset.elsewhere + encodeURIComponent(event.detail.name);
    });
    elsewhere.addEventListener("click", () => (form.querySelector("[data-searched]").checked = true));
    document.addEventListener("keydown", (event) => {
        if (event.key === "/" && !isTyping(event.target) && !event.ctrlKey && !event.metaKey) {
            event.preventDefault();
            form.closest("details")?.setAttribute("open", "");
            query.focus();
            query.select();
        }
    });
    if (!told && !document.querySelector("main [role=alert]")) {
        query.focus({ preventScroll: true });
    }
}

function hearing() {
    document.addEventListener("keydown", (event) => {
        if (isTyping(event.target) || event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("[data-training]")) {
            return;
        }
        const button = suggest?.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
        if (button) {
            event.preventDefault();
            button.form.requestSubmit(button);
        } else if (event.key === "Enter" && !isPressed(event.target)) {
            event.preventDefault();
            next.click();
        }
    });
    if (!document.querySelector("main [role=alert]") && !form?.closest("details")?.open) {
        told.querySelector("h2").focus();
    }
}

if (form) {
    choosing();
}
if (told) {
    hearing();
}
