// Results over time: one line for each row, one bar for each interval; the last lines and instants are shown.

import { element, shortened } from "./graph.js";

const LABEL = 210, LINE = 22, WIDTH = 900, TICKS = 8, MOST_ROWS = 24, MOST_BARS = 600;

export function drawTimeline(holder, columns, results) {
  holder.replaceChildren();
  if (!results.length) {
    const nothing = document.createElement("p");
    nothing.className = "hint";
    nothing.textContent = "No results yet: they appear here when they are final.";
    holder.append(nothing);
    return;
  }
  const lanes = lanesOf(results.slice(-MOST_BARS));
  const shown = [...lanes].slice(-MOST_ROWS);
  const bars = shown.flatMap(([, found]) => found);
  const first = Math.min(...bars.map(bar => bar.start));
  const last = Math.max(...bars.map(bar => bar.end ?? bar.start + 1));
  const scale = time => LABEL + (time - first) / Math.max(last - first, 1) * WIDTH;
  const height = LINE * (shown.length + 1) + 8;
  const svg = element("svg", { width: LABEL + WIDTH + 20, height, role: "img", "aria-label": "Results over time" });
  svg.append(element("text", { x: 4, y: 14, class: "small" }, shortened(columns.join(", "), 34)));
  for (const tick of ticks(first, last)) {
    svg.append(element("line", { class: "grid", x1: scale(tick), x2: scale(tick), y1: 20, y2: height }));
    svg.append(element("text", { x: scale(tick) + 3, y: 14, class: "small" }, String(tick)));
  }
  shown.forEach(([row, found], i) => {
    const y = LINE * (i + 1) + 4;
    const label = element("text", { x: 4, y: y + 13 }, shortened(row, 32));
    label.append(element("title", {}, row));
    svg.append(label);
    for (const bar of found) svg.append(barOf(row, bar, scale, last, y));
  });
  holder.append(svg);
}

function lanesOf(results) {
  const lanes = new Map();
  for (const values of results) {
    const row = values.slice(0, -2).map(value => value === null ? "NULL" : String(value)).join(", ");
    const found = lanes.get(row) ?? [];
    lanes.delete(row); // a row that changes goes to the end: the last lines are shown
    found.push({ start: values.at(-2), end: values.at(-1) });
    lanes.set(row, found);
  }
  return lanes;
}

function barOf(row, bar, scale, last, y) {
  const end = bar.end ?? last;
  const drawn = element("rect", {
    class: bar.end === null ? "bar open" : "bar", x: scale(bar.start), y, rx: 2, height: LINE - 6,
    width: Math.max(scale(end) - scale(bar.start) - 1, 1.5),
  });
  drawn.append(element("title", {}, `${row} from ${bar.start} to ${bar.end ?? "∞"}`));
  return drawn;
}

function ticks(first, last) {
  const step = Math.max(Math.ceil((last - first) / TICKS), 1);
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, i) => first + i * step);
}
