// The plan of each query, and what every operator of it holds at one instant.
import { element } from "./elements.js";
import { showRow } from "./values.js";

/** Show the plans ([{title, operators}]) with their snapshots at an instant. */
export function showSnapshots(place, plans, instant) {
  place.replaceChildren(...plans.map((plan, i) => planOf(plan, i, instant)));
}

function planOf({ title, operators }, number, instant) {
  const layers = [];
  operators.forEach((operator, i) => (layers[heightOf(operators, i)] ??= []).push(i));
  const shown = layers.flatMap((layer, height) => [
    ...(height ? [element("div", { class: "flow", "aria-hidden": "true" }, "↓")] : []),
    element("div", { class: "layer" }, ...layer.map((i) => box(operators, i, instant))),
  ]);
  return element("div", { class: `plan plan-${number}` }, element("h3", {}, title), ...shown);
}

function heightOf(operators, i) {
  return Math.max(-1, ...operators[i].inputs.map((input) => heightOf(operators, input))) + 1;
}

function box(operators, i, instant) {
  const { label, reducible, runs } = operators[i];
  const kind = ["operator", reducible && "reducible", i === operators.length - 1 && "result"].filter(Boolean).join(" ");
  const rows = runs.filter(([, start, end]) => Number(start) <= instant && (end === null || instant < Number(end)));
  const items = rows.map(([row, , , copies]) => element("li", {}, showRow(row) + (copies > 1 ? ` × ${copies}` : "")));
  return element("div", { class: kind },
    element("code", {}, label),
    element("ul", {}, ...(items.length ? items : [element("li", { class: "none" }, "empty")])));
}
