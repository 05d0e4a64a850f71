// A small engine in JavaScript: `node small_engine.js`, which answers with a changelog of rows that come and go.
// A stream is a list of {row, start, end}; integers are BigInt, since a Number is exact only up to 2^53.
// With --bug, a row leaves a window one instant too late.
'use strict';
const BUG = process.argv.includes('--bug');
const COMPARISONS = {'=': c => c === 0, '<>': c => c !== 0, '<': c => c < 0, '<=': c => c <= 0, '>': c => c > 0, '>=': c => c >= 0};
const ARITHMETIC = {'+': (a, b) => a + b, '-': (a, b) => a - b, '*': (a, b) => a * b};
class Unsupported extends Error {}

const decoded = (value, type) =>
  value === null ? null : type === 'int' ? BigInt(value) : type === 'float' ? Number(value) : value;

const encoded = value => {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
};

const whole = value => {
  if (BigInt.asIntN(64, value) !== value) throw new RangeError('an integer leaves 64 bits');
  return value;
};

// NaN equals NaN and is greater than all other floats; texts are ordered by code point, as their UTF-8 is.
function compare(a, b) {
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

// The value of an expression; null is NULL, and unknown.
function valueOf(e, row) {
  if (e.op === 'column') return row[e.index];
  if (e.op === 'constant') return decoded(e.value, e.type);
  let values = e.args.map(arg => valueOf(arg, row));
  if (e.op === 'is null') return values[0] === null;
  if (e.op === 'and' || e.op === 'or') {
    const decisive = e.op === 'or';
    return values.includes(decisive) ? decisive : values.includes(null) ? null : !decisive;
  }
  if (values.includes(null)) return null;
  if (e.op === 'not') return !values[0];
  if (e.args.some(arg => arg.type === 'float')) values = values.map(Number);
  if (e.op in COMPARISONS) return COMPARISONS[e.op](compare(...values));
  const result = ARITHMETIC[e.op](...values);
  return e.type === 'int' ? whole(result) : result;
}

function aggregate(a, rows) {
  if (a.function === 'count rows') return BigInt(rows.length);
  const values = rows.map(row => valueOf(a.argument, row)).filter(value => value !== null);
  if (a.function === 'count') return BigInt(values.length);
  if (a.function === 'sum' && a.type === 'float') throw new Unsupported('SUM of floats, which must be exact');
  if (values.length === 0) return null;
  if (a.function === 'sum') return whole(values.reduce((x, y) => x + y));
  return values.reduce((x, y) => ((compare(x, y) <= 0) === (a.function === 'min') ? x : y));
}

const keyOf = row => JSON.stringify(row.map(value => [typeof value, String(value)]));

// A row for each group, between each two moments at which something of it comes or goes.
function grouped(elements, keys, aggregates) {
  const groups = new Map(), found = [];
  for (const element of elements) {
    const key = keys.map(k => element.row[k]);
    if (!groups.has(keyOf(key))) groups.set(keyOf(key), {key, members: []});
    groups.get(keyOf(key)).members.push(element);
  }
  for (const {key, members} of groups.values()) {
    const moments = [...new Set(members.flatMap(m => [m.start, m.end]))].sort(compare);
    for (let i = 0; i + 1 < moments.length; i++) {
      const rows = members.filter(m => m.start <= moments[i] && moments[i] < m.end).map(m => m.row);
      const row = [...key, ...(rows.length ? aggregates.map(a => aggregate(a, rows)) : [])];
      if (rows.length) found.push({row, start: moments[i], end: moments[i + 1]});
    }
  }
  return found;
}

// Each instant of a row counts by itself: it is seen from the next slide on, for as long as the window is.
function windowed(elements, size, slide, horizon) {
  const next = t => (t + slide - 1n) / slide * slide, found = [];
  for (const {row, start, end} of elements) {
    for (let t = start; t < (end < horizon ? end : horizon); t++) {
      const last = size === null ? Infinity : next(t + size + (BUG ? 1n : 0n));
      if (next(t) < last) found.push({row, start: next(t), end: last});
    }
  }
  return found;
}

const OPERATORS = {
  Source: (n, [], streams) => streams[n.name],
  Filter: (n, [a]) => a.filter(e => valueOf(n.predicate, e.row) === true),
  Map: (n, [a]) => a.map(e => ({...e, row: n.expressions.map(x => valueOf(x, e.row))})),
  Union: (n, [a, b]) => [...a, ...b],
  Distinct: (n, [a]) => grouped(a, n.columns.map((_, i) => i), []),
  Grouping: (n, [a]) => grouped(a, n.keys, n.aggregates),
  TimeWindow: (n, [a], _, horizon) => windowed(a, decoded(n.size, 'int'), decoded(n.slide, 'int'), horizon),
};

function evaluated(node, streams, horizon) {
  if (!(node.operator in OPERATORS)) throw new Unsupported(node.operator);
  return OPERATORS[node.operator](node, (node.inputs || []).map(i => evaluated(i, streams, horizon)), streams, horizon);
}

// Rows that come and go, in the order of time.
function changelog(elements) {
  const changes = elements.flatMap(({row, start, end}) =>
    [['+', row, start], ...(end === Infinity ? [] : [['-', row, end]])]);
  changes.sort((a, b) => compare(a[2], b[2]));
  return {kind: 'retract', rows: changes.map(([sign, row, time]) => [sign, ...row.map(encoded), encoded(time)])};
}

const elementsOf = ({columns, rows}) => rows.map(cells => ({
  row: columns.map(([, type], i) => decoded(cells[i], type)),
  start: BigInt(cells.at(-2)),
  end: cells.at(-1) === null ? Infinity : BigInt(cells.at(-1)),
}));

function answer(asked) {
  if (asked.do === 'hello') {
    return {protocol: 1, engine: 'small node', operators: Object.keys(OPERATORS), results: ['retract'],
      expressions: ['column', 'constant', 'and', 'or', 'not', 'is null', ...Object.keys({...COMPARISONS, ...ARITHMETIC})],
      aggregates: ['count rows', 'count', 'sum', 'min', 'max']};
  }
  if (asked.do !== 'run') throw new Error(`there is no request ${asked.do}`);
  const streams = Object.fromEntries(Object.entries(asked.streams).map(([name, s]) => [name, elementsOf(s)]));
  return changelog(evaluated(asked.plan, streams, asked.horizon === null ? Infinity : BigInt(asked.horizon)));
}

require('readline').createInterface({input: process.stdin, crlfDelay: Infinity}).on('line', line => {
  const asked = JSON.parse(line);
  let said;
  try {
    said = answer(asked);
  } catch (error) {
    said = error instanceof Unsupported ? {unsupported: error.message} : {error: String(error)};
  }
  process.stdout.write(JSON.stringify({id: asked.id, ...said}) + '\n');
});
