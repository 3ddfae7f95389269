/* training.js - training by keys: "/" searches, arrows choose, Enter checks and then goes on; after an answer digits suggest what
 * the chosen label is. All that is sent are the fields of the plain forms. */
const form = document.querySelector("[data-training]");
const told = document.querySelector("[data-told]");
const next = document.querySelector("[data-next]");
const suggest = document.querySelector("[data-suggest]");

const isTyping = (target) => target.matches?.("input:not([type=radio], [type=checkbox]), select, textarea");
const isPressed = (target) => target.matches?.("a, button, summary");

function timed() {
    let shownAt = performance.now();
    let active = 0;
    document.addEventListener("visibilitychange", () => {
        if (document.hidden) {
            active += performance.now() - shownAt;
        } else {
            shownAt = performance.now();
        }
    });
    form.addEventListener("submit", () => {
        form.elements.active_ms.value = String(Math.round(active + (document.hidden ? 0 : performance.now() - shownAt)));
    });
}

function choosing() {
    const query = form.querySelector("[data-query]");
    const check = form.querySelector("button[value=check]");
    timed();
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
