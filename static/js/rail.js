/* rail.js - where the rail scrolls (a narrow or a low window), it begins with the current entry in the
 * middle, between its neighbours. Runs before the first paint; without it the entry stops at the edge. */
const here = document.querySelector(".rail [aria-current]")?.parentElement;

function centre() {
    here.style.position = "static"; /* where it is in the row, not where it stopped */
    for (const box of [here.closest(".rail"), here.closest(".areas")]) { /* whichever of the two scrolls */
        const [outer, inner] = [box, here].map((e) => e.getBoundingClientRect());
        box.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
        box.scrollTop += inner.top + inner.height / 2 - outer.top - outer.height / 2;
    }
    here.style.position = "";
}

if (here) {
    centre();
    addEventListener("resize", centre); /* a phone that is turned */
}
