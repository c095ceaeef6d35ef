import { DIFFERENCE } from '../../../components/difference/difference-search.ts';
import { figureUpTo, flag, searchReader, text } from '../../../search-params.ts';

/** Parses the search parameters of a comparison: scans, scoring and table view. */
export const compareSearch = searchReader({
  ...DIFFERENCE,
  /** Comma-separated scan ids. */
  from: text,
  to: text,
  /** Comma-separated ids of fights to add up instead. */
  fights: text,
  /** Lines as typed, such as '40M: dkp 2M' (domain/difference/lines.ts). */
  goals: text,
  zeroed: text,
  verified: text,
  /** Percent of a farm's score that counts for its main; if omitted, farms count separately. */
  farms: figureUpTo(100),
  /** Points deducted per power at the start. */
  off: (value) => figureUpTo(1000)(value) || undefined,
  /** Whether the charts are open. */
  charts: flag,
});

export type CompareSearch = ReturnType<typeof compareSearch>;
