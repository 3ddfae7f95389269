/* labels.js - ticking the labels of one photo: digits tick, M and a digit choose the main object's, undo. Every way ends in
 * the boxes of the plain form. What select.js is to a grid, this is to a CLASSIFY task. */
import { announce, say } from "./say.js";
import { stage } from "./stage.js";
import { task } from "./task.js";

const TICKS_MOST = 12;

/* hooks: changed(), singleKeys(). */
task.labels = (main, hooks) => {
    const list = main.querySelector(".labels-list");
    const ticks = [...list.querySelectorAll('[name="label"]')];
    const mains = [...list.querySelectorAll('[name="main"]')];
    const none = list.querySelector('[name="none"]');
    const photo = main.querySelector("[data-photo]");
    const view = stage(main);
    const done = [];
    const undone = [];
    let mainNext = false; /* M was pressed: the next digit is the main object's */

    const tickedOnes = () => ticks.flatMap((box, i) => (box.checked ? [i] : []));
    const mainOne = () => mains.findIndex((box) => box.checked);

    /* "0100 1": which are ticked (the last: none of these), and the main one, -1 for none. */
    function read() {
        const boxes = none ? [...ticks, none] : ticks;
        return `${boxes.map((box) => (box.checked ? "1" : "0")).join("")} ${mainOne()}`;
    }

    let now = read();

    function put(text) {
        const [boxes, at] = text.split(" ");
        ticks.forEach((box, i) => (box.checked = boxes[i] === "1"));
        mains.forEach((box, i) => (box.checked = i === Number(at)));
        if (none) {
            none.checked = boxes[ticks.length] === "1";
        }
    }

    /* "2 objects · main object: car". */
    function sum() {
        const on = tickedOnes();
        const at = mainOne();
        const label = at < 0 ? "" : ticks[at].parentElement.querySelector(".label-name").textContent;
        const n = on.length;
        const text = !n ? "" : at < 0 ? say("labels_choose", { n }) : say(n === 1 ? "labels_sum_one" : "labels_sum_other", { n, label });
        return text;
    }

    let said = "";

    function showSum() {
        const text = sum();
        if (said !== text) {
            said = text;
            announce(text);
        }
    }

    function commit() {
        const text = read();
        if (text !== now) {
            done.push(now);
            undone.length = 0;
            now = text;
            showSum();
            hooks.changed();
        }
    }

    function step(from, to) {
        if (from.length) {
            to.push(now);
            now = from.pop();
            put(now);
            showSum();
            hooks.changed();
        }
    }

    /* One label alone is the main object's; which of several is, somebody has to say. */
    function settle(was) {
        const on = tickedOnes();
        if (on.length === 1) {
            mains[on[0]].checked = true;
        } else if (!on.includes(mainOne()) || was === 1) {
            mains.forEach((box) => (box.checked = false));
        }
        if (on.length && none) {
            none.checked = false;
        }
        commit();
    }

    const tickedBefore = () => [...now.slice(0, ticks.length)].filter((one) => one === "1").length;

    function tick(i) {
        ticks[i].checked = !ticks[i].checked;
        ticks[i].focus({ preventScroll: false });
        settle(tickedBefore());
    }

    function chooseMain(i) {
        ticks[i].checked = true;
        mains[i].checked = true;
        if (none) {
            none.checked = false;
        }
        commit();
    }

    function sayNone() {
        none.checked = !none.checked;
        if (none.checked) {
            [...ticks, ...mains].forEach((box) => (box.checked = false));
        }
        commit();
    }

    function onChange({ target }) {
        if (target.name === "label") {
            settle(tickedBefore());
        } else if (target.name === "main") {
            chooseMain(mains.indexOf(target));
        } else if (target.name === "none") {
            none.checked = !none.checked; /* sayNone turns it */
            sayNone();
        }
    }

    const rowOf = (element) => [...list.children].indexOf(element?.closest(".label-row"));

    function move(by) {
        const boxes = none ? [...ticks, none] : ticks;
        const at = ticks[0].closest("fieldset").contains(document.activeElement)
            ? boxes.indexOf(document.activeElement.closest(".label-row").querySelector("input"))
            : by > 0 ? -1 : boxes.length;
        boxes[Math.max(0, Math.min(boxes.length - 1, at + by))].focus();
    }

    function onDigit(digit) {
        const i = digit - 1;
        if (digit === 0 && none && !mainNext) {
            sayNone();
        } else if (ticks[i]) {
            (mainNext ? chooseMain : tick)(i);
        }
        mainNext = false;
    }

    function showExamples() {
        const row = document.activeElement?.closest?.(".label-row") ?? list.children[0];
        const part = row.querySelector("details");
        if (part) {
            part.open = !part.open;
        }
    }

    /* A key that the page did not take; true when it did something here. */
    function onKey({ key, code, shiftKey, target }) {
        const arrows = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [1, 0], ArrowRight: [-1, 0] }[key];
        if (arrows && shiftKey) {
            view.pan(...arrows);
            return true;
        }
        if ((key === "ArrowDown" || key === "ArrowUp") && target.type !== "radio") {
            move(key === "ArrowDown" ? 1 : -1);
            return true;
        }
        if (!hooks.singleKeys()) {
            return false;
        }
        const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1] ?? (/^\d$/.test(key) ? key : null);
        if (digit !== null) {
            onDigit(Number(digit));
            return true;
        }
        const doIt = {
            m() {
                const row = rowOf(document.activeElement);
                if (mainNext && ticks[row]) {
                    chooseMain(row); /* M twice: of the label in focus */
                }
                mainNext = !mainNext;
                if (mainNext) {
                    announce(say("labels_main_next"));
                }
            },
            e: showExamples,
            "+": () => view.zoom(1),
            "-": () => view.zoom(-1),
        }[key.toLowerCase()];
        doIt?.();
        return Boolean(doIt);
    }

    list.addEventListener("change", onChange);
    showSum();

    return {
        boxes: [photo], /* the photos that can be reported */
        focus: () => ticks[0].focus({ preventScroll: true }),
        start: () => ticks[0].focus({ preventScroll: true }),
        columns: () => 1,
        aim: () => 0,
        picked: tickedOnes,
        sum,
        answer: () => (mainOne() < 0 ? { selected: tickedOnes() } : { selected: tickedOnes(), main: mainOne() }),
        /* What keeps the answer from being one, as the page says it; null for nothing. */
        missing() {
            const n = tickedOnes().length;
            return n > TICKS_MOST ? say("labels_most", { n: TICKS_MOST })
                : n ? (mainOne() < 0 ? say("labels_no_main") : null)
                : none?.checked ? null : say("labels_nothing");
        },
        toggle: tick,
        onKey,
        restore(text) {
            if (text.length >= ticks.length) {
                put(text);
                now = read();
                showSum();
            }
        },
        text: () => now,
        undo: () => step(done, undone),
        redo: () => step(undone, done),
        canUndo: () => done.length > 0,
        larger: () => view.zoom(1),
        smaller: () => view.zoom(-1),
        fit: () => view.fit(),
        toggleZoom: () => view.toggle(),
    };
};
