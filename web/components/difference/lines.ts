import type { EventPayload } from '../../../domain/events/contract.ts';
import { amountOf } from '../../format.ts';

/**
 * Lists as a leader or an admin types or pastes them, a line each, and back. What a line cannot mean is said with
 * its number; what the figures may be is the server's to say.
 */

export class LineFlaw extends Error {
  constructor(line: number, text: string) {
    super(`Line ${line}: ${text}`);
  }
}

/** The lines that say something, with their numbers. */
const linesOf = (text: string): { line: string; number: number }[] =>
  text
    .split('\n')
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '');

/** 'name: value', split at the first colon or equals sign. */
function pairOf({ line, number }: { line: string; number: number }, example: string): [string, string] {
  const at = line.search(/[:=]/);
  const [name, value] = [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  if (at < 0 || name === '' || value === '') throw new LineFlaw(number, `write it as '${example}'.`);
  return [name, value];
}

/** 'Fire: 1001, 1002-2' each. */
export const campsOf = (text: string): EventPayload['camps'] =>
  linesOf(text).map((each) => {
    const [name, kingdoms] = pairOf(each, 'Fire: 1001, 1002');
    return { name, kingdoms: kingdoms.split(/[\s,;]+/).filter(Boolean) };
  });

export const campsText = (camps: EventPayload['camps']): string =>
  camps.map(({ name, kingdoms }) => `${name}: ${kingdoms.join(', ')}`).join('\n');

/** A moment in UTC as a form has it: '2026-03-01T12:00', or with a space. */
export function momentOf(text: string): number | null {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d)?Z?$/.exec(text.trim()) ?? [];
  const ts = day ? Date.parse(`${day}T${time}:00Z`) : Number.NaN;
  return Number.isNaN(ts) ? null : ts;
}

export const momentText = (ts: number): string => new Date(ts).toISOString().slice(0, 16);

/** 'Pass 4: 2026-03-01 12:00' each. */
export const datesOf = (text: string): EventPayload['dates'] =>
  Object.fromEntries(
    linesOf(text).map((each) => {
      const [label, moment] = pairOf(each, 'Pass 4: 2026-03-01 12:00');
      const ts = momentOf(moment);
      if (ts === null)
        throw new LineFlaw(each.number, `'${moment}' is no moment. Write it as 2026-03-01 12:00, in UTC.`);
      return [label, ts];
    }),
  );

export const datesText = (dates: EventPayload['dates']): string =>
  Object.entries(dates)
    .sort(([, one], [, other]) => one - other)
    .map(([label, ts]) => `${label}: ${momentText(ts).replace('T', ' ')}`)
    .join('\n');

/** 'killcount_t4: 10' each. */
export const weightsOf = (text: string): EventPayload['weights'] =>
  Object.fromEntries(
    linesOf(text).map((each) => {
      const [key, weight] = pairOf(each, 'killcount_t4: 10');
      if (!Number.isFinite(Number(weight))) throw new LineFlaw(each.number, `'${weight}' is no number.`);
      return [key, Number(weight)];
    }),
  );

export const weightsText = (weights: EventPayload['weights']): string =>
  Object.entries(weights)
    .map(([key, weight]) => `${key}: ${weight}`)
    .join('\n');

const GOAL = '40M: dkp 2M, kills 100K, deads 50K';

/** '40M: dkp 2M, kills 100K, deads 50K' each: what is expected of at least that power. */
export const goalsOf = (text: string): EventPayload['goals'] =>
  linesOf(text).map((each) => {
    const [power, targets] = pairOf(each, GOAL);
    const goal = {
      min_power: amountIn(each.number, power),
      dkp: null,
      kills: null,
      deads: null,
    } as EventPayload['goals'][number];
    for (const target of targets.split(/,(?!\d{3})/)) {
      const [, name, amount] = /^\s*(dkp|kills|deads)\s+(\S.*)$/.exec(target) ?? [];
      if (!name || !amount) throw new LineFlaw(each.number, `'${target.trim()}' is no goal. Write it as '${GOAL}'.`);
      goal[name as 'dkp' | 'kills' | 'deads'] = amountIn(each.number, amount);
    }
    return goal;
  });

function amountIn(line: number, text: string): number {
  const amount = amountOf(text);
  if (amount === null) throw new LineFlaw(line, `'${text.trim()}' is no figure. Write 40000000, 40,000,000 or 40M.`);
  return amount;
}

export const goalsText = (goals: EventPayload['goals']): string =>
  goals
    .map(({ min_power, ...targets }) => {
      const set = Object.entries(targets).filter(([, amount]) => amount !== null);
      return `${min_power}: ${set.map(([name, amount]) => `${name} ${amount}`).join(', ')}`;
    })
    .join('\n');

/** '20436276: 80' each: the percent of a zeroed governor's deads that does not count. */
export const zeroedOf = (text: string): EventPayload['zeroed'] =>
  Object.fromEntries(
    linesOf(text).map((each) => {
      const [id, percent] = pairOf(each, '20436276: 80');
      return [id, Number(percent.replace(/\s*%$/, ''))];
    }),
  ) as EventPayload['zeroed'];

export const zeroedText = (zeroed: EventPayload['zeroed']): string =>
  Object.entries(zeroed)
    .map(([id, percent]) => `${id}: ${percent}`)
    .join('\n');

/** Ids, separated by anything. */
export const idsOf = (text: string): number[] =>
  linesOf(text).flatMap(({ line, number }) =>
    line
      .split(/[\s,;]+/)
      .filter(Boolean)
      .map((id) => {
        if (!/^\d{1,16}$/.test(id)) throw new LineFlaw(number, `'${id}' is no id.`);
        return Number(id);
      }),
  );
