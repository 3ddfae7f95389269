/* cards.js - going through cards of images with the keys, and the names of near-duplicate sets. Used by the final
 * review (review.js) and the class browser (decide.js). */

/* The card below or above, as the browser laid them out. */
export function vertical(cards, card, down) {
    const from = card.getBoundingClientRect();
    const rows = cards
        .map((other) => ({ other, box: other.getBoundingClientRect() }))
        .filter(({ box }) => (down ? box.top > from.bottom - 1 : box.bottom < from.top + 1));
    const edge = down ? Math.min(...rows.map(({ box }) => box.top)) : Math.max(...rows.map(({ box }) => box.top));
    const row = rows.filter(({ box }) => Math.abs(box.top - edge) < 2);
    row.sort((a, b) => Math.abs(a.box.left - from.left) - Math.abs(b.box.left - from.left));
    return row[0]?.other;
}

/* What the set of some images is called: as one of them has it, else the first number that none of all has. */
export function setName(theirs, all) {
    let n = 1;
    while (all.includes(String(n))) {
        n++;
    }
    return theirs.find(Boolean) ?? String(n);
}
