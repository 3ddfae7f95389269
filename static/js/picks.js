/* picks.js - ticking many images quickly: arrows move between the boxes, Shift ticks everything between, the
 * buttons say how many are ticked, Ctrl+Enter sends. All of it ends in the check boxes of the plain form. */
const form = document.getElementById("picks");
const boxes = form ? [...form.querySelectorAll('input[type="checkbox"]:not(:disabled)')] : [];
let anchor = 0;

function show() {
    const n = boxes.filter((box) => box.checked).length;
    for (const count of form.querySelectorAll("[data-picks-count]")) {
        count.textContent = n ? ` ${n}` : "";
    }
    form.querySelector("[data-picks-status]").textContent = n ? `${n} ticked` : "";
}

function range(from, to, checked) {
    for (let i = Math.min(from, to); i <= Math.max(from, to); i++) {
        boxes[i].checked = checked;
    }
}

/* How many boxes stand beside each other: those on the first one's line. */
function columns() {
    const top = boxes[0].getBoundingClientRect().top;
    const n = boxes.findIndex((box) => box.getBoundingClientRect().top > top + 1);
    return n < 0 ? boxes.length : n;
}

const steps = {
    ArrowLeft: () => -1,
    ArrowRight: () => 1,
    ArrowUp: () => -columns(),
    ArrowDown: columns,
};

function onKey(event) {
    const at = boxes.indexOf(event.target);
    if (event.key === "Enter" && event.ctrlKey) {
        event.preventDefault();
        (form.querySelector(".button.primary") ?? form.querySelector(".button")).click();
    } else if (at >= 0 && steps[event.key]) {
        event.preventDefault();
        const next = at + steps[event.key]();
        if (next >= 0 && next < boxes.length) {
            boxes[next].focus();
            if (event.shiftKey) {
                range(anchor, next, boxes[anchor].checked);
                show();
            } else {
                anchor = next;
            }
        }
    }
}

function onClick(event) {
    const at = boxes.indexOf(event.target);
    if (at >= 0) {
        if (event.shiftKey) {
            range(anchor, at, event.target.checked);
        }
        anchor = at;
        show();
    }
}

if (boxes.length) {
    form.addEventListener("keydown", onKey);
    form.addEventListener("click", onClick);
    show();
}
