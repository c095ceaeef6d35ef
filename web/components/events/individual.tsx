import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { GAME_NAMES } from '../../../domain/games/game-names.ts';
import { t, words } from '../../../domain/language/text.ts';
import { type EventBoard, type EventMeta, eventTableQuery } from '../../api/events.ts';
import { capital, exact } from '../../format.ts';
import layout from '../../ui/layout.module.css';
import { useQueryText } from '../../ui/search-input.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useTextMemo } from '../../ui/use-locale.ts';
import { DifferenceFilters } from '../difference/difference-filters.tsx';
import { type DifferenceTable, differenceRows, scoredRows } from '../difference/difference-rows.ts';
import { DIFFERENCE } from '../difference/difference-search.ts';
import { type Compared, GovernorTable } from '../difference/governor-table.tsx';
import { Weights } from '../difference/weights.tsx';
import { countable, weightsOf } from '../difference/written-weights.ts';
import listing from '../listing.module.css';
import { Loaded } from '../loaded.tsx';
import { useSignedIn } from '../signed-in.tsx';
import type { ChangeSearch, EventSearch } from './event-search.ts';
import { useOwnGovernors } from './own-governors.ts';

/** Returns whether an address shows the first governors by the event's own score. */
const showsTop = (search: EventSearch): boolean =>
  Object.keys(DIFFERENCE).every((key) => search[key as keyof typeof DIFFERENCE] === undefined);

/** Returns the board's first governors as a table; null if it has none. */
function topTable({ top }: EventBoard): DifferenceTable | null {
  const [first] = top;
  if (!first) return null;
  const kingdoms = [...new Set(top.flatMap(({ kingdom, moved_to }) => [kingdom, moved_to ?? kingdom]))];
  const tags = [...new Set(top.flatMap(({ tag }) => tag ?? []))];
  const doubts: Record<string, Record<string, number[]>> = {};
  for (const [row, governor] of top.entries())
    for (const [key, reason] of Object.entries(governor.doubts ?? {})) {
      doubts[key] ??= {};
      doubts[key][reason] = [...(doubts[key][reason] ?? []), row];
    }
  return {
    kingdoms,
    tags,
    common: top.length,
    joined: 0,
    gone: 0,
    id: top.map(({ id }) => id),
    name: top.map(({ name }) => name),
    tag: top.map(({ tag }) => (tag === null ? -1 : tags.indexOf(tag))),
    kingdom: top.map(({ kingdom }) => kingdoms.indexOf(kingdom)),
    kingdom_now: top.map(({ kingdom, moved_to }) => kingdoms.indexOf(moved_to ?? kingdom)),
    power: top.map(({ power }) => power),
    now: {},
    gains: Object.fromEntries(Object.keys(first.gains).map((key) => [key, top.map(({ gains }) => gains[key] ?? null)])),
    doubts,
    renamed: Object.fromEntries(
      top.flatMap(({ renamed_from }, row) => (renamed_from === undefined ? [] : [[row, renamed_from]])),
    ),
  };
}

const fetchWhy = async () => ({ default: (await import('./why-this-score.tsx')).WhyThisScore });
const WhyThisScore = lazy(fetchWhy);

export interface ViewProps {
  id: string;
  meta: EventMeta;
  board: EventBoard;
  search: EventSearch;
  change: ChangeSearch;
}

/**
 * Fetches the table and scores it by the weights of the URL or of the event. Until it arrives, `first` is shown
 * instead.
 */
export function useScored({ id, meta, board, search }: Omit<ViewProps, 'change'>, first?: DifferenceTable | null) {
  const answer = useQuery(eventTableQuery(id, board.range));
  // Prepares and renders in two steps, like `Loaded`.
  const whole = useDeferredValue(answer.data);
  const table = whole ?? first ?? undefined;
  const rows = useTextMemo(() => (table ? differenceRows(table) : null), [table]);
  const weights = useMemo(() => {
    const asked = weightsOf(search.weights);
    return (asked && countable(asked, (key) => rows?.gains.has(key) ?? true)) ?? meta.weights;
  }, [search.weights, meta.weights, rows]);
  const scores = useMemo(() => {
    if (!rows) return null;
    const zeroed = meta.zeroed as Record<string, 0>;
    return scoredRows(rows, meta.game, { weights, power_off: meta.power_off, zeroed });
  }, [rows, meta, weights]);
  return { answer, rows, scores, weights, isWhole: whole !== undefined };
}

const comparedOf = ({ game, goals, exempt, zeroed, kingdoms_to_camps }: EventMeta): Compared => ({
  game,
  goals,
  exempt,
  zeroed,
  campOf: (kingdom) => kingdoms_to_camps[kingdom] ?? null,
});

/** All governors of the event: search, filters, sorting, custom weights and score explanations. */
export function Individual({ id, meta, board, search, change }: ViewProps) {
  // The first rows stay until the whole table is here, whatever was pressed since: nothing jumps or loses its focus.
  const [beganAtTop] = useState(() => showsTop(search));
  const keepsTop = beganAtTop && search.weights === undefined;
  const top = useMemo(() => (keepsTop ? topTable(board) : null), [keepsTop, board]);
  const { answer, rows, scores, weights, isWhole } = useScored({ id, meta, board, search }, top);
  const shown = isWhole || !top ? answer : { ...answer, data: top, isPending: false };
  const everybody = board.people.common + board.people.joined;
  const [query, setQuery] = useQueryText(search.q ?? '', (q) => change({ q, page: undefined }));
  const of = useMemo(() => comparedOf(meta), [meta]);
  const own = useOwnGovernors(meta.game, isWhole ? rows : null, useSignedIn());
  // Preload while online, before the user opens a row.
  useEffect(() => {
    if (isWhole) fetchWhy().catch(() => undefined);
  }, [isWhole]);
  return (
    <section className={listing.listing} aria-label={t('Individual')}>
      <Weights
        game={meta.game}
        weights={weights}
        usual={meta.weights}
        power_off={meta.power_off}
        change={(written) => change({ weights: written, page: undefined })}
      />
      <DifferenceFilters
        game={meta.game}
        camps={meta.camps}
        kingdoms={search.camp ? (meta.camps_to_kingdoms[search.camp] ?? []) : meta.kingdoms}
        tags={answer.data?.tags ?? []}
        goals={meta.goals}
        search={search}
        change={change}
        query={query}
        setQuery={setQuery}
      />
      <Loaded
        query={shown}
        what={t('all {many}', { many: words(GAME_NAMES[meta.game].governor.many) })}
        heights={['60rem']}
      >
        {() =>
          rows &&
          scores && (
            <GovernorTable
              of={of}
              rows={rows}
              scores={scores}
              weights={weights}
              query={isWhole ? query : ''}
              search={isWhole ? search : { open: search.open }}
              change={change}
              own={own}
              total={isWhole ? undefined : everybody}
              detail={(row) => (
                <Suspense fallback={<Skeleton height="8rem" />}>
                  <WhyThisScore
                    id={id}
                    meta={meta}
                    range={board.range}
                    governor={rows.ids[row] ?? 0}
                    weights={weights}
                  />
                </Suspense>
              )}
            />
          )
        }
      </Loaded>
      <p className={layout.quiet}>{capital(peopleText(board))}</p>
    </section>
  );
}

function peopleText({ people: { common, joined, gone, unseen, moved, renamed, idle } }: EventBoard): string {
  const counts = { common, joined, gone, unseen, moved, renamed, idle };
  const values = Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, exact(count)]));
  return unseen > 0
    ? t(
        '{common} in both scans, {joined} joined, {gone} left, {unseen} below the range of the smaller scan, {moved} moved, {renamed} renamed, {idle} did not fight',
        values,
      )
    : t(
        '{common} in both scans, {joined} joined, {gone} left, {moved} moved, {renamed} renamed, {idle} did not fight',
        values,
      );
}
