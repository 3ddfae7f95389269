/* classes.js - choosing a class (templates/layout/class_picker): searches while one types and opens levels of the tree in place.
 * Every way ends in the radio buttons of the plain form; the fieldset says class-chosen with the entry, `settled` unless arrow keys only
 * went by it. */
const PAUSE_MS = 120;

async function ask(url, params) {
    try {
        const reply = await fetch(`${url}?${new URLSearchParams(params)}`);
        return reply.ok ? await reply.json() : null;
    } catch {
        return null;
    }
}

const countText = (entry) => `${entry.classes.toLocaleString("en")} ${entry.classes === 1 ? "class" : "classes"} ›`;

function enhance(box) {
    const part = (name) => box.querySelector(`[data-${name}]`);
    const [query, found, none, rows, path, chosen] = ["query", "found", "none", "rows", "path", "chosen"].map(part);
    const entries = new Map(); /* by wnid: those that were fetched */
    let newest = 0;
    let passing = false; /* arrow keys choose every class on their way */

    function line(entry) {
        const li = part("entry").content.firstElementChild.cloneNode(true);
        const label = li.querySelector("label");
        const button = li.querySelector("button");
        entries.set(entry.wnid, entry);
        label.querySelector("input").value = entry.wnid;
        label.querySelector("strong").textContent = entry.name;
        label.querySelector(".muted").textContent = entry.gloss;
        button.value = entry.wnid;
        button.textContent = entry.is_class ? countText(entry) : `${entry.name} · ${countText(entry)}`;
        if (entry.is_class && entry.opens) {
            button.setAttribute("aria-label", `Below ${entry.name}: ${countText(entry)}`);
        }
        if (!entry.is_class) {
            label.remove();
        }
        if (!entry.opens) {
            button.remove();
        }
        return li;
    }

    async function search() {
        const text = query.value.trim();
        const turn = ++newest;
        const reply = text ? await ask(box.dataset.choose, { q: text }) : { items: [] };
        if (turn === newest && reply) {
            found.replaceChildren(...reply.items.map(line));
            none.textContent = text && reply.items.length === 0 ? `No class fits “${text}”.` : "";
        }
    }

    async function open(wnid, focus = true) {
        const reply = await ask(box.dataset.choose, { under: wnid });
        if (reply) {
            const steps = reply.path.map((entry) => {
                const step = part("step").content.cloneNode(true);
                step.querySelector("button").value = entry.wnid;
                step.querySelector("button").textContent = entry.name;
                return step;
            });
            path.replaceChildren(path.querySelector("[data-top]"), ...steps);
            rows.replaceChildren(...reply.items.map(line));
            if (focus) {
                (rows.querySelector("input, button") ?? path.querySelector("button")).focus();
            }
        }
        return reply;
    }

    function choose(radio) {
        const label = radio.closest("label");
        const text = (part) => label.querySelector(part).textContent;
        const entry = entries.get(radio.value) ?? { wnid: radio.value, name: text("strong"), gloss: text(".muted") };
        if (!chosen.contains(radio)) {
            const copy = label.cloneNode(true);
            copy.querySelector("span").prepend("Your choice: ");
            chosen.replaceChildren(copy);
            copy.querySelector("input").checked = true;
        }
        box.dispatchEvent(new CustomEvent("class-chosen", { bubbles: true, detail: { ...entry, settled: !passing } }));
    }

    let timer = 0;
    query.addEventListener("input", () => {
        clearTimeout(timer);
        timer = setTimeout(search, PAUSE_MS);
    });
    query.addEventListener("keydown", async (event) => {
        if (event.key === "Enter" || event.key === "ArrowDown") {
            event.preventDefault();
            clearTimeout(timer);
            if (event.key === "Enter" || found.children.length === 0) {
                await search();
            }
            const first = found.querySelector("input");
            first?.focus();
            if (event.key === "Enter" && first) {
                first.checked = true;
                choose(first);
            }
        }
    });
    box.addEventListener("keydown", (event) => (passing = event.key.startsWith("Arrow")), true);
    box.addEventListener("pointerdown", () => (passing = false));
    box.addEventListener("click", (event) => {
        const button = event.target.closest("button[name=class_under], [data-top]");
        if (button?.dataset.top !== undefined) {
            event.preventDefault();
            open("");
        } else if (button) {
            event.preventDefault();
            open(button.value);
        } else if (event.target.closest("[data-find]")) {
            event.preventDefault();
            search();
        }
    });
    box.addEventListener("change", (event) => {
        if (event.target.matches("input[type=radio]")) {
            choose(event.target);
        }
    });
    part("tree").addEventListener("toggle", (event) => {
        if (event.target.open && rows.children.length === 0) {
            open("", false);
        }
    });
}

document.querySelectorAll("[data-choose]").forEach(enhance);
