import { queryOptions } from '@tanstack/react-query';
import type { Period } from '../../domain/orders/periods.ts';
import { dataOf } from './client.ts';
import { api } from './typed.ts';

const fetchSchedules = (signal?: AbortSignal) => dataOf(api.orders.scheduled.$get({}, { init: { signal } }));

/** A schedule with its latest runs. Times are in epoch ms; `total` is the current price in dollars. */
export type Schedule = Awaited<ReturnType<typeof fetchSchedules>>['scheduled'][number];
export type ScheduleRun = Schedule['orders'][number];

/** Times of a schedule as sent to the API: ISO 8601, UTC. */
export interface ScheduleInfo {
  interval: number;
  period: Period;
  start: string | null;
  end: string | null;
}

/** The user's schedules, polled every 30 s because the server adds runs. */
export const schedulesQuery = queryOptions({
  queryKey: ['schedules'],
  queryFn: async ({ signal }) => (await fetchSchedules(signal)).scheduled,
  refetchInterval: 30_000,
});

const paramOf = (id: number) => ({ param: { schedule_id: String(id) } });

/** Pauses a schedule. @throws ApiError 409 if it is not active. */
export const pauseSchedule = (id: number) => dataOf(api.orders.scheduled[':schedule_id'].pause.$post(paramOf(id)));

/** Resumes a paused schedule at its next time. @throws ApiError 409 if it is not paused. */
export const resumeSchedule = (id: number) => dataOf(api.orders.scheduled[':schedule_id'].resume.$post(paramOf(id)));

/** Ends a schedule permanently; its orders remain. @throws ApiError 409 if it has already ended. */
export const endSchedule = (id: number) => dataOf(api.orders.scheduled[':schedule_id'].end.$post(paramOf(id)));

/** Changes a schedule's times. @throws ApiError 400 if they are invalid, 409 if it has ended. */
export const editSchedule = (id: number, scheduleInfo: ScheduleInfo) =>
  dataOf(api.orders.scheduled[':schedule_id'].edit.$post({ ...paramOf(id), json: { scheduleInfo } }));
