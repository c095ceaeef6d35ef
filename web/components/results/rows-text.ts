import { t } from '../../../domain/language/text.ts';
import type { Row } from '../../../domain/scans/rows.ts';
import { counted, exact } from '../../format.ts';
import { cellIn, gameOf, type Results } from './results.ts';

/**
 * Returns text such as '12 governors'. For histories '12 governors, 90 days', because each row is one governor on one
 * day.
 */
export function countText(rows: readonly Row[]): string {
  const [first] = rows;
  if (!first) return t('no rows');
  const { one, many } = gameOf(first).governor;
  if (first.day == null) return counted(rows.length, one, many);
  const people = new Set(rows.map((row) => cellIn(row, 'id')));
  const days = new Set(rows.map(({ day }) => day));
  return t('{governors}, {days}', { governors: counted(people.size, one, many), days: counted(days.size, 'day') });
}

/** Returns text such as '12 of 300 governors', or the history equivalent. */
export function foundText(results: Results, found: Uint32Array): string {
  const all = countText(results.rows);
  if (found.length === results.rows.length) return all;
  const [first] = results.rows;
  if (first?.day == null) return t('{count} of {all}', { count: exact(found.length), all });
  if (found.length === 0) return t('none of {all}', { all });
  return t('{count} of {all}', { count: countText(Array.from(found, (row) => results.rows[row] as Row)), all });
}
