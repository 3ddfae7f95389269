/* filters.js - the range of frequencies or the bins: whichever was touched last counts, the other is put back to
 * "all" so that nobody wonders why a list is empty. Without this script both count. */
for (const form of document.querySelectorAll("form[data-filters]")) {
    const bins = [...form.querySelectorAll('input[name="bin"]')];
    const least = form.elements.namedItem("least");
    const most = form.elements.namedItem("most");

    form.addEventListener("change", (event) => {
        if (bins.includes(event.target) && event.target.checked) {
            least.value = "0";
            most.value = "1";
        } else if (event.target === least || event.target === most) {
            bins.forEach((box) => (box.checked = false));
        }
    });
}
