/* tree.js - opens groups of the tree of classes in place; without it they are links to their pages. */
async function below(url, wnid) {
    try {
        const reply = await fetch(`${url}?${new URLSearchParams({ under: wnid })}`);
        return reply.ok ? (await reply.json()).items : null;
    } catch {
        return null;
    }
}

function text(tag, className, words) {
    const element = document.createElement(tag);
    element.className = className;
    element.textContent = words;
    return element;
}

function entry(item) {
    const li = document.createElement("li");
    const link = document.createElement("a");
    link.href = item.url;
    link.textContent = item.name;
    li.append(link);
    if (item.opens) {
        li.dataset.opens = item.wnid;
        li.append(" ", text("span", "muted", `${item.classes.toLocaleString("en")} ${item.classes === 1 ? "class" : "classes"}`));
    }
    if (item.gloss) {
        li.append(" ", text("span", "muted tree-gloss", item.gloss));
    }
    return li;
}

function enhance(tree) {
    function button(li) {
        const toggle = text("button", "button quiet tree-toggle", "");
        toggle.type = "button";
        toggle.setAttribute("aria-expanded", "false");
        toggle.setAttribute("aria-label", `What is below ${li.querySelector("a").textContent}`);
        li.prepend(toggle);
        toggle.addEventListener("click", async () => {
            const open = toggle.getAttribute("aria-expanded") === "true";
            let list = li.querySelector(":scope > ul");
            if (!list) {
                const items = await below(tree.dataset.tree, li.dataset.opens);
                if (!items) {
                    location.assign(li.querySelector("a").href);
                    return;
                }
                list = text("ul", "tree", "");
                list.append(...items.map(entry));
                li.append(list);
                list.querySelectorAll("[data-opens]").forEach(button);
            }
            list.hidden = open;
            toggle.setAttribute("aria-expanded", String(!open));
        });
    }
    tree.querySelectorAll("[data-opens]").forEach(button);
}

document.querySelectorAll("[data-tree]").forEach(enhance);
