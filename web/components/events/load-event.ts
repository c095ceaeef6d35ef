import type { QueryClient } from '@tanstack/react-query';
import { type EventRange, eventMetaQuery, eventPageQuery, eventRoomQuery, eventTableQuery } from '../../api/events.ts';
import type { EventSearch } from './event-search.ts';

/**
 * Requests what an event's page shows: its standings, then the table of their range. The Worker renders the standings
 * alone, because the table has all governors of the event.
 */
export async function loadEvent(
  { client, rendering }: { client: QueryClient; rendering?: { now: boolean } },
  id: string,
  { tab, ...range }: EventRange & Pick<EventSearch, 'tab'>,
): Promise<void> {
  const page = eventPageQuery(id, range);
  await client.prefetchQuery(page);
  const shown = client.getQueryData(page.queryKey)?.board?.range;
  // The third view offers files only.
  if (shown && !rendering?.now && tab !== 3) await client.prefetchQuery(eventTableQuery(id, shown));
}

/** Requests what a kingdom's war room shows. */
export async function loadRoom(
  { client }: { client: QueryClient },
  id: string,
  kingdom: string,
  range: EventRange & { since?: number | undefined },
): Promise<void> {
  await Promise.all([
    client.prefetchQuery(eventMetaQuery(id)),
    client.prefetchQuery(eventRoomQuery(id, kingdom, range)),
  ]);
}
