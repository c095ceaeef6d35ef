import type { Locale } from '../language/locales.ts';

/** Orders of texts, built in steps, so that a page can do it in idle time. */

const collators = new Map<Locale, Intl.Collator>();

/**
 * Returns the order of texts in a language, with numbers in them by size. Creates the collator on first use, because
 * that takes a phone tens of milliseconds.
 */
function collatorOf(language: Locale): Intl.Collator {
  const collator = collators.get(language) ?? new Intl.Collator(language, { numeric: true });
  collators.set(language, collator);
  return collator;
}

/** Compares texts in a language's order. */
export const inOrder = (one: string, other: string, language: Locale): number =>
  collatorOf(language).compare(one, other);

/** Texts compared per step, about half a millisecond of work. */
const AT_A_TIME = 256;

/**
 * Returns each text's rank in a language's order. Uses a merge sort, because the built-in sort cannot be interrupted.
 */
export function* placesOf(texts: readonly string[], language: Locale): Generator<void, Float64Array, void> {
  const collator = collatorOf(language);
  const compare = (a: number | undefined, b: number | undefined) =>
    collator.compare(texts[a ?? -1] ?? '', texts[b ?? -1] ?? '');
  let [from, to] = [Uint32Array.from(texts.keys()), new Uint32Array(texts.length)];
  for (let start = 0; start < from.length; start += AT_A_TIME) {
    from.subarray(start, start + AT_A_TIME).sort(compare);
    yield;
  }
  for (let run = AT_A_TIME; run < from.length; run *= 2) {
    for (let start = 0; start < from.length; start += 2 * run) {
      const middle = Math.min(start + run, from.length);
      const end = Math.min(middle + run, from.length);
      let [left, right] = [start, middle];
      for (let at = start; at < end; at++) {
        const takesLeft = right === end || (left < middle && compare(from[left], from[right]) <= 0);
        to[at] = from[takesLeft ? left++ : right++] as number;
        if (at % AT_A_TIME === 0) yield;
      }
    }
    [from, to] = [to, from];
  }
  const places = new Float64Array(texts.length);
  let place = 0;
  for (let at = 0; at < from.length; at++) {
    if (at > 0 && compare(from[at - 1], from[at]) !== 0) place++;
    places[from[at] as number] = place;
  }
  return places;
}

/** Like `placesOf`, but an empty text counts as unknown (NaN). */
export function* knownPlacesOf(texts: readonly string[], language: Locale): Generator<void, Float64Array, void> {
  const places = yield* placesOf(texts, language);
  return places.map((place, at) => (texts[at] === '' ? Number.NaN : place));
}
