// Values and expressions: NULL is null, and integers beyond 53 bits are BigInts.
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const [LEAST, GREATEST] = [-(2n ** 63n), 2n ** 63n - 1n];

const read = (value, type) => (type === 'int' && typeof value === 'string' ? BigInt(value) : value);
const written = (value) => (typeof value === 'bigint' ? String(value) : value);

export const readRow = (values, columns) => columns.map(([, type], i) => read(values[i], type));
export const writtenRow = (row) => row.map(written);
/** A text that only equal lists of values have. */
export const textOf = (values) => JSON.stringify(values, (_, v) => (typeof v === 'bigint' ? { big: String(v) } : v));
export const fromText = (text) => JSON.parse(text, (_, v) => (isBig(v) ? BigInt(v.big) : v));
const isBig = (value) => typeof value === 'object' && value !== null && Object.hasOwn(value, 'big');

/** The integer, if 64 bits hold it. */
export function whole(value) {
  if (value < LEAST || value > GREATEST) throw new RangeError('an integer leaves 64 bits');
  return value >= -SAFE && value <= SAFE ? Number(value) : value;
}

/** Texts are ordered by their characters, not by 16 bits of them. */
export function compare(a, b) {
  if (typeof a !== 'string') return a < b ? -1 : a > b ? 1 : 0;
  const [left, right] = [Array.from(a), Array.from(b)];
  const at = left.findIndex((character, i) => character !== right[i]);
  if (at < 0) return left.length - right.length;
  return at >= right.length ? 1 : left[at].codePointAt(0) - right[at].codePointAt(0);
}

const ARITHMETIC = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  mod: (a, b) => (b === 0n ? null : a % b),
};
const COMPARISONS = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};
export const EXPRESSIONS = [
  ...['column', 'constant', ...Object.keys(ARITHMETIC), 'negate', ...Object.keys(COMPARISONS)],
  ...['and', 'or', 'not', 'is null', 'is distinct from', 'in', 'case', 'coalesce'],
];

/** What an expression is for a row; all of its parts are evaluated, as an overflow in any of them is an error. */
export function evaluate(node, row) {
  if (node.op === 'column') return row[node.index];
  if (node.op === 'constant') return read(node.value, node.type);
  const args = node.args.map((arg) => evaluate(arg, row));
  if (node.op in ARITHMETIC) return strict(args, (a, b) => computed(node.op, BigInt(a), BigInt(b)));
  if (node.op in COMPARISONS) return strict(args, (a, b) => COMPARISONS[node.op](compare(a, b)));
  return OPERATIONS[node.op](args);
}

const strict = (args, f) => (args.includes(null) ? null : f(...args));
const same = (a, b) => (a === null || b === null ? a === b : compare(a, b) === 0);

function computed(symbol, a, b) {
  const found = ARITHMETIC[symbol](a, b);
  return found === null ? null : whole(found);
}

function inside([value, ...options]) {
  const found = options.map((option) => strict([value, option], same));
  return found.includes(true) || (found.includes(null) ? null : false);
}

function chosen(args) {
  for (let i = 0; i + 1 < args.length; i += 2) if (args[i] === true) return args[i + 1];
  return args.at(-1);
}

const OPERATIONS = {
  negate: (args) => strict(args, (a) => whole(-BigInt(a))),
  not: (args) => strict(args, (a) => !a),
  and: (args) => (args.includes(false) ? false : args.includes(null) ? null : true),
  or: (args) => (args.includes(true) ? true : args.includes(null) ? null : false),
  'is null': ([a]) => a === null,
  'is distinct from': ([a, b]) => !same(a, b),
  in: inside,
  case: chosen,
  coalesce: (args) => args.find((a) => a !== null) ?? null,
};
