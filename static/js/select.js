/* select.js - choosing photos of one grid: one tab stop for all, arrows and Space, Shift to extend,
 * painting with the mouse, undo. Every way ends in the check boxes of the plain form. */
const LONG_PRESS_MS = 500; /* after which the finger looks and does not select */
const TOUCH_SLIP = 10;
const UPS = ["pointerup", "pointercancel"];

/* What is selected, as a text of 0 and 1 that can be compared and put back. */
const read = (boxes) => boxes.map((box) => (box.checked ? "1" : "0")).join("");

/* hooks: changed(), zoom(index). */
export function selection(main, hooks) {
    const group = main.querySelector(".grid");
    const boxes = [...group.querySelectorAll("input")];
    const undone = [];
    const done = [];
    let now = read(boxes);
    let at = 0;
    let anchor = null; /* {at, before}: where Shift began and what was selected then */
    let shifted = false;
    let paint = null;
    let mouse = null; /* where it was moved to last; null once a key moved the focus */
    let clicker = ""; /* the kind of the pointer that pressed last */

    function show(text) {
        boxes.forEach((box, i) => (box.checked = text[i] === "1"));
    }

    /* Whatever changed the boxes since the last time becomes one step that can be undone. */
    function commit() {
        const text = read(boxes);
        if (text !== now) {
            done.push(now);
            undone.length = 0;
            now = text;
            hooks.changed();
        }
    }

    function step(from, to) {
        if (from.length) {
            anchor = null;
            to.push(now);
            now = from.pop();
            show(now);
            hooks.changed();
        }
    }

    function setAll(rule) {
        anchor = null;
        boxes.forEach((box) => (box.checked = rule(box.checked)));
        commit();
    }

    /* --- keys --- */

    function stand(i) {
        boxes[at].tabIndex = -1;
        at = i;
        boxes[at].tabIndex = 0;
    }

    function focus(i = at) {
        stand(Math.max(0, Math.min(boxes.length - 1, i)));
        boxes[at].focus();
    }

    /* As the browser laid them out. */
    function columns() {
        const top = boxes[0].parentElement.offsetTop;
        const n = boxes.findIndex((box) => box.parentElement.offsetTop !== top);
        return n < 0 ? boxes.length : n;
    }

    function rows() {
        return Math.max(1, Math.floor(window.innerHeight / boxes[0].offsetHeight) - 1);
    }

    /* Where a key leads; undefined for others. */
    function target({ key, ctrlKey }) {
        const n = columns();
        const row = at - (at % n);
        const last = boxes.length - 1;
        const page = n * rows();
        return {
            ArrowLeft: at - 1,
            ArrowRight: at + 1,
            ArrowUp: at < n ? at : at - n,
            ArrowDown: at + n > last ? at : at + n,
            Home: ctrlKey ? 0 : row,
            End: ctrlKey ? last : row + n - 1,
            PageUp: Math.max(at % n, at - page),
            PageDown: Math.min(last - ((last - at) % n), at + page),
        }[key];
    }

    function extend(to) {
        const from = Math.min(anchor.at, to);
        const until = Math.max(anchor.at, to);
        boxes.forEach(
            (box, i) => (box.checked = anchor.before[i] === "1" || (i >= from && i <= until)),
        );
        commit();
    }

    function onKey(event) {
        if (!boxes.includes(event.target) || event.altKey || event.metaKey) {
            return;
        }
        if (event.key === "Enter" && !event.ctrlKey) {
            event.preventDefault(); /* would submit the form */
            boxes[at].checked = !boxes[at].checked;
            commit();
            return;
        }
        const to = target(event);
        if (to === undefined) {
            return;
        }
        event.preventDefault();
        mouse = null;
        anchor = event.shiftKey ? (anchor ?? { at, before: now }) : null;
        focus(to);
        if (anchor) {
            extend(at);
        }
    }

    /* By a key, or by the mouse that presses it. */
    function onFocus({ target: box }) {
        stand(boxes.indexOf(box));
        if (!box.matches(":active")) {
            mouse = null;
        }
    }

    /* --- mouse and touch --- */

    const indexAt = (x, y) =>
        boxes.indexOf(document.elementFromPoint(x, y)?.closest(".cell")?.firstElementChild);

    /* The same from where the cells lie: the large photo covers them. */
    const beneath = (x, y) =>
        boxes.findIndex((box) => {
            const { left, right, top, bottom } = box.getBoundingClientRect();
            return x >= left && x < right && y >= top && y < bottom;
        });

    /* Which photo is meant: the one under the mouse, or the one that a key went to last. */
    function aim() {
        const under = mouse ? indexAt(mouse.x, mouse.y) : -1;
        return under < 0 ? at : under;
    }

    /* The browser says it moved when only the page did. */
    function onMouse({ pointerType, clientX: x, clientY: y, movementX, movementY }) {
        if (pointerType === "mouse" && (movementX || movementY)) {
            mouse = { x, y };
        }
    }

    /* The click that ends a stroke or a long press is none of its own; it comes before anything else is pressed. */
    function swallowClick() {
        const over = new AbortController();
        const options = { capture: true, signal: over.signal };
        const swallow = (event) => {
            event.preventDefault();
            event.stopPropagation();
            over.abort();
        };
        window.addEventListener("click", swallow, options);
        window.addEventListener("pointerdown", () => over.abort(), options);
        setTimeout(() => over.abort(), 50);
    }

    /* Every cell on the way from the last point: a fast mouse jumps over some. */
    function stroke(x, y) {
        const steps = Math.ceil(Math.hypot(x - paint.x, y - paint.y) / 16) || 1;
        for (let k = 1; k <= steps; k++) {
            const i = indexAt(paint.x + ((x - paint.x) * k) / steps,
                paint.y + ((y - paint.y) * k) / steps);
            if (i >= 0 && (paint.on || i !== paint.from)) {
                paint.on = true;
                boxes[paint.from].checked = paint.value;
                boxes[i].checked = paint.value;
            }
        }
        paint.x = x;
        paint.y = y;
    }

    function onDown(event) {
        const from = boxes.indexOf(event.target);
        clicker = event.pointerType;
        if (paint?.touch && !paint.on) {
            clearTimeout(paint.timer); /* two fingers zoom the page */
        }
        if (from < 0 || event.button !== 0 || event.shiftKey || paint) {
            return;
        }
        const { clientX: x, clientY: y } = event;
        paint = { from, x, y, value: !boxes[from].checked, on: false };
        paint.touch = event.pointerType === "touch";
        if (paint.touch) {
            paint.timer = setTimeout(() => {
                paint.on = true;
                paint.seen = from;
                hooks.zoom(from);
            }, LONG_PRESS_MS);
        }
        window.addEventListener("pointermove", onMove);
        for (const name of UPS) {
            window.addEventListener(name, onUp);
        }
    }

    function onMove(event) {
        if (paint.touch && paint.on) {
            const i = beneath(event.clientX, event.clientY);
            if (i >= 0 && i !== paint.seen) {
                paint.seen = i;
                hooks.zoom(i);
            }
        } else if (paint.touch) {
            if (Math.hypot(event.clientX - paint.x, event.clientY - paint.y) > TOUCH_SLIP) {
                clearTimeout(paint.timer);
            }
        } else {
            stroke(event.clientX, event.clientY);
        }
    }

    /* Wherever the button is let go. */
    function onUp() {
        window.removeEventListener("pointermove", onMove);
        for (const name of UPS) {
            window.removeEventListener(name, onUp);
        }
        clearTimeout(paint.timer);
        if (paint.on) {
            swallowClick();
            commit();
        }
        paint = null;
    }

    /* Its two clicks took back what they did; that is nothing to undo. */
    function onDouble(event) {
        const i = boxes.indexOf(event.target);
        if (i < 0 || clicker === "touch" || event.shiftKey) {
            return;
        }
        if (done.at(-2) === now) {
            done.length -= 2;
            hooks.changed();
        }
        hooks.zoom(i);
    }

    /* A finger that looks does not scroll. */
    function onTouchMove(event) {
        if (paint?.touch && paint.on && event.cancelable) {
            event.preventDefault();
        }
    }

    function onChange(event) {
        const i = boxes.indexOf(event.target);
        if (shifted && anchor) {
            extend(i);
        } else {
            commit();
            anchor = { at: i, before: now };
        }
    }

    const picked = () => boxes.flatMap((box, i) => (box.checked ? [i] : []));

    boxes.forEach((box) => (box.tabIndex = -1));
    stand(0);
    group.addEventListener("keydown", onKey);
    group.addEventListener("focusin", onFocus);
    group.addEventListener("pointerdown", onDown);
    group.addEventListener("pointermove", onMouse);
    group.addEventListener("pointerleave", () => (mouse = null));
    group.addEventListener("touchmove", onTouchMove, { passive: false });
    group.addEventListener("dblclick", onDouble);
    group.addEventListener("contextmenu", (event) => paint?.touch && event.preventDefault());
    group.addEventListener("click", (event) => (shifted = event.shiftKey));
    group.addEventListener("change", onChange);

    return {
        boxes,
        focus,
        columns,
        aim,
        start: () => boxes[0].focus({ preventScroll: true }),
        picked,
        answer: () => ({ selected: picked() }),
        toggle(i) {
            boxes[i].checked = !boxes[i].checked;
            commit();
        },
        /* Puts a draft back; nothing to undo. */
        restore(text) {
            if (text.length === boxes.length) {
                show(text);
                now = text;
            }
        },
        text: () => now,
        undo: () => step(done, undone),
        redo: () => step(undone, done),
        canUndo: () => done.length > 0,
        all: () => setAll(() => true),
        none: () => setAll(() => false),
        invert: () => setAll((checked) => !checked),
    };
}
