/* timing.js - how long a grid was worked on: from the moment it can be seen (all its photos decoded,
 * or the first thing done with it, whichever is first) to submit, without the time its tab was
 * hidden. Goes on after a reload from what the draft kept. */
export function stopwatch({ ms = 0, hidden = 0 } = {}) {
    let since = null; /* visible since; null: not running */
    let away = null; /* hidden since */
    let begun = false;

    function pause() {
        if (since !== null) {
            ms += performance.now() - since;
            since = null;
            away = performance.now();
        }
    }

    function goOn() {
        if (begun && since === null) {
            hidden += away === null ? 0 : performance.now() - away;
            away = null;
            since = performance.now();
        }
    }

    const onVisibility = () => (document.hidden ? pause() : goOn());

    return {
        begin() {
            if (!begun) {
                begun = true;
                document.addEventListener("visibilitychange", onVisibility);
                onVisibility();
            }
        },
        end() {
            pause();
            document.removeEventListener("visibilitychange", onVisibility);
        },
        times: () => ({
            ms: Math.round(ms + (since === null ? 0 : performance.now() - since)),
            hidden: Math.round(hidden + (away === null ? 0 : performance.now() - away)),
        }),
    };
}

/* The time from now until the form is sent, on top of what its field active_ms has, is that field's. */
export function timeForm(form) {
    const field = form.elements.active_ms;
    const watch = stopwatch({ ms: Number(field.value) || 0 });
    watch.begin();
    form.addEventListener("submit", () => {
        field.value = String(Math.max(1, watch.times().ms));
    });
}

/* What the grid was looked at with; sizes in CSS pixels, `cell` that of a photo's place. */
export function device(picked) {
    const cell = picked.boxes[0].parentElement;
    return {
        cell: [cell.offsetWidth, cell.offsetHeight],
        columns: picked.columns(),
        pointer: matchMedia("(pointer: coarse)").matches ? "coarse" : "fine",
        window: [innerWidth, innerHeight],
        screen: [screen.width, screen.height],
        dpr: devicePixelRatio,
    };
}
