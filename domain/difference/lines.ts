import { amountOf } from '../amounts.ts';
import { t } from '../language/text.ts';
import { DEADS_OFF, type DeadsOff, type Goal } from './scoring.ts';

/**
 * Goals and zeroed governors as text that a leader types or pastes, one per line. A semicolon also ends a line, for use
 * in addresses.
 */

/** A governor's id as text. */
export const GOVERNOR_ID = /^[1-9]\d{0,15}$/;

/** Ends a line; semicolons are for addresses. */
export const LINE_END = /[\n;]/;

/** An invalid line, with its number. */
export class LineFlaw extends Error {
  constructor(line: number, text: string) {
    super(t('Line {line}: {text}', { line, text }));
  }
}

/** Returns the non-empty lines with their numbers. */
export const linesOf = (text: string, end: string | RegExp = '\n'): { line: string; number: number }[] =>
  text
    .split(end)
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '');

export interface Pair {
  name: string;
  value: string;
  number: number;
}

/** Parses lines of 'name: value', split at the first colon or equals sign. */
export const pairsOf = (text: string, example: string, end?: string | RegExp): Pair[] =>
  linesOf(text, end).map(({ line, number }) => {
    const [, name, value] = /^([^:=]*[^:=\s])\s*[:=]\s*(\S.*)$/.exec(line) ?? [];
    if (!name || !value) throw new LineFlaw(number, t("write it as '{example}'.", { example }));
    return { name, value, number };
  });

/** Maps each pair's name to its parsed value. Throws if a name appears twice. */
export function eachOf<Value>(pairs: readonly Pair[], read: (pair: Pair) => Value): Map<string, Value> {
  const found = new Map<string, Value>();
  for (const pair of pairs) {
    if (found.has(pair.name)) throw new LineFlaw(pair.number, t("'{name}' appears twice.", { name: pair.name }));
    found.set(pair.name, read(pair));
  }
  return found;
}

const GOAL = '40M: dkp 2M, kills 100K, deads 50K';

/** Parses goals like '40M: dkp 2M, kills 100K, deads 50K', for governors with at least that power. */
export const goalsOf = (text: string): Goal[] => [
  ...eachOf(
    pairsOf(text, GOAL, LINE_END).map((pair) => ({ ...pair, name: `${amountIn(pair.number, pair.name)}` })),
    ({ name: power, value: targets, number }) => {
      const goal = { min_power: Number(power), dkp: null, kills: null, deads: null } as Goal;
      for (const target of targets.split(/,(?!\d{3})/)) {
        const [, name, amount] = /^\s*(dkp|kills|deads)\s+(\S.*)$/.exec(target) ?? [];
        if (!name || !amount)
          throw new LineFlaw(
            number,
            t("'{text}' is not a goal. Write it as '{example}'.", { text: target.trim(), example: GOAL }),
          );
        goal[name as 'dkp' | 'kills' | 'deads'] = amountIn(number, amount);
      }
      return goal;
    },
  ).values(),
];

function amountIn(line: number, text: string): number {
  const amount = amountOf(text);
  if (amount === null)
    throw new LineFlaw(line, t("'{text}' is not a figure. Write 40000000, 40,000,000 or 40M.", { text: text.trim() }));
  return amount;
}

export const goalsText = (goals: Goal[]): string =>
  goals
    .map(({ min_power, ...targets }) => {
      const set = Object.entries(targets).filter(([, amount]) => amount !== null);
      return `${min_power}: ${set.map(([name, amount]) => `${name} ${amount}`).join(', ')}`;
    })
    .join('\n');

const ZEROED = '20436276: 80';

/** Parses lines like '20436276: 80': the percentage of a zeroed governor's deads that does not count. */
export const zeroedOf = (text: string): Record<string, DeadsOff> =>
  Object.fromEntries(
    eachOf(pairsOf(text, ZEROED, LINE_END), ({ name: id, value: percent, number }) => {
      if (!GOVERNOR_ID.test(id))
        throw new LineFlaw(number, t("'{id}' is not an id. Write it as '{example}'.", { id, example: ZEROED }));
      const off = DEADS_OFF.find((known) => String(known) === percent.replace(/%$/, '').trimEnd());
      if (off === undefined)
        throw new LineFlaw(
          number,
          t("'{percent}' must be one of {choices} percent.", { percent, choices: DEADS_OFF.join(', ') }),
        );
      return off;
    }),
  );

export const zeroedText = (zeroed: Record<string, DeadsOff>): string =>
  Object.entries(zeroed)
    .map(([id, percent]) => `${id}: ${percent}`)
    .join('\n');
