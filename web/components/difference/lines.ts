import { LineFlaw, linesOf, pairOf } from '../../../domain/difference/lines.ts';
import type { EventPayload } from '../../../domain/events/contract.ts';
import { momentOf, momentText } from '../../moments.ts';

/** Lists of an event as an admin types or pastes them, a line each, and back (goals: domain/difference/lines.ts). */

/** 'Fire: 1001, 1002-2' each. */
export const campsOf = (text: string): EventPayload['camps'] =>
  linesOf(text).map((each) => {
    const [name, kingdoms] = pairOf(each, 'Fire: 1001, 1002');
    return { name, kingdoms: kingdoms.split(/[\s,;]+/).filter(Boolean) };
  });

export const campsText = (camps: EventPayload['camps']): string =>
  camps.map(({ name, kingdoms }) => `${name}: ${kingdoms.join(', ')}`).join('\n');

/** 'Pass 4: 2026-03-01 12:00' each. */
export const datesOf = (text: string): EventPayload['dates'] =>
  Object.fromEntries(
    linesOf(text).map((each) => {
      const [label, moment] = pairOf(each, 'Pass 4: 2026-03-01 12:00');
      const ts = momentOf(moment);
      if (ts === null)
        throw new LineFlaw(each.number, `'${moment}' is not a date and time. Write it as 2026-03-01 12:00, in UTC.`);
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
      if (!Number.isFinite(Number(weight))) throw new LineFlaw(each.number, `'${weight}' is not a number.`);
      return [key, Number(weight)];
    }),
  );

export const weightsText = (weights: EventPayload['weights']): string =>
  Object.entries(weights)
    .map(([key, weight]) => `${key}: ${weight}`)
    .join('\n');

/** Ids, separated by anything. */
export const idsOf = (text: string): number[] =>
  linesOf(text).flatMap(({ line, number }) =>
    line
      .split(/[\s,;]+/)
      .filter(Boolean)
      .map((id) => {
        if (!/^\d{1,16}$/.test(id)) throw new LineFlaw(number, `'${id}' is not an id.`);
        return Number(id);
      }),
  );
