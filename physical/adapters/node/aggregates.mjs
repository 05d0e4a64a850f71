// Folds of values with their multiplicities, for the engine's own reduce.
import { compare, evaluate, whole } from './values.mjs';

export const AGGREGATES = ['count rows', 'count', 'count distinct', 'sum', 'min', 'max'];

/** One aggregate of rows, each with its multiplicity. */
export function aggregated({ function: name, argument }, counted) {
  if (name === 'count rows') return counted.reduce((n, [, count]) => n + count, 0);
  const values = counted.map(([row, n]) => [evaluate(argument, row), n]).filter(([value]) => value !== null);
  return FOLDS[name](values);
}

const extreme = (sign) => (values) =>
  values.reduce((best, [value]) => (best === null || sign * compare(value, best) > 0 ? value : best), null);

const FOLDS = {
  count: (values) => values.reduce((n, [, count]) => n + count, 0),
  'count distinct': (values) => new Set(values.map(([value]) => value)).size,
  sum: (values) =>
    values.length ? whole(values.reduce((total, [value, n]) => total + BigInt(value) * BigInt(n), 0n)) : null,
  min: extreme(-1),
  max: extreme(1),
};
