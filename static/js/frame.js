/* frame.js - waiting for what was changed to be seen. */
const DRAW_MS = 60; /* in which a frame is drawn, which needs all there is of the machine */
const LATE_MS = 300; /* a hidden page has no frames */

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/* Resolves once what the page looks like now is on the display, or nearly. A second frame would tell,
 * but the browser would make it while it draws the first. */
export async function painted() {
    await Promise.race([frame(), wait(LATE_MS)]);
    await wait(DRAW_MS);
}
