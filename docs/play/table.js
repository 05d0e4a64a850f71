// The same events as tables, for those who would rather type.
import { element } from "./elements.js";
import { endOf, startOf, valuesOf } from "./state.js";
import { readTime, showTime } from "./times.js";
import { readValue, showValue } from "./values.js";

let shown = "";

/** Show a table for each stream; `on` has change(stream, index, event), add(stream) and remove(stream, index). */
export function showTables(place, streams, on) {
  const wanted = JSON.stringify(streams);
  if (wanted === shown) return; // somebody may be typing
  shown = wanted;
  const focused = document.activeElement?.dataset?.cell;
  place.replaceChildren(...streams.map((stream) => tableOf(stream, on)));
  if (focused) place.querySelector(`[data-cell="${CSS.escape(focused)}"]`)?.focus();
}

function tableOf(stream, on) {
  const heads = ["at", "until", ...stream.columns.map(([name]) => name), ""];
  return element("div", { class: "scroll" },
    element("h3", {}, stream.name),
    element("table", { "aria-label": `Events of ${stream.name}` },
      element("thead", {}, element("tr", {}, ...heads.map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, ...stream.events.map((event, index) => rowOf(stream, event, index, on)))),
    element("button", { type: "button", class: "small", "data-cell": `${stream.name}/add`, onclick: () => on.add(stream) }, `Add an event to ${stream.name}`));
}

function rowOf(stream, event, index, on) {
  const values = valuesOf(event);
  const cells = [timeCell(stream, event, index, on), endCell(stream, event, index, on)];
  stream.columns.forEach(([name, type], i) => {
    const changed = (text) => on.change(stream, index, [...values.with(i, readValue(text, type)), ...event.slice(-2)]);
    cells.push(cell(stream, index, name, showValue(values[i]), type === "str" ? "" : "number", changed));
  });
  const label = `Remove event ${index + 1} of ${stream.name}`;
  const remove = element("button", { type: "button", class: "small", "aria-label": label, title: label, onclick: () => on.remove(stream, index) }, "×");
  return element("tr", {}, ...cells, element("td", {}, remove));
}

function timeCell(stream, event, index, on) {
  const changed = (text) => {
    const start = readTime(text, stream.clock);
    const length = endOf(event) - startOf(event);
    if (start === null) return on.change(stream, index, event);
    on.change(stream, index, [...valuesOf(event), start, length === Infinity ? null : start + length]);
  };
  return cell(stream, index, "at", showTime(startOf(event), stream.clock), stream.clock ? "time" : "number", changed);
}

/** Empty for an event that holds for one instant. */
function endCell(stream, event, index, on) {
  const changed = (text) => {
    const start = startOf(event);
    const end = text.trim() === "∞" ? null : text.trim() === "" ? start + 1 : readTime(text, stream.clock);
    const valid = end === null ? text.trim() === "∞" : end > start;
    on.change(stream, index, valid ? [...valuesOf(event), start, end] : event);
  };
  const shown = endOf(event) === startOf(event) + 1 ? "" : showTime(endOf(event), stream.clock);
  return cell(stream, index, "until", shown, stream.clock ? "time" : "number", changed);
}

/** Once the keyboard is in the next cell: tables are made anew. */
function later(what) {
  setTimeout(what);
}

function cell(stream, index, name, value, kind, changed) {
  const label = `${name} of event ${index + 1} of ${stream.name}`;
  const key = `${stream.name}/${index}/${name}`;
  return element("td", {}, element("input", { value, class: kind, "aria-label": label, "data-cell": key, onchange: ({ target }) => later(() => changed(target.value)) }));
}
