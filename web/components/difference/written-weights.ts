/** Limits on weights in a URL. */

const MOST_WEIGHTS = 12;
const LARGEST_WEIGHT = 1000;
/** Empty weights are a valid choice and do not fall back to the default. */
const NONE = 'none';

/** Parses weights from a URL. Returns null if none is valid, so that the event's own weights apply. */
export function weightsOf(written: string | undefined): Record<string, number> | null {
  if (!written) return null;
  if (written === NONE) return {};
  const pairs = written.split(',', MOST_WEIGHTS).flatMap((pair): [string, number][] => {
    const [, key = '', weight] = /^([a-z][a-z0-9_]*):(-?\d+(?:\.\d+)?)$/.exec(pair) ?? [];
    return key !== '' && Math.abs(Number(weight)) <= LARGEST_WEIGHT ? [[key, Number(weight)]] : [];
  });
  return pairs.length > 0 ? Object.fromEntries(pairs) : null;
}

/**
 * Keeps the weights that `counts` accepts. Returns null if a link contains only others, so that the event's own weights
 * apply.
 */
export function countable(
  weights: Record<string, number>,
  counts: (key: string) => boolean,
): Record<string, number> | null {
  const kept = Object.entries(weights).filter(([key]) => counts(key));
  return kept.length === 0 && Object.keys(weights).length > 0 ? null : Object.fromEntries(kept);
}

/** Writes weights for a URL. Returns undefined if they equal the event's own. */
export function writtenWeights(
  weights: Readonly<Record<string, number>>,
  own: Readonly<Record<string, number>>,
): string | undefined {
  const write = (all: Readonly<Record<string, number>>) =>
    Object.entries(all)
      .filter(([, weight]) => weight !== 0)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, weight]) => `${key}:${weight}`)
      .join() || NONE;
  return write(weights) === write(own) ? undefined : write(weights);
}
