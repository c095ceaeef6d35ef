import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import type { adminEvent, loadedSnapshot } from '../../domain/events/answers.ts';
import type { EventPayload } from '../../domain/events/contract.ts';
import type { EventFilter } from '../../domain/events/event.ts';
import { apiBase, callHeaders, dataOf } from './client.ts';

/** `event` is the stored payload. */
export type AdminEvent = Omit<z.infer<typeof adminEvent>, 'event'> & { event: EventPayload };
export type LoadedSnapshot = z.infer<typeof loadedSnapshot>;

function call<Data>(method: string, path: string, init: RequestInit = {}): Promise<Data> {
  const answer: Promise<{ status: number; json(): Promise<{ success: 1; data: Data }> }> = fetch(
    `${apiBase()}/v1/admin/events${path}`,
    { method, credentials: 'include', ...init, headers: { ...callHeaders(), ...init.headers } },
  );
  return dataOf(answer);
}

const json = (body: unknown): RequestInit => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

export const adminEventsQuery = (state?: EventFilter) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'events', { state }],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        ...(state && { state }),
        ...(pageParam !== null && { before: String(pageParam) }),
      });
      return call<{ events: AdminEvent[]; next: number | null }>('GET', query.size > 0 ? `?${query}` : '', { signal });
    },
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
  });

/** An event with its snapshots and refreshes, polled while a refresh runs. */
export const adminEventQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'events', id],
    queryFn: ({ signal }) => call<AdminEvent>('GET', `/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: ({ state }) => (state.data?.refreshes.some((each) => each.state === 'running') ? 5000 : false),
  });

export const createEvent = (event: EventPayload) => call<{ dashboard_id: number }>('POST', '', json(event));
/** Replaces the plan of the version `seen`. */
export const changeEvent = (id: number, event: EventPayload, seen: string) =>
  call<{ dashboard_id: number }>('PUT', `/${id}?${new URLSearchParams({ seen })}`, json(event));

export type EventAct = 'publish' | 'close' | 'reopen' | 'archive' | 'refresh';
export const actOnEvent = (id: number, act: EventAct) => call<unknown>('POST', `/${id}/${act}`, json({}));

/** Uploads a scan file as a snapshot. `captured_at` is required if the file does not contain its time. */
export function loadSnapshot(id: number, file: File, captured_at: number | null): Promise<LoadedSnapshot> {
  const query = new URLSearchParams({ name: file.name });
  if (captured_at !== null) query.set('captured_at', new Date(captured_at).toISOString());
  const headers = { 'content-type': 'application/octet-stream' };
  return call('POST', `/${id}/snapshots?${query}`, { body: file, headers });
}

export const removeSnapshot = (id: number, ts: number, code: string | undefined) =>
  call<unknown>('DELETE', `/${id}/snapshots/${ts}`, json({ code }));
