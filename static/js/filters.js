/* filters.js - a list changes as soon as a filter does: the page is fetched with the form's values, and what shows
 * the list (data-live, or data-shown) takes its new content; form, focus and scrolling stay. Text fields wait until
 * they are left or Enter is pressed. Without this script the form's button does it.
 *
 * Of a range of frequencies and the bins, whichever was touched last counts: the other is put back to "all" so that
 * nobody wonders why a list is empty. Without this script both count. */
const PARTS = "[data-shown][id], [data-live][id]";
const forms = document.querySelectorAll("form[data-filters]");
let newest = 0; /* of several requests the last one is shown */

function oneOfBoth(form, touched) {
    const bins = [...form.querySelectorAll('input[name="bin"]')];
    const [least, most] = ["least", "most"].map((name) => form.elements.namedItem(name));
    if (bins.includes(touched) && touched.checked) {
        least.value = "0";
        most.value = "1";
    } else if (touched === least || touched === most) {
        bins.forEach((box) => (box.checked = false));
    }
}

function addressOf(form) {
    const address = new URL(form.action);
    for (const [name, value] of new FormData(form)) {
        if (value !== "") {
            address.searchParams.append(name, value);
        }
    }
    return address;
}

/* live.js goes on with the address that the part has now. */
function take(part, fresh) {
    for (const name of Object.keys(part.dataset)) {
        delete part.dataset[name];
    }
    Object.assign(part.dataset, fresh.dataset);
    part.replaceChildren(...fresh.childNodes);
    part.dispatchEvent(new CustomEvent("live:changed", { bubbles: true }));
}

async function show(address) {
    const mine = ++newest;
    const reply = await fetch(address, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    if (mine !== newest) {
        return;
    }
    /* A search that led elsewhere, or a refusal, is a page of its own; who has not saved yet is asked (decide.js). */
    if (!reply.ok || reply.redirected || document.querySelector("[data-unsaved]")) {
        location.assign(address);
        return;
    }
    for (const part of document.querySelectorAll(PARTS)) {
        const fresh = page.getElementById(part.id);
        if (fresh && !fresh.isEqualNode(part)) {
            take(part, document.adoptNode(fresh));
        }
    }
    history.replaceState(history.state, "", address);
}

for (const form of forms) {
    form.addEventListener("change", (event) => {
        oneOfBoth(form, event.target);
        if (form.checkValidity()) {
            const address = addressOf(form);
            show(address).catch(() => location.assign(address));
        }
    });
}
