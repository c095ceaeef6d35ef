import { eachOf, LineFlaw, linesOf, pairsOf } from '../../../domain/difference/lines.ts';
import type { EventPayload } from '../../../domain/events/contract.ts';
import { parseTime, timeText } from '../../form-times.ts';

/**
 * Parse and print an event's lists, one entry per line, as an admin types or pastes them. Goals:
 * domain/difference/lines.ts.
 */

/** Parses lines like 'Fire: 1001, 1002-2'. */
export const campsOf = (text: string): EventPayload['camps'] =>
  pairsOf(text, 'Fire: 1001, 1002').map(({ name, value }) => ({
    name,
    kingdoms: value.split(/[\s,;]+/).filter(Boolean),
  }));

export const campsText = (camps: EventPayload['camps']): string =>
  camps.map(({ name, kingdoms }) => `${name}: ${kingdoms.join(', ')}`).join('\n');

/** Parses lines like 'Pass 4: 2026-03-01 12:00'. */
export const datesOf = (text: string): EventPayload['dates'] =>
  Object.fromEntries(
    eachOf(pairsOf(text, 'Pass 4: 2026-03-01 12:00'), ({ value, number }) => {
      const ts = parseTime(value);
      if (ts === null)
        throw new LineFlaw(number, `'${value}' is not a date and time. Write it as 2026-03-01 12:00, in UTC.`);
      return ts;
    }),
  );

export const datesText = (dates: EventPayload['dates']): string =>
  Object.entries(dates)
    .sort(([, one], [, other]) => one - other)
    .map(([label, ts]) => `${label}: ${timeText(ts).replace('T', ' ')}`)
    .join('\n');

/** Parses lines like 'killcount_t4: 10'. */
export const weightsOf = (text: string): EventPayload['weights'] =>
  Object.fromEntries(
    eachOf(pairsOf(text, 'killcount_t4: 10'), ({ value, number }) => {
      if (!Number.isFinite(Number(value))) throw new LineFlaw(number, `'${value}' is not a number.`);
      return Number(value);
    }),
  );

export const weightsText = (weights: EventPayload['weights']): string =>
  Object.entries(weights)
    .map(([key, weight]) => `${key}: ${weight}`)
    .join('\n');

/** Parses ids separated by spaces, commas, semicolons or line breaks. */
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
