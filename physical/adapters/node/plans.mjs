// Plans as pipelines of a library of incremental operators: map, filter, concat, distinct, join and reduce are its own.
import { aggregated } from './aggregates.mjs';
import { Unsupported } from './protocol.mjs';
import { evaluate, fromText, textOf } from './values.mjs';

export const OPERATORS = [
  ...['Source', 'TimeWindow', 'Filter', 'Map', 'Distinct', 'Aggregation', 'Grouping', 'Union', 'Difference'],
  ...['Intersection', 'Product', 'Join', 'LeftJoin', 'RightJoin', 'FullJoin', 'Semijoin', 'Antijoin'],
];
const KINDS = { LeftJoin: 'left', RightJoin: 'right', FullJoin: 'full', Antijoin: 'anti' };
const NONE = null;

/** The pipeline of a plan; `source(node, window)` gives the rows of a source, and `always` one NONE that never goes. */
export function pipeline(lib, node, source, always) {
  const of = (part) => pipeline(lib, part, source, always);
  const [left, right] = node.inputs ?? [];
  switch (node.operator) {
    case 'Source':
      return source(node, null);
    case 'TimeWindow':
      if (left.operator !== 'Source') throw new Unsupported('windows over anything but a source');
      return source(left, node);
    case 'Filter':
      return of(left).pipe(lib.filter((row) => evaluate(node.predicate, row) === true));
    case 'Map':
      return of(left).pipe(lib.map((row) => node.expressions.map((expression) => evaluate(expression, row))));
    case 'Distinct':
      return distinctRows(lib, of(left));
    case 'Aggregation':
      return total(lib, node, of(left), always);
    case 'Grouping':
      return grouped(lib, node, of(left), (row) => textOf(node.keys.map((key) => row[key])));
    case 'Union':
      return of(left).pipe(lib.concat(of(right)));
    case 'Difference':
      return combined(lib, of(left), of(right), (l, r) => l - r);
    case 'Intersection':
      return combined(lib, of(left), of(right), Math.min);
    default:
      return joined(lib, node, of(left), of(right));
  }
}

const keyed = (lib, key) => lib.map((row) => [key(row), row]);

/** Consolidated: a library may hand over a row several times. */
function counts(values) {
  const found = new Map();
  for (const [value, n] of values) found.set(textOf([value]), (found.get(textOf([value])) ?? 0) + n);
  return [...found].filter(([, n]) => n !== 0).map(([text, n]) => [fromText(text)[0], n]);
}

/** Outcomes are texts, which a library compares by value. */
function reduced(lib, stream, fold) {
  return stream.pipe(
    lib.reduce((values) => fold(counts(values)).map(([row, n]) => [textOf(row), n])),
    lib.map(([key, text]) => [key, fromText(text)]),
  );
}

/** Rows as texts, since not every library tells large integers apart. */
function distinctRows(lib, stream) {
  const texts = stream.pipe(lib.map((row) => [textOf(row), textOf(row)]));
  return texts.pipe(lib.distinct(), lib.map(([, text]) => fromText(text)));
}

function grouped(lib, node, stream, key) {
  const fold = (rows) => (rows.length ? [[node.aggregates.map((a) => aggregated(a, rows)), 1]] : []);
  return reduced(lib, stream.pipe(keyed(lib, key)), fold).pipe(lib.map(([text, row]) => [...fromText(text), ...row]));
}

function total(lib, node, stream, always) {
  if (!node.on_empty) return grouped(lib, node, stream, () => textOf([]));
  const present = (rows) => rows.filter(([row]) => row !== NONE);
  const fold = (rows) => [[node.aggregates.map((a) => aggregated(a, present(rows))), 1]];
  const all = stream.pipe(lib.concat(always), keyed(lib, () => ''));
  return reduced(lib, all, fold).pipe(lib.map(([, row]) => row));
}

function combined(lib, left, right, count) {
  const sides = left.pipe(
    lib.map((row) => [textOf(row), 'l']),
    lib.concat(right.pipe(lib.map((row) => [textOf(row), 'r']))),
  );
  const fold = (values) => {
    const { l = 0, r = 0 } = Object.fromEntries(values);
    return count(l, r) > 0 ? [[[], count(l, r)]] : [];
  };
  return reduced(lib, sides, fold).pipe(lib.map(([text]) => fromText(text)));
}

function joined(lib, node, left, right) {
  const widths = node.inputs.map((input) => input.columns.length);
  const parts = node.operator === 'Product' ? [] : conjuncts(node.condition);
  const pairs = parts.map((part) => equality(part, widths[0]));
  const rest = parts.filter((_, i) => !pairs[i]);
  const semi = node.operator === 'Semijoin';
  if (rest.length && !['Join', 'Product'].includes(node.operator)) {
    throw new Unsupported(`${node.operator} on more than equal columns`);
  }
  const keys = (side) => (row) => keyOf(row, pairs.filter(Boolean).map((pair) => pair[side]), side);
  const lefts = left.pipe(keyed(lib, keys(0)));
  const rights = right.pipe(keyed(lib, keys(1)));
  if (semi) {
    const partners = rights.pipe(lib.map(([key]) => [key, key]), lib.distinct(), lib.map(([, key]) => [key, 0]));
    return lefts.pipe(lib.join(partners), lib.map(([, [row]]) => row));
  }
  const both = lefts.pipe(lib.join(rights, KINDS[node.operator] ?? 'inner'));
  if (node.operator === 'Antijoin') return both.pipe(lib.map(([, pair]) => pair[0]));
  const padded = (row, side) => row ?? Array(widths[side]).fill(null);
  return both.pipe(
    lib.map(([, [l, r]]) => [...padded(l, 0), ...padded(r, 1)]),
    lib.filter((row) => rest.every((part) => evaluate(part, row) === true)),
  );
}

const conjuncts = (node) => (node.op === 'and' ? node.args.flatMap(conjuncts) : [node]);

/** The columns on both sides that must be equal, if that is all that the condition says. */
function equality({ op, args }, width) {
  if (op !== '=' || args.some((arg) => arg.op !== 'column')) return null;
  const [first, second] = args.map((arg) => arg.index).sort((a, b) => a - b);
  return first < width && second >= width ? [first, second - width] : null;
}

/** Rows with NULL in a key have no partner: their keys say on which side they are. */
function keyOf(row, columns, side) {
  const values = columns.map((column) => row[column]);
  return textOf(values.includes(null) ? [`${side}`, ...row] : [values.length, ...values]);
}
