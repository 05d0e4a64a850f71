// The timeline: a lane of events for each stream, a lane of bars for each result, one axis, one cursor.
import { drawn } from "./elements.js";
import { endOf, startOf, valuesOf } from "./state.js";
import { evenStep, showTime } from "./times.js";
import { showRow } from "./values.js";

const LINE = 24, TITLE = 20, AXIS = 22, PAD = 10, CHARACTER = 7, LEAST = 5;

export class Timeline {
  /** `on` has what happens: add(stream, instant), move(stream, event, instant), remove(stream, event), look(instant). */
  constructor(place, on) {
    this.place = place;
    this.on = on;
    this.dragging = null;
    this.focused = null;
    new ResizeObserver(() => this.shown && this.show(this.shown)).observe(place);
  }

  /** Draw streams ({name, events, clock}), results ([{row, start, end, copies}]), the cursor, and what is wrong. */
  show(shown) {
    this.shown = shown;
    this.width = Math.max(this.place.clientWidth, 260);
    if (!this.dragging) this.range = rangeOf(shown);
    this.clock = shown.clock;
    this.step = evenStep((this.range.to - this.range.from) / (this.width / 8), this.clock);
    const parts = [];
    let y = AXIS;
    for (const stream of shown.streams) y = this.#stream(parts, stream, y);
    shown.results.forEach((result, i) => (y = this.#result(parts, result, i, y)));
    const height = y + PAD;
    this.svg = drawn("svg", { height, viewBox: `0 0 ${this.width} ${height}`, role: "group", "aria-label": "Timeline" });
    this.svg.append(...this.#wrong(height), ...this.#axis(height), ...parts, this.#cursor(height));
    this.svg.addEventListener("pointermove", (event) => this.dragging || this.on.look(this.#instantAt(event, 1)));
    this.place.replaceChildren(this.svg);
    this.#focusAgain();
  }

  /** Move the cursor, and nothing else. */
  look(instant) {
    this.shown.cursor = instant;
    const line = this.svg?.querySelector(".cursor");
    line?.setAttribute("x1", this.#x(instant));
    line?.setAttribute("x2", this.#x(instant));
  }

  #x(instant) {
    const { from, to } = this.range;
    return PAD + ((Math.min(instant, to) - from) / (to - from)) * (this.width - 2 * PAD);
  }

  #instantAt(event, step) {
    const { from, to } = this.range;
    const x = event.clientX - this.svg.getBoundingClientRect().left;
    const exact = from + ((x - PAD) / (this.width - 2 * PAD)) * (to - from);
    return Math.max(0, Math.floor(Math.min(Math.max(exact, from), to - 1) / step) * step);
  }

  #axis(height) {
    const { from, to } = this.range;
    const widest = showTime(to, this.clock).length * CHARACTER + 12;
    const step = evenStep(((to - from) * widest) / (this.width - 2 * PAD), this.clock);
    const ticks = [];
    for (let t = Math.ceil(from / step) * step; t <= to; t += step) {
      const x = this.#x(t);
      const anchor = x < PAD + 4 ? "start" : x > this.width - widest / 2 ? "end" : "middle";
      ticks.push(
        drawn("g", { class: "tick", "aria-hidden": "true" },
          drawn("line", { class: "grid", x1: x, x2: x, y1: AXIS - 6, y2: height }),
          drawn("text", { x, y: 12, "text-anchor": anchor }, showTime(t, this.clock))),
      );
    }
    return ticks;
  }

  #cursor(height) {
    const x = this.#x(this.shown.cursor);
    return drawn("line", { class: "cursor", x1: x, x2: x, y1: AXIS - 6, y2: height });
  }

  #wrong(height) {
    const { wrong } = this.shown;
    if (wrong === null || wrong < this.range.from || wrong >= this.range.to) return [];
    const x = this.#x(wrong);
    return [drawn("rect", { class: "wrong", x, y: AXIS - 6, width: Math.max(this.#x(wrong + 1) - x, 3), height })];
  }

  #stream(parts, stream, y) {
    parts.push(title(stream.name, y));
    const top = y + TITLE;
    const placed = stacked(stream.events.map((event, index) => ({ index, ...this.#box(event) })));
    const lines = Math.max(1, ...placed.map((one) => one.line + 1));
    const lane = drawn("rect", { class: "lane", x: 0, y: y, width: this.width, height: TITLE + lines * LINE });
    lane.addEventListener("click", (event) => this.on.add(stream, this.#instantAt(event, this.step)));
    parts.push(lane, ...placed.map((one) => this.#event(stream, one, top + one.line * LINE)));
    return top + lines * LINE + 4;
  }

  #box(event) {
    const label = showRow(valuesOf(event));
    const x = this.#x(startOf(event));
    const width = Math.max(this.#x(Math.min(endOf(event), this.range.to)) - x, LEAST);
    const text = this.#label(label, x, width);
    return { event, label, text, x, width, from: Math.min(x, text.from), until: Math.max(x + width, text.until) };
  }

  /** Where the text of a bar stands: in it, behind it or, at the right edge, before it. */
  #label(text, x, width) {
    const long = text.length * CHARACTER;
    if (long + 8 < width) return { x: x + 5, anchor: "start", from: x, until: x + width };
    if (x + width + 4 + long <= this.width) return { x: x + width + 4, anchor: "start", from: x, until: x + width + 4 + long };
    return { x: x - 4, anchor: "end", from: x - 4 - long, until: x + width };
  }

  #event(stream, { event, index, label, text, x, width }, y) {
    const when = showTime(startOf(event), this.clock);
    const key = `${stream.name}/${index}`;
    const group = drawn("g", { class: "event", tabindex: 0, role: "button", "data-key": key, "aria-label": `${stream.name} ${label} at ${when}` },
      drawn("rect", { x, y: y + 2, width, height: LINE - 6, rx: 3 }),
      drawn("text", { x: text.x, y: y + 15, "text-anchor": text.anchor }, label));
    group.addEventListener("pointerdown", (pointer) => this.#grab(pointer, stream, index));
    group.addEventListener("focus", () => (this.focused = key));
    group.addEventListener("keydown", (pressed) => this.#pressed(pressed, stream, index));
    return group;
  }

  #pressed(pressed, stream, index) {
    const start = startOf(stream.events[index]);
    const moves = { ArrowLeft: -this.step, ArrowRight: this.step };
    if (pressed.key in moves) this.on.move(stream, index, Math.max(0, start + moves[pressed.key]));
    else if (pressed.key === "Delete" || pressed.key === "Backspace") this.on.remove(stream, index);
    else return;
    pressed.preventDefault();
  }

  #grab(pointer, stream, index) {
    pointer.preventDefault();
    const offset = this.#instantAt(pointer, 1) - startOf(stream.events[index]);
    this.focused = `${stream.name}/${index}`;
    this.dragging = { stream, index };
    const move = (event) => {
      const wish = this.#instantAt(event, 1) - offset;
      this.on.move(stream, index, Math.max(0, Math.round(wish / this.step) * this.step));
    };
    const end = () => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
      this.dragging = null;
      this.show(this.shown);
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
  }

  /** Everything is drawn anew, so whoever had the keyboard gets it back. */
  #focusAgain() {
    if (this.focused && document.activeElement === document.body) {
      this.svg.querySelector(`[data-key="${CSS.escape(this.focused)}"]`)?.focus({ preventScroll: true });
    }
  }

  #result(parts, { title: name, runs }, number, y) {
    parts.push(title(name, y));
    const lines = linesOf(runs);
    const top = y + TITLE;
    [...lines.values()].forEach((line, i) => parts.push(this.#line(line, number, top + i * LINE)));
    if (lines.size === 0) parts.push(drawn("text", { x: PAD, y: top + 15, class: "title" }, "empty at every instant"));
    return top + Math.max(1, lines.size) * LINE + 4;
  }

  #line(runs, number, y) {
    const group = drawn("g", { class: `bar-${number}` });
    let free = -Infinity;
    for (const { label, start, end, copies } of runs) {
      const x = this.#x(start);
      const width = Math.max(this.#x(Math.min(end, this.range.to)) - x, LEAST);
      const said = `${label}${copies > 1 ? ` × ${copies}` : ""}`;
      const text = this.#label(said, x, width);
      group.append(drawn("rect", { x, y: y + 2, width, height: LINE - 6, rx: 3 },
        drawn("title", {}, `${said} from ${showTime(start, this.clock)} until ${showTime(end, this.clock)}`)));
      if (text.from < free) continue; // it would stand on the text before it; the tooltip has it
      free = text.until;
      group.append(drawn("text", { x: text.x, y: y + 15, "text-anchor": text.anchor }, said));
    }
    return group;
  }
}

function title(text, y) {
  return drawn("text", { class: "title", x: PAD, y: y + 14 }, text);
}

/** The bars of a result by their rows, in the order in which rows first appear. */
function linesOf(runs) {
  const lines = new Map();
  for (const [row, start, end, copies] of runs) {
    const label = showRow(row);
    if (!lines.has(label)) lines.set(label, []);
    lines.get(label).push({ label, start: Number(start), end: end === null ? Infinity : Number(end), copies });
  }
  return lines;
}

/** Boxes on as few lines as they need without covering one another; ties come on lines of their own. */
function stacked(boxes) {
  const free = [];
  return [...boxes].sort((a, b) => a.from - b.from).map((box) => {
    let line = free.findIndex((until) => until <= box.from);
    if (line < 0) line = free.length;
    free[line] = box.until + 6;
    return { ...box, line };
  });
}

/** From the first to the last instant at which something begins or ends. */
function rangeOf({ streams, results, wrong }) {
  const times = streams.flatMap(({ events }) => events.flatMap((event) => [startOf(event), endOf(event)]));
  times.push(...results.flatMap(({ runs, horizon }) => runs.flatMap(([, start, end]) => [Number(start), end === null ? horizon : Number(end)])));
  if (wrong !== null) times.push(wrong, wrong + 1);
  const finite = times.filter(Number.isFinite);
  const last = Math.max(...finite, 1), first = Math.min(...finite, last);
  const from = first < (last - first) * 2 ? 0 : Math.max(0, first - Math.ceil((last - first) / 20));
  return { from, to: Math.max(last + Math.max(1, Math.ceil((last - from) / 20)), from + 10) };
}
