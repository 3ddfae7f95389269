/* experts.js - label review by keys: one row has the focus, 1 to 5 say what it is and go on to the next. All that is sent
 * are the fields of the plain form. */
import { isPressed, isTyping } from "./keys.js";
import { timeForm } from "./timing.js";

const form = document.querySelector("[data-label-review]");

function review() {
    const rows = [...form.querySelectorAll("[data-row]")];
    const status = form.querySelector("[data-status]");
    const place = status.textContent;
    const save = form.querySelector(".button.primary");
    const adder = form.querySelector("[data-add]");
    const radiosOf = (row) => [...row.querySelectorAll("input[type=radio]")];
    const isOpen = (row) => radiosOf(row).every((radio) => !radio.checked || radio.value === "unreviewed");

    function watchSearch(part) {
        part.querySelectorAll("[data-search]").forEach((link) =>
            link.addEventListener("click", () => (form.querySelector("[data-searched]").checked = true)),
        );
    }

    function tell() {
        const open = rows.filter(isOpen).length;
        status.textContent = `${place.trim()} · ${open === 0 ? "all labels reviewed: Enter saves" : `${open} of ${rows.length} labels open`}`;
    }

    const current = () => rows.findIndex((row) => row.contains(document.activeElement));

    function focus(at, options) {
        const row = rows[Math.max(0, Math.min(at, rows.length - 1))];
        const radios = row ? radiosOf(row) : [];
        (radios.find((radio) => radio.checked) ?? radios[0])?.focus(options);
    }

    function say(key) {
        const at = Math.max(0, current());
        const radio = rows[at] && radiosOf(rows[at])[key - 1];
        if (!radio) {
            return;
        }
        radio.checked = true;
        tell();
        const next = [...rows.keys()].map((k) => (at + 1 + k) % rows.length).find((k) => isOpen(rows[k]));
        if (next === undefined) {
            radio.focus();
        } else {
            focus(next);
        }
    }

    function rest() {
        for (const row of rows.filter(isOpen)) {
            radiosOf(row).find((radio) => radio.value === "wrong").checked = true;
        }
        tell();
        save?.focus();
    }

    /* A class as one more row, called correct; one that is a row already is only gone to. */
    function add(entry) {
        let at = rows.findIndex((row) => radiosOf(row)[0].name === `say-${entry.wnid}`);
        if (at < 0) {
            const row = form.querySelector("[data-new-row]").content.firstElementChild.cloneNode(true);
            row.querySelectorAll("[data-name]").forEach((part) => (part.textContent = entry.name));
            row.querySelector("[data-about]").textContent = [entry.synset, entry.gloss].filter(Boolean).join(" · ");
            row.querySelector("[name=added]").value = entry.wnid;
            row.querySelector("a[href^='/guide/']").href = `/guide/${entry.wnid}`;
            radiosOf(row).forEach((radio) => (radio.name = `say-${entry.wnid}`));
            radiosOf(row)[0].checked = true;
            row.querySelector("[data-search]").href += encodeURIComponent(entry.name);
            watchSearch(row);
            adder.before(row);
            at = rows.push(row) - 1;
        }
        adder.querySelectorAll("[name=add]").forEach((radio) => (radio.checked = false));
        adder.querySelector("[data-chosen]").replaceChildren(`Added: ${entry.name}`);
        adder.open = false;
        tell();
        focus(at);
    }

    function adding() {
        const query = adder.querySelector("[data-query]");
        let chosen = null;
        adder.addEventListener("class-chosen", (event) => {
            chosen = event.detail;
            if (chosen.settled) {
                add(chosen);
            }
        });

        /* What is chosen now, also by a form that came back; null: nothing. */
        function picked() {
            const radio = adder.querySelector("[name=add]:checked");
            const text = (part) => radio.closest("label").querySelector(part).textContent;
            const same = radio && chosen?.wnid === radio.value;
            return same ? chosen : radio && { wnid: radio.value, name: text("strong"), gloss: text(".muted") };
        }

        adder.addEventListener("keydown", (event) => {
            const radio = event.target.matches("[name=add]") ? event.target : null;
            if (event.key === "Escape") {
                adder.open = false;
                focus(0);
            } else if (event.key === "Enter" && radio) {
                event.preventDefault();
                radio.checked ? add(picked()) : radio.click();
            }
        });
        adder.querySelector("[value=add]").addEventListener("click", (event) => {
            event.preventDefault();
            const entry = picked();
            entry ? add(entry) : query.focus();
        });
    }

    function searchClass() {
        adder.open = true;
        const query = adder.querySelector("[data-query]");
        query.focus();
        query.select();
    }

    const keys = {
        "/": searchClass,
        1: () => say(1),
        2: () => say(2),
        3: () => say(3),
        4: () => say(4),
        5: () => say(5),
        w: rest,
        s: () => form.querySelector("[data-assigned]").click(),
        p: () => form.querySelector("[data-problematic]").focus(),
        u: () => document.querySelector("[data-undo] button")?.click(),
        arrowup: () => focus(current() - 1),
        arrowdown: () => focus(current() + 1),
        enter: () => save && form.requestSubmit(save),
    };

    document.addEventListener("keydown", (event) => {
        const pressed = event.key === "Enter" && isPressed(event.target);
        const run = keys[event.key.toLowerCase()];
        const choosing = adder.contains(event.target); /* arrows and Enter choose a class there */
        if (run && !choosing && !isTyping(event.target) && !pressed && !event.ctrlKey && !event.altKey && !event.metaKey) {
            event.preventDefault();
            run();
        }
    });
    form.addEventListener("change", tell);
    timeForm(form);
    watchSearch(form);
    adding();
    const all = form.querySelector("[data-rest]");
    all.hidden = false;
    all.addEventListener("click", rest);
    /* The next image is there, decoded, when its page is. */
    if (form.dataset.ahead) {
        const next = new Image();
        next.src = form.dataset.ahead;
        next.decode().catch(() => {});
    }
    const first = rows.findIndex(isOpen);
    if (!document.querySelector("main [role=alert]")) {
        focus(first < 0 ? 0 : first, { preventScroll: true }); /* the image is looked at first */
    }
    tell();
}

if (form) {
    review();
}
