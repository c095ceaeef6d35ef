import { queryOptions } from '@tanstack/react-query';
import type { Period } from '../../domain/orders/periods.ts';
import { dataOf } from './client.ts';
import { api } from './typed.ts';

const fetchSchedules = (signal?: AbortSignal) => dataOf(api.orders.scheduled.$get({}, { init: { signal } }));

/** A standing order with its newest runs; moments are epoch milliseconds, `total` is today's price in dollars. */
export type Schedule = Awaited<ReturnType<typeof fetchSchedules>>['scheduled'][number];
export type ScheduleRun = Schedule['orders'][number];

/** When an order is to be placed, as the wire has it: moments in ISO 8601, UTC. */
export interface ScheduleInfo {
  interval: number;
  period: Period;
  start: string | null;
  end: string | null;
}

/** The user's standing orders, asked again every 30 s: runs come by themselves. */
export const schedulesQuery = queryOptions({
  queryKey: ['schedules'],
  queryFn: async ({ signal }) => (await fetchSchedules(signal)).scheduled,
  refetchInterval: 30_000,
});

const paramOf = (id: number) => ({ param: { schedule_id: String(id) } });

/** Stops a schedule until it is resumed. @throws ApiError 409 where it is not active. */
export const pauseSchedule = (id: number) => dataOf(api.orders.scheduled[':schedule_id'].pause.$post(paramOf(id)));

/** Goes on with a paused schedule from its next moment. @throws ApiError 409 where it is not paused. */
export const resumeSchedule = (id: number) => dataOf(api.orders.scheduled[':schedule_id'].resume.$post(paramOf(id)));

/** Ends a schedule for good; its orders stay. @throws ApiError 409 where it has ended. */
export const endSchedule = (id: number) => dataOf(api.orders.scheduled[':schedule_id'].end.$post(paramOf(id)));

/** Gives a schedule other times. @throws ApiError 400 with what is wrong, 409 where it has ended. */
export const editSchedule = (id: number, scheduleInfo: ScheduleInfo) =>
  dataOf(api.orders.scheduled[':schedule_id'].edit.$post({ ...paramOf(id), json: { scheduleInfo } }));
