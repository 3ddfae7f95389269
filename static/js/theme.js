/* theme.js - the switch between the system's theme, light and dark. The choice is kept in this
 * browser; without this script pages follow the system. Loaded by every page. */
const KEY = "holdout-theme";
/* A page in another language says them on its switch: data-system, data-light, data-dark. */
const NAMES = { system: "System", light: "Light", dark: "Dark" };
const ORDER = Object.keys(NAMES);

/* Storage may be forbidden; then the choice lasts as long as the page. */
function stored() {
    try {
        const value = localStorage.getItem(KEY);
        return ORDER.includes(value) ? value : "system";
    } catch {
        return "system";
    }
}

function store(value) {
    try {
        localStorage.setItem(KEY, value);
    } catch {
        /* nothing to do: see above */
    }
}

function apply(value) {
    if (value === "system") {
        delete document.documentElement.dataset.theme;
    } else {
        document.documentElement.dataset.theme = value;
    }
    for (const button of document.querySelectorAll("[data-theme-switch]")) {
        button.hidden = false;
        button.querySelector("[data-theme-name]").textContent =
            button.dataset[value] ?? NAMES[value];
    }
}

let current = stored();
apply(current);

document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || !event.target.closest("[data-theme-switch]")) {
        return;
    }
    current = ORDER[(ORDER.indexOf(current) + 1) % ORDER.length];
    store(current);
    apply(current);
});

/* Another tab of ours switched. */
window.addEventListener("storage", (event) => {
    if (event.key === KEY) {
        current = stored();
        apply(current);
    }
});
