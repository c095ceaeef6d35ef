import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { EXPORT_TYPES } from '../../domain/compare/contract.ts';
import type { GameId } from '../../domain/games/game-names.ts';
import { apiBase, dataOf } from './client.ts';
import { api } from './typed.ts';

/** What to compare: scan ids, or ids of fights to add up. Comma-separated. */
export interface Sides {
  from?: string | undefined;
  to?: string | undefined;
  fights?: string | undefined;
}

const fetchTable = ({ from, to, fights }: Sides, signal?: AbortSignal) =>
  dataOf(api.compare.table.$get({ query: { from, to, fights } }, { init: { signal } }));

export type ComparedTable = Awaited<ReturnType<typeof fetchTable>>;

/** Both sides of a comparison as columns. */
export const comparedQuery = (sides: Sides) =>
  queryOptions({
    queryKey: ['compare', sides.from ?? '', sides.to ?? '', sides.fights ?? ''],
    queryFn: ({ signal }) => fetchTable(sides, signal),
    staleTime: 5 * 60_000,
    structuralSharing: false,
    retry: false,
  });

/** Which of a governor's readings to fetch. */
interface Line {
  game: GameId;
  governor: number;
  /** Only those of own files. */
  origin?: 'imported';
}

const fetchLine = ({ game, governor, origin }: Line, before: string | null, signal: AbortSignal) =>
  dataOf(
    api.compare.line.$get(
      { query: { game, governor: String(governor), ...(origin && { origin }), ...(before !== null && { before }) } },
      { init: { signal } },
    ),
  );
type GovernorLine = Awaited<ReturnType<typeof fetchLine>>;

/** Answers fetched automatically by default; each covers a few dozen scans. */
const LINE_ANSWERS = 5;

/** A governor's history through the user's scans, newest first; older scans follow in further pages. */
export const governorLineQuery = (line: Line, answers = LINE_ANSWERS) =>
  infiniteQueryOptions({
    queryKey: ['compare', 'line', line, answers],
    queryFn: async ({ pageParam, signal }): Promise<GovernorLine> => {
      let found = await fetchLine(line, pageParam, signal);
      for (let made = 1; found.next !== null && made < answers; made++) {
        const older = await fetchLine(line, found.next, signal);
        found = { ...older, points: [...older.points, ...found.points] };
      }
      return found;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });

const fetchFights = (signal?: AbortSignal) => dataOf(api.fights.$get({ query: {} }, { init: { signal } }));
export type Fight = Awaited<ReturnType<typeof fetchFights>>['fights'][number];

/** Named ranges of the library. */
export const fightsQuery = queryOptions({ queryKey: ['fights'], queryFn: ({ signal }) => fetchFights(signal) });

export const createFight = (fight: { name: string; from: string[]; to: string[] }) =>
  dataOf(api.fights.$post({ json: fight }));
export const deleteFight = (fight_id: string) => dataOf(api.fights[':fight_id'].$delete({ param: { fight_id } }));

export type CompareFileType = (typeof EXPORT_TYPES)[number];

/** URL of a comparison as a file: csv, xlsx, a picture of the top ten, or text for in-game mail. */
export function compareFile(
  { from, to, fights }: Sides,
  type: CompareFileType,
  more: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams({ type, ...more });
  if (fights) query.set('fights', fights);
  if (from) query.set('from', from);
  if (to) query.set('to', to);
  return `${apiBase()}/v1/compare/export?${query}`;
}
