/* toast.js - the note that says what was done (layout/notice): it can be closed, keeps out of the pointer's way, is read
 * out to who cannot see it, and is undone by a key. */
let region = null;

/* A live region must be there before its text is. */
function liveRegion() {
    if (!region) {
        region = document.createElement("div");
        region.className = "visually-hidden";
        region.setAttribute("aria-live", "polite");
        document.body.append(region);
    }
    return region;
}

/* A screen reader does not read out again what the region already says. */
function announce(text) {
    const at = liveRegion();
    setTimeout(() => {
        at.textContent = at.textContent === text ? `${text}\u00a0` : text;
    }, 100);
}

function closeButton(toast, label) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button quiet";
    button.textContent = label;
    button.addEventListener("click", () => toast.remove());
    return button;
}

/* Undo is far from where the focus is, so Ctrl+Z presses it from anywhere; in a field that is the browser's own. */
function undoByKey(toast, undo) {
    const hint = document.createElement("kbd");
    hint.textContent = "Ctrl+Z";
    hint.setAttribute("aria-hidden", "true");
    undo.setAttribute("aria-keyshortcuts", "Control+Z");
    undo.append(" ", hint);
    document.addEventListener("keydown", (event) => {
        const pressed = event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && !event.repeat;
        const typing = event.target.matches?.("input:not([type=checkbox], [type=radio]), textarea, dialog *");
        if (pressed && !typing && toast.isConnected) {
            event.preventDefault();
            undo.click();
        }
    });
}

/* Gives a toast of the page its button, and puts it where the pointer is not. */
export function dress(toast, { close = "Dismiss", pointer = null } = {}) {
    toast.append(closeButton(toast, close));
    const box = toast.getBoundingClientRect();
    const under = pointer && pointer.x >= box.left - 8 && pointer.y >= box.top - 8;
    toast.classList.toggle("aside", Boolean(under));
    toast.addEventListener("keydown", (event) => {
        if (event.key === "Escape") {
            toast.remove();
        }
    });
    const said = toast.querySelector("p").textContent;
    const undo = toast.querySelector("form .button");
    if (undo) {
        undoByKey(toast, undo);
    }
    announce(undo ? `${said.replace(/\.$/, "")}. Control Z undoes it.` : said);
}
