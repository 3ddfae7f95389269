/* server.js - asking the server. No reply at all is status 0, like a reply that is not ours (a
 * hotel's sign-in page): both are worth another try. */
const PATIENCE_MS = 20000;
const LATER = [408, 425, 429];

/* {status, ok, again: worth another try, after: ms to wait at least, body} */
export async function post(url, data = {}) {
    try {
        const reply = await fetch(url, {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify(data),
            keepalive: true,
            signal: AbortSignal.timeout(PATIENCE_MS),
        });
        const { status } = reply;
        const body = status === 204 ? {} : await reply.json();
        return {
            status,
            ok: reply.ok,
            again: status >= 500 || LATER.includes(status),
            after: 1000 * (Number(reply.headers.get("Retry-After")) || 0),
            body,
        };
    } catch {
        return { status: 0, ok: false, again: true, after: 0, body: null };
    }
}

/* A page as a document; null when it led elsewhere or did not come. */
export async function getPage(url) {
    try {
        const signal = AbortSignal.timeout(PATIENCE_MS);
        const reply = await fetch(url, { cache: "no-store", signal });
        const text = await reply.text();
        const here = reply.ok && !reply.redirected;
        return here ? new DOMParser().parseFromString(text, "text/html") : null;
    } catch {
        return null;
    }
}

/* Waits, growing from try to try; a connection that comes back ends it at once. */
export function patience(least, most) {
    let pause = least;
    let wake = () => {};
    window.addEventListener("online", () => wake());
    return {
        reset() {
            pause = least;
        },
        wake: () => wake(),
        async wait(atLeast = 0) {
            const ms = Math.max(atLeast, pause * (0.75 + Math.random() / 2));
            pause = Math.min(2 * pause, most);
            await new Promise((resolve) => {
                const timer = setTimeout(resolve, ms);
                wake = () => {
                    clearTimeout(timer);
                    resolve();
                };
            });
        },
    };
}
