/* cards.js - cards of images that people decide about: the final review (review.js), the class browser (decide.js) and
 * picking (picks.js). Moves the focus from card to card, marks them one by one or as a range, and writes what is said
 * of them into the fields of the plain form, which is all that is sent. Cards may be replaced at any time (live.js), so
 * they are looked up again for each key. A page says:
 *   root, card, handle        where the cards are; selectors of a card and of what has its focus
 *   isMarked(card), mark(card, on)
 *   counted(n)                called when marks changed: so many are marked
 *   send(stay)                called for Ctrl+Enter; stay: with Shift
 * and, where more can be said of an image than that it is marked:
 *   fields(card)              {reason, note, set}: its fields, null for what cannot be said of it
 *   said(cards)               called when fields of these were changed here
 *   keys                      what other keys do: {z: run}
 *   stand(card)               called before a card gets the focus */

/* The card below or above, as the browser laid them out. */
function vertical(cards, card, down) {
    const from = card.getBoundingClientRect();
    const rows = cards
        .map((other) => ({ other, box: other.getBoundingClientRect() }))
        .filter(({ box }) => (down ? box.top > from.bottom - 1 : box.bottom < from.top + 1));
    const edge = down ? Math.min(...rows.map(({ box }) => box.top)) : Math.max(...rows.map(({ box }) => box.top));
    const row = rows.filter(({ box }) => Math.abs(box.top - edge) < 2);
    row.sort((a, b) => Math.abs(a.box.left - from.left) - Math.abs(b.box.left - from.left));
    return row[0]?.other;
}

/* What the set of some images is called: as one of them has it, else the first number that none of all has. */
export function setName(theirs, all) {
    let n = 1;
    while (all.includes(String(n))) {
        n++;
    }
    return theirs.find(Boolean) ?? String(n);
}

export function cards({ root, card: selector, handle, isMarked, fields = () => ({}), stand = () => {}, ...page }) {
    const all = () => [...root.querySelectorAll(selector)];
    const cardOf = (element) => element?.closest?.(selector) ?? null;
    const marked = () => all().filter(isMarked);
    const textOf = (card) => fields(card).set?.value.trim() ?? "";
    let last = null; /* marked, or in focus: a range begins there */

    function mark(list, on) {
        list.forEach((card) => page.mark(card, on));
        page.counted(marked().length);
    }

    /* From where the last one was marked, or the focus moved to, up to this one. */
    function range(card) {
        const list = all();
        const to = list.indexOf(card);
        const from = list.includes(last) ? list.indexOf(last) : to;
        return list.slice(Math.min(from, to), Math.max(from, to) + 1);
    }

    /* One is clicked; with Shift, all up to it. */
    function press(card, shift, on = !isMarked(card)) {
        mark(shift ? range(card) : [card], on);
        last = card;
    }

    /* What a key is about: the marked images, or else the one in focus. */
    function chosen() {
        const list = marked();
        const here = cardOf(document.activeElement);
        return list.length > 0 ? list : here ? [here] : [];
    }

    function setReason(list, index) {
        const able = list.filter((card) => index < (fields(card).reason?.options.length ?? 0));
        able.forEach((card) => (fields(card).reason.selectedIndex = index));
        page.said(able);
        return able;
    }

    function setTexts(list, text) {
        list.forEach((card) => (fields(card).set.value = text));
        mark(list, false);
        page.said(list);
    }

    /* One that is of a set already brings the others into it; otherwise the set gets the next number. */
    function group() {
        const list = marked().filter((card) => fields(card).set);
        if (list.length > 1) {
            setTexts(list, setName(list.map(textOf), all().map(textOf)));
        }
    }

    const apart = () => setTexts(chosen().filter((card) => fields(card).set), "");

    /* "Other" says nothing without a note. */
    function reject(index) {
        const list = setReason(chosen(), index);
        mark(list, false);
        const [first, ...more] = list.map(fields);
        if (first?.reason.value === "other" && more.length === 0) {
            first.note.focus();
        }
    }

    function focus(card) {
        stand(card);
        card.querySelector(handle).focus();
    }

    function target(card, key) {
        const list = all();
        const at = list.indexOf(card);
        return {
            ArrowLeft: () => list[at - 1],
            ArrowRight: () => list[at + 1],
            ArrowUp: () => vertical(list, card, false),
            ArrowDown: () => vertical(list, card, true),
            Home: () => list[0],
            End: () => list.at(-1),
        }[key]?.();
    }

    function move(to, shift) {
        focus(to);
        if (shift) {
            mark(range(to), last !== null && isMarked(last));
        } else {
            last = to;
        }
    }

    /* What a key does in a card that has the focus. A check box is ticked, and a link followed, by the browser. */
    function inCard({ key, shiftKey, target: element }) {
        const card = element.matches?.(handle) ? cardOf(element) : null;
        const to = card && target(card, key);
        const presses = (key === " " && element.type !== "checkbox") || (key === "Enter" && !element.matches?.("a, input"));
        return to ? () => move(to, shiftKey) : card && presses ? () => press(card, false) : null;
    }

    const letters = { g: group, u: apart, ...page.keys };

    /* A key was pressed; `single`: digits and letters mean something here. */
    function onKey(event, single) {
        const typing = event.target.matches?.("input:not([type=checkbox]), select, textarea");
        const sends = event.key === "Enter" && event.ctrlKey;
        const key = event.key.toLowerCase();
        const said = /^\d$/.test(key) ? () => reject(Number(key)) : letters[key];
        const plain = !(event.ctrlKey || event.altKey || event.metaKey || typing);
        const run = sends ? () => page.send(event.shiftKey) : plain ? inCard(event) ?? (single && said) : null;
        if (run) {
            event.preventDefault();
            run();
        }
    }

    return { all, apart, cardOf, chosen, fields, focus, group, isMarked, marked, onKey, press, said: page.said, setReason, textOf };
}
