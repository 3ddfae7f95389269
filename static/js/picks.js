/* picks.js - ticking many images quickly: arrows move between the boxes, Shift ticks everything between (cards.js),
 * the buttons say how many are ticked. All of it ends in the check boxes of the plain form. */
import { cards } from "./cards.js";

const form = document.getElementById("picks");
const boxOf = (card) => card.querySelector("input");

function counted(n) {
    for (const count of form.querySelectorAll("[data-picks-count]")) {
        count.textContent = n ? ` ${n}` : "";
    }
    form.querySelector("[data-picks-status]").textContent = n ? `${n} ticked` : "";
}

if (form) {
    const list = cards({
        root: form,
        card: "li:has(input:enabled)",
        handle: "input",
        isMarked: (card) => boxOf(card).checked,
        mark: (card, on) => (boxOf(card).checked = on),
        counted,
        send: () => (form.querySelector(".button.primary") ?? form.querySelector(".button")).click(),
    });
    form.addEventListener("keydown", (event) => list.onKey(event, false));
    form.addEventListener("click", ({ target, shiftKey }) => {
        const card = target.matches("input") && list.cardOf(target);
        if (card) {
            list.press(card, shiftKey, target.checked);
        }
    });
    counted(list.marked().length);
}
