import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import type { adminEvent, loadedSnapshot } from '../../domain/events/answers.ts';
import type { EventPayload } from '../../domain/events/contract.ts';
import type { EventFilter } from '../../domain/events/event.ts';
import { send } from './client.ts';

/** `event` is the stored payload. */
export type AdminEvent = Omit<z.infer<typeof adminEvent>, 'event'> & { event: EventPayload };
export type LoadedSnapshot = z.infer<typeof loadedSnapshot>;

const PATH = '/v1/admin/events';

export const adminEventsQuery = (state?: EventFilter) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'events', { state }],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        ...(state && { state }),
        ...(pageParam !== null && { before: String(pageParam) }),
      });
      return send<{ events: AdminEvent[]; next: number | null }>(query.size > 0 ? `${PATH}?${query}` : PATH, {
        signal,
      });
    },
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
  });

/** An event with its snapshots and refreshes, polled while a refresh runs. */
export const adminEventQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'events', id],
    queryFn: ({ signal }) => send<AdminEvent>(`${PATH}/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: ({ state }) => (state.data?.refreshes.some((each) => each.state === 'running') ? 5000 : false),
  });

export const createEvent = (event: EventPayload) =>
  send<{ dashboard_id: number }>(PATH, { method: 'POST', body: JSON.stringify(event) });
/** Replaces the plan of the version `seen`. */
export const changeEvent = (id: number, event: EventPayload, seen: string) =>
  send<{ dashboard_id: number }>(`${PATH}/${id}?${new URLSearchParams({ seen })}`, {
    method: 'PUT',
    body: JSON.stringify(event),
  });

export type EventAct = 'publish' | 'close' | 'reopen' | 'archive' | 'refresh';
export const actOnEvent = (id: number, act: EventAct) =>
  send<unknown>(`${PATH}/${id}/${act}`, { method: 'POST', body: '{}' });

/** Uploads a scan file as a snapshot. `captured_at` is required if the file does not contain its time. */
export function loadSnapshot(id: number, file: File, captured_at: number | null): Promise<LoadedSnapshot> {
  const query = new URLSearchParams({ name: file.name });
  if (captured_at !== null) query.set('captured_at', new Date(captured_at).toISOString());
  const headers = { 'content-type': 'application/octet-stream' };
  return send(`${PATH}/${id}/snapshots?${query}`, { method: 'POST', body: file, headers });
}

export const removeSnapshot = (id: number, ts: number, code: string | undefined) =>
  send<unknown>(`${PATH}/${id}/snapshots/${ts}`, { method: 'DELETE', body: JSON.stringify({ code }) });
