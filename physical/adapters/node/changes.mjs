// Streams as changes: a row comes when its interval begins and goes when it ends; and results as changes, too.
import { fromText, readRow, textOf, writtenRow } from './values.mjs';

/** The changes [instant, row, ±1] of a source before the horizon, seen through a window, if there is one. */
export function* changesOf({ columns, rows }, window, horizon) {
  for (const line of rows) {
    const [start, end] = line.slice(columns.length).map((time) => (time === null ? Infinity : Number(time)));
    const row = readRow(line, columns);
    for (const [from, to] of window ? seen(start, Math.min(end, horizon), window) : [[start, end]]) {
      if (from >= to || from >= horizon) continue;
      yield [from, row, 1];
      if (to < horizon) yield [to, row, -1];
    }
  }
}

/** ω: what happens at t is seen from the first multiple of the slide that is not before t, for so long. */
function* seen(start, end, { size, slide }) {
  const width = size === null ? Infinity : Number(size);
  const upTo = (time) => Math.ceil(time / Number(slide)) * Number(slide);
  for (let t = start; t < end; t++) yield [upTo(t), upTo(t + width)];
}

/** Collects what changes at each instant, and writes it as rows of the kind `retract`. */
export class Changes {
  counts = new Map();

  add(row, n) {
    const text = textOf(row);
    this.counts.set(text, (this.counts.get(text) ?? 0) + n);
  }

  *written(instant) {
    const all = [...this.counts].map(([text, n]) => [writtenRow(fromText(text)), n]);
    for (const [row, n] of all) for (let i = n; i < 0; i++) yield ['-', ...row, instant];
    for (const [row, n] of all) for (let i = 0; i < n; i++) yield ['+', ...row, instant];
    this.counts.clear();
  }
}
