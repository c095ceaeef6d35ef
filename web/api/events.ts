import { type QueryFunctionContext, queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import type { eventGovernor, eventLines, eventList, eventPage, eventTable } from '../../domain/events/answers.ts';
import type {
  allianceWars,
  eventChanges,
  eventRoom,
  governorWars,
  kingdomWars,
} from '../../domain/events/room-answers.ts';
import type { GameId } from '../../domain/games/game-names.ts';
import { publicData } from './client.ts';

export type EventPage = z.infer<typeof eventPage>;
export type EventMeta = EventPage['meta'];
export type EventBoard = NonNullable<EventPage['board']>;
export type EventTable = z.infer<typeof eventTable>;
export type EventLines = z.infer<typeof eventLines>;
export type EventGovernor = z.infer<typeof eventGovernor>;
export type EventRoom = z.infer<typeof eventRoom>;
export type EventChanges = z.infer<typeof eventChanges>;
type GovernorWars = z.infer<typeof governorWars>;
export type GovernorWar = GovernorWars['wars'][number];
type KingdomWars = z.infer<typeof kingdomWars>;
export type KingdomWar = KingdomWars['wars'][number];
type AllianceWars = z.infer<typeof allianceWars>;
export type AllianceWar = AllianceWars['wars'][number];
export type ListedEvent = z.infer<typeof eventList>['events'][number];

/** Two snapshots to compare. Defaults to the event's first and latest. */
export interface EventRange {
  start?: number | undefined;
  end?: number | undefined;
}

function fetchEvents<Data>(
  path: string,
  range: EventRange,
  more: Record<string, string>,
  context: Pick<QueryFunctionContext, 'signal' | 'meta'>,
) {
  const query = new URLSearchParams(more);
  if (range.start !== undefined) query.set('start', String(range.start));
  if (range.end !== undefined) query.set('end', String(range.end));
  return publicData<Data>(`/v1/dashboards${path}${query.size > 0 ? `?${query}` : ''}`, context);
}

const keyOf = (id: string, what: string, { start, end }: EventRange) =>
  ['event', id, what, start ?? null, end ?? null] as const;

/** Keeps showing the previous range of the same event, never of another event. */
const sameEvent =
  (id: string) =>
  <Data>(before: Data | undefined, query: { queryKey: readonly unknown[] } | undefined): Data | undefined =>
    query?.queryKey[1] === id ? before : undefined;

/** Data of the event page's first screen. The previous data stays visible while newer data loads. */
export const eventPageQuery = (id: string, range: EventRange) =>
  queryOptions({
    queryKey: keyOf(id, 'page', range),
    queryFn: (context) => fetchEvents<EventPage>(`/${encodeURIComponent(id)}/page`, range, {}, context),
    placeholderData: sameEvent(id),
    // The countdown decides when to refetch.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** The individual table as columns. Snapshots never change, so it never becomes stale. */
export const eventTableQuery = (id: string, range: Required<EventRange>) =>
  queryOptions({
    queryKey: keyOf(id, 'table', range),
    queryFn: (context) => fetchEvents<EventTable>(`/${encodeURIComponent(id)}/table`, range, {}, context),
    placeholderData: sameEvent(id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 5 * 60_000,
    structuralSharing: false,
  });

/** Camp and kingdom figures over the snapshots of a range. */
export const eventLinesQuery = (id: string, range: Required<EventRange>, metrics: readonly string[]) =>
  queryOptions({
    queryKey: [...keyOf(id, 'lines', range), metrics.join()],
    queryFn: (context) =>
      fetchEvents<EventLines>(`/${encodeURIComponent(id)}/lines`, range, { metrics: metrics.join() }, context),
    placeholderData: sameEvent(id),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Explains a governor's score. */
export const eventGovernorQuery = (id: string, range: Required<EventRange>, governor: number) =>
  queryOptions({
    queryKey: [...keyOf(id, 'governor', range), governor],
    queryFn: (context) =>
      fetchEvents<EventGovernor>(`/${encodeURIComponent(id)}/governor/${governor}`, range, {}, context),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** An event without its standings. */
export const eventMetaQuery = (id: string) =>
  queryOptions({
    queryKey: ['event', id, 'meta'],
    queryFn: (context) => fetchEvents<EventMeta>(`/${encodeURIComponent(id)}`, {}, {}, context),
    staleTime: 60_000,
    retry: false,
  });

/** Keeps showing the previous range of the same war room. */
const sameRoom =
  (id: string, kingdom: string) =>
  <Data>(before: Data | undefined, query: { queryKey: readonly unknown[] } | undefined): Data | undefined =>
    query?.queryKey[1] === id && query.queryKey[5] === kingdom ? before : undefined;

/** A kingdom's war room; `since`: the scan that changes count from. */
export const eventRoomQuery = (
  id: string,
  kingdom: string,
  { since, ...range }: EventRange & { since?: number | undefined },
) =>
  queryOptions({
    queryKey: [...keyOf(id, 'room', range), kingdom, since ?? null],
    queryFn: (context) =>
      fetchEvents<EventRoom>(
        `/${encodeURIComponent(id)}/kingdoms/${encodeURIComponent(kingdom)}`,
        range,
        since === undefined ? {} : { since: String(since) },
        context,
      ),
    placeholderData: sameRoom(id, kingdom),
    staleTime: 60_000,
    retry: false,
  });

/** A governor's results in public events. */
export const governorWarsQuery = (governor: number) =>
  queryOptions({
    queryKey: ['event', 'governor-wars', governor],
    queryFn: (context) => fetchEvents<GovernorWars>(`/governors/${governor}`, {}, {}, context),
    staleTime: 60_000,
  });

/** A kingdom's results in public events. */
export const kingdomWarsQuery = (game: GameId, kingdom: number) =>
  queryOptions({
    queryKey: ['event', 'kingdom-wars', game, kingdom],
    queryFn: (context) => fetchEvents<KingdomWars>(`/kingdoms/${kingdom}`, {}, { game }, context),
    staleTime: 60_000,
  });

/** An alliance's results in public events. */
export const allianceWarsQuery = (game: GameId, kingdom: number, tag: string) =>
  queryOptions({
    queryKey: ['event', 'alliance-wars', game, kingdom, tag],
    queryFn: (context) =>
      fetchEvents<AllianceWars>(`/alliances/${kingdom}/${encodeURIComponent(tag)}`, {}, { game }, context),
    staleTime: 60_000,
  });

/** What changed in an event up to the end of a range; `since`: the scan that changes count from. */
export const eventChangesQuery = (
  id: string,
  { since, ...range }: Required<EventRange> & { since?: number | undefined },
) =>
  queryOptions({
    queryKey: [...keyOf(id, 'changes', range), since ?? null],
    queryFn: (context) =>
      fetchEvents<EventChanges>(
        `/${encodeURIComponent(id)}/changes`,
        range,
        since === undefined ? {} : { since: String(since) },
        context,
      ),
    placeholderData: sameEvent(id),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** Running, upcoming and past events of both games. */
export const eventListQuery = queryOptions({
  queryKey: ['events'],
  queryFn: async (context) => (await fetchEvents<{ events: ListedEvent[] }>('', {}, {}, context)).events,
  staleTime: 60_000,
});

/** Returns the URL of a file: a comparison of two snapshots, or one snapshot. `api` is the API's origin. */
export const eventFile = (
  api: string,
  id: string,
  { start, end }: Required<EventRange>,
  type: 'csv' | 'xlsx',
): string => `${api}/v1/dashboards/${id}/download?type=${type}&start=${start}&end=${end}`;
/** Returns the address of a kingdom's governors as a sheet, always of the latest scan. */
export const roomSheet = (origin: string, id: string, kingdom: string): string =>
  `${origin}/v1/dashboards/${id}/download?type=csv&kingdom=${kingdom}`;
/** Returns the address of the event as a sheet, always from the first to the latest scan. */
export const eventSheet = (origin: string, id: string): string => `${origin}/v1/dashboards/${id}/download?type=csv`;
/** Returns the address of the picture of an event's camps. */
export const eventCard = (origin: string, id: number): string => `${origin}/v1/dashboards/${id}/card.png`;
/** Returns the address of the picture of a kingdom's rank and first governors. */
export const roomCard = (origin: string, id: number, kingdom: string): string =>
  `${origin}/v1/dashboards/${id}/kingdoms/${kingdom}/card.png`;
/** Returns the address of the picture of a governor's result. */
export const governorCard = (origin: string, id: number, governor: number): string =>
  `${origin}/v1/dashboards/${id}/governor/${governor}/card.png`;
export const snapshotFile = (api: string, id: string, ts: number, type: 'csv' | 'xlsx'): string =>
  `${api}/v1/dashboards/${id}/snapshot/${ts}/download?type=${type}`;

/** Route of a dashboard; each game has its own path (specification, section 2). */
export const dashboardPath = ({ game, dashboard_id }: Pick<EventMeta, 'game' | 'dashboard_id'>) => ({
  to: game === 'rok' ? ('/dashboards/$dashboardId' as const) : ('/cod-dashboards/$dashboardId' as const),
  params: { dashboardId: String(dashboard_id) },
});

/** Route of a kingdom's war room. */
export const roomPath = ({ game, dashboard_id }: Pick<EventMeta, 'game' | 'dashboard_id'>, kingdom: string) => ({
  to:
    game === 'rok'
      ? ('/dashboards/$dashboardId/kingdoms/$kingdom' as const)
      : ('/cod-dashboards/$dashboardId/kingdoms/$kingdom' as const),
  params: { dashboardId: String(dashboard_id), kingdom },
});
