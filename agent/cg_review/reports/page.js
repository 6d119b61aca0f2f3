"use strict";
const boxes = [...document.querySelectorAll("input[data-severity], input[data-point]")];
const cards = [...document.querySelectorAll(".card")];
const marks = [...document.querySelectorAll("mark")];

function chosen(kind) {
  return new Set(boxes.filter((box) => box.dataset[kind] && box.checked).map((box) => box.dataset[kind]));
}

// A finding is shown when its severity and at least one of its points are chosen.
function filter() {
  const severities = chosen("severity");
  const points = chosen("point");
  const shown = new Set();
  for (const card of cards) {
    const wanted = severities.has(card.dataset.severity) && card.dataset.points.split(" ").some((p) => points.has(p));
    card.classList.toggle("off-card", !wanted);
    if (wanted) shown.add(card.id);
  }
  for (const mark of marks) mark.classList.toggle("off", !mark.dataset.cards.split(" ").some((id) => shown.has(id)));
  document.querySelector("#shown").textContent = `${shown.size} of ${cards.length} findings shown`;
}

function show(element) {
  for (const one of document.querySelectorAll(".here")) one.classList.remove("here");
  element.classList.add("here");
  element.scrollIntoView({ block: "center" });
}

for (const box of boxes) box.addEventListener("change", filter);
for (const mark of marks) {
  mark.addEventListener("click", () => {
    const ids = mark.dataset.cards.split(" ");
    const card = ids.map((id) => document.getElementById(id)).find((one) => !one.classList.contains("off-card"));
    if (card) show(card);
  });
}
for (const link of document.querySelectorAll("a[data-mark]")) {
  link.addEventListener("click", (event) => {
    const mark = marks.find((one) => one.dataset.cards.split(" ").includes(link.dataset.mark));
    event.preventDefault();
    if (mark) show(mark);
  });
}
document.querySelector("#to-across").hidden = !document.querySelector("#across");
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((one) => (one.open = true)));
filter();
