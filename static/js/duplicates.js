/* duplicates.js - the duplicate review by keys: one neighbour at a time beside the candidate, compared side by side,
 * blinking or by their difference, which a neighbour without a picture has not. All that is sent are the radio buttons of the plain form. */
const form = document.querySelector("[data-duplicates]");

function review() {
    const stage = form.querySelector("[data-stage]");
    const status = form.querySelector("[data-status]");
    const neighbors = [...form.querySelectorAll("[data-neighbor]")];
    const radiosOf = (neighbor) => [...neighbor.querySelectorAll("input[type=radio]")];
    const hasPicture = (neighbor) => neighbor.querySelector("[data-no-picture]") === null;
    const isJudged = (neighbor) => radiosOf(neighbor).some((radio) => radio.checked);
    let at = 0;
    let wanted = "side";

    function tell() {
        const left = neighbors.filter((n) => !isJudged(n)).length;
        status.textContent = left === 0 ? "All judged: Enter saves" : `${left} of ${neighbors.length} to judge`;
    }

    function show(index, focus = true) {
        at = Math.max(0, Math.min(index, neighbors.length - 1));
        neighbors.forEach((neighbor, k) => (neighbor.hidden = k !== at));
        if (focus) {
            const radios = radiosOf(neighbors[at]);
            (radios.find((radio) => radio.checked) ?? radios[0]).focus();
        }
        compare();
        tell();
    }

    /* Compares as wanted; what has no picture can only stand beside. */
    function compare() {
        const name = hasPicture(neighbors[at]) ? wanted : "side";
        stage.dataset.view = name;
        form.querySelectorAll(".duplicate-over").forEach((over) => (over.hidden = name === "side"));
        form.querySelectorAll("[data-view-of]").forEach((b) => {
            b.setAttribute("aria-pressed", String(b.dataset.viewOf === name));
            b.disabled = b.dataset.viewOf !== "side" && !hasPicture(neighbors[at]);
        });
    }

    function view(name) {
        if (!hasPicture(neighbors[at])) {
            return;
        }
        if (name === "blink" && wanted === "blink") {
            stage.toggleAttribute("data-under");
        }
        wanted = name;
        compare();
    }

    /* The next one that is not judged yet; when all are, the button that saves. */
    function judge(value) {
        radiosOf(neighbors[at]).find((radio) => radio.value === value).checked = true;
        const next = [...neighbors.keys()].map((k) => (at + 1 + k) % neighbors.length).find((k) => !isJudged(neighbors[k]));
        if (next === undefined) {
            tell();
            form.querySelector(".button.primary").focus();
        } else {
            show(next);
        }
    }

    function rest() {
        for (const neighbor of neighbors.filter((n) => !isJudged(n))) {
            radiosOf(neighbor).find((radio) => radio.value === "not").checked = true;
        }
        tell();
        form.querySelector(".button.primary").focus();
    }

    const keys = {
        1: () => judge("duplicate"),
        2: () => judge("not"),
        3: () => judge("unsure"),
        a: rest,
        b: () => view("blink"),
        s: () => view("side"),
        d: () => view("difference"),
        arrowleft: () => show(at - 1),
        arrowright: () => show(at + 1),
        enter: () => form.requestSubmit(),
    };

    document.addEventListener("keydown", (event) => {
        const typing = event.target.matches?.("input:not([type=radio]), select, textarea");
        const pressed = event.key === "Enter" && event.target.matches?.("a, button");
        const run = keys[event.key.toLowerCase()];
        if (run && !typing && !pressed && !event.ctrlKey && !event.altKey && !event.metaKey) {
            event.preventDefault();
            run();
        }
    });
    form.addEventListener("change", tell);
    form.querySelectorAll("[data-view-of]").forEach((b) => b.addEventListener("click", () => view(b.dataset.viewOf)));
    form.querySelector("[data-rest]").addEventListener("click", rest);
    form.querySelectorAll("[data-views], [data-rest]").forEach((element) => (element.hidden = false));
    /* A form that came back has its verdicts: the first one without. */
    const first = neighbors.findIndex((n) => !isJudged(n));
    show(first < 0 ? 0 : first);
}

if (form) {
    review();
}
