/* kept.js - small things that this browser keeps at once, in localStorage: drafts, switches, and
 * answers for the moment until the queue has them. Where storage is forbidden nothing is kept. */
const PREFIX = "holdout-";

export function keep(name, value) {
    try {
        localStorage.setItem(PREFIX + name, JSON.stringify(value));
    } catch {
        /* forbidden or full: see above */
    }
}

export function kept(name) {
    try {
        return JSON.parse(localStorage.getItem(PREFIX + name));
    } catch {
        return null;
    }
}

export function forget(name) {
    try {
        localStorage.removeItem(PREFIX + name);
    } catch {
        /* see above */
    }
}

/* The names that begin with `start`. */
export function keptNames(start) {
    try {
        return Object.keys(localStorage)
            .filter((key) => key.startsWith(PREFIX + start))
            .map((key) => key.slice(PREFIX.length));
    } catch {
        return [];
    }
}
