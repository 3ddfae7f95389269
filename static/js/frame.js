/* frame.js - waiting for what was changed to be seen. */
const LATE_MS = 300; /* a hidden page has no frames */

const turn = () => new Promise((resolve) => requestAnimationFrame(resolve));
const late = () => new Promise((resolve) => setTimeout(resolve, LATE_MS));

/* Resolves once what the page looks like now is on the display, or nearly: a browser begins the frame
 * after this one when this one is drawn. */
export function painted() {
    return Promise.race([turn().then(turn), late()]);
}
