/* evaluation.js - one image of an evaluation by keys: digits choose among few classes, "/" goes to the search, Enter confirms what
 * is chosen. All that is sent are the fields of the plain form; the time is that during which the page was not hidden. */
import { isPressed, isTyping } from "./keys.js";
import { timeForm } from "./timing.js";

const form = document.querySelector("[data-evaluation]");

function byKeys() {
    const few = [...form.querySelectorAll("[data-few] input[type=radio]")];
    const query = form.querySelector("[data-query]");
    const save = form.querySelector("button[value=save]");
    document.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || isTyping(event.target) || isPressed(event.target)) {
            return; /* Enter in the search takes the first class (js/classes.js) */
        }
        const radio = /^[0-9]$/.test(event.key) ? few[(Number(event.key) + 9) % 10] : null;
        if (radio) {
            event.preventDefault();
            radio.checked = true;
            radio.focus();
        } else if (event.key === "Enter") {
            event.preventDefault();
            form.requestSubmit(save);
        } else if (event.key === "/" && query) {
            event.preventDefault();
            query.focus();
            query.select();
        }
    });
    if (!document.querySelector("main [role=alert]")) {
        (few.find((one) => one.checked) ?? few[0] ?? query)?.focus({ preventScroll: true });
    }
}

if (form) {
    timeForm(form);
    byKeys();
}
