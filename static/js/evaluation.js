/* evaluation.js - one image of an evaluation by keys: digits choose among the classes, Enter confirms, / goes to the search.
 * All that is sent are the fields of the plain form; the time is that during which the page was not hidden. */
const form = document.querySelector("[data-evaluation]");

function evaluate() {
    const radios = [...form.querySelectorAll("input[type=radio]")];
    const query = form.querySelector("[data-query]");
    const save = form.querySelector("button[value=save]");
    let shownAt = performance.now();
    let active = Number(form.elements.active_ms.value) || 0;

    document.addEventListener("visibilitychange", () => {
        if (document.hidden) {
            active += performance.now() - shownAt;
        } else {
            shownAt = performance.now();
        }
    });
    form.addEventListener("submit", () => {
        form.elements.active_ms.value = String(Math.max(1, Math.round(active + (document.hidden ? 0 : performance.now() - shownAt))));
    });

    function choose(at) {
        if (radios[at]) {
            radios[at].checked = true;
            radios[at].focus();
        }
    }

    document.addEventListener("keydown", (event) => {
        const typing = event.target.matches?.("input:not([type=radio])");
        const pressed = event.key === "Enter" && event.target.matches?.("a, button, summary");
        if (event.ctrlKey || event.altKey || event.metaKey || typing || pressed) {
            return;
        }
        if (/^[0-9]$/.test(event.key)) {
            event.preventDefault();
            choose((Number(event.key) + 9) % 10);
        } else if (event.key === "Enter") {
            event.preventDefault();
            form.requestSubmit(save);
        } else if (event.key === "/" && query) {
            event.preventDefault();
            query.focus();
            query.select();
        }
    });
    if (!document.querySelector("main [role=alert]")) {
        (radios.find((radio) => radio.checked) ?? radios[0] ?? query)?.focus();
    }
}

if (form) {
    evaluate();
}
