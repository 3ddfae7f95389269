/* stage.js - one photo that is enlarged and moved in its place: wheel and drag, two fingers, keys. Knows nothing of
 * labels. */
const MOST = 8;
const FACTOR = 1.5;
const PAN = 60;

export function stage(main) {
    const view = main.querySelector("[data-stage]");
    const img = view.querySelector("img");
    const fingers = new Map();
    let scale = 1;
    let x = 0; /* of the photo's corner, in the place's pixels */
    let y = 0;

    const bounded = (value, size) => Math.min(0, Math.max(size * (1 - scale), value));

    function show() {
        x = bounded(x, view.clientWidth);
        y = bounded(y, view.clientHeight);
        img.style.transform = scale === 1 ? "" : `translate(${x}px, ${y}px) scale(${scale})`;
        view.classList.toggle("zoomed", scale > 1);
    }

    /* What is at (px, py) of the place stays there. */
    function scaleTo(to, px = view.clientWidth / 2, py = view.clientHeight / 2) {
        const next = Math.min(MOST, Math.max(1, to));
        x = px - ((px - x) * next) / scale;
        y = py - ((py - y) * next) / scale;
        scale = next;
        show();
    }

    const within = ({ clientX, clientY }) => {
        const { left, top } = view.getBoundingClientRect();
        return [clientX - left, clientY - top];
    };

    function onWheel(event) {
        event.preventDefault();
        scaleTo(scale * (event.deltaY < 0 ? FACTOR : 1 / FACTOR), ...within(event));
    }

    function onDown(event) {
        fingers.set(event.pointerId, within(event));
        if (scale > 1 || fingers.size > 1) {
            view.setPointerCapture(event.pointerId);
        }
    }

    const apart = ([[ax, ay], [bx, by]]) => Math.hypot(ax - bx, ay - by) || 1;

    function onMove(event) {
        const was = fingers.get(event.pointerId);
        if (!was) {
            return;
        }
        const before = [...fingers.values()];
        const is = within(event);
        fingers.set(event.pointerId, is);
        if (fingers.size === 2) {
            const after = [...fingers.values()];
            const middle = [0, 1].map((k) => (after[0][k] + after[1][k]) / 2);
            scaleTo((scale * apart(after)) / apart(before), ...middle);
        } else if (scale > 1) {
            x += is[0] - was[0];
            y += is[1] - was[1];
            show();
        }
    }

    const onUp = (event) => fingers.delete(event.pointerId);
    const toggle = (event) => scaleTo(scale > 1 ? 1 : 2.5, ...(event ? within(event) : []));

    main.querySelector("[data-stage-tools]").hidden = false;
    main.querySelector("[data-stage-link]").hidden = true; /* for who has no script */
    view.addEventListener("wheel", onWheel, { passive: false });
    view.addEventListener("pointerdown", onDown);
    view.addEventListener("pointermove", onMove);
    view.addEventListener("pointerup", onUp);
    view.addEventListener("pointercancel", onUp);
    view.addEventListener("dblclick", toggle);
    view.addEventListener("touchmove", (event) => event.touches.length > 1 && event.cancelable && event.preventDefault(),
        { passive: false });
    img.draggable = false;

    return {
        zoom: (by) => scaleTo(scale * FACTOR ** by),
        pan(dx, dy) {
            x += dx * PAN;
            y += dy * PAN;
            show();
        },
        fit: () => scaleTo(1),
        toggle: () => toggle(),
    };
}
