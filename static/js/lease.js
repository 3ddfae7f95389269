/* lease.js - how long the grid is reserved, counted down from two minutes before the end. After it
 * the worker goes on in peace: the answer is still kept and paid. */
import { post } from "./server.js";
import { announce, say } from "./say.js";

const WARN_MS = 120000;

function clock(ms) {
    const s = Math.max(0, Math.ceil(ms / 1000));
    return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
}

/* `now` is the server's clock. extend() reserves the grid for its full time again. */
export function lease({ main, assignment, now }) {
    const text = main.querySelector("[data-lease-text]");
    const button = main.querySelector('[data-do="extend"]');
    let until = Number(main.dataset.lease);
    let said = "";

    function announceOnce(key) {
        if (said !== key) {
            said = key;
            announce(say(key));
        }
    }

    function show() {
        const left = until - now();
        button.hidden = left > WARN_MS || left <= 0;
        if (left > WARN_MS) {
            text.textContent = said = "";
        } else if (left > 0) {
            text.textContent = say("lease", { time: clock(left) });
            announceOnce("lease_soon");
        } else {
            text.textContent = say("lease_over");
            announceOnce("lease_over");
        }
    }

    const timer = setInterval(show, 1000);
    show();
    return {
        end: () => clearInterval(timer),
        async extend() {
            const reply = await post(`/api/v1/assignments/${assignment}/extend`);
            if (reply.ok) {
                until = reply.body.lease_until;
                show();
            }
            return reply;
        },
    };
}
