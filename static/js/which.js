/* which.js - two rows, one of them new (templates/review/which): 1 and 2 choose a row, N goes on. Each presses what
 * stands on the page, so that keys do no more than the mouse. */
const form = document.querySelector("[data-which]");

document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) {
        return;
    }
    const key = event.key.toLowerCase();
    const target = key === "n" ? form.querySelector("[data-next]") : form.querySelector(`button[name="guess"][value="${CSS.escape(key)}"]`);
    if (target) {
        event.preventDefault();
        target.click();
    }
});
