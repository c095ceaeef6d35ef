import { queryOptions } from '@tanstack/react-query';
import type { BotsAct, FleetAct } from '../../domain/fleet/admin-contract.ts';
import { BOTS_REFRESH_MS } from './admin.ts';
import { dataOf } from './client.ts';
import { api } from './typed.ts';

/** The fleet: its state, groups and bots' work. */

const fetchFleet = (signal?: AbortSignal) => dataOf(api.admin.fleet.$get({}, { init: { signal } }));
export type FleetState = Awaited<ReturnType<typeof fetchFleet>>;

/** Polling interval of the fleet's state, in ms. */
const FLEET_REFRESH_MS = 15_000;

export const fleetQuery = queryOptions({
  queryKey: ['admin', 'fleet'],
  queryFn: ({ signal }) => fetchFleet(signal),
  refetchInterval: FLEET_REFRESH_MS,
});

const fetchGroups = async (signal?: AbortSignal) =>
  (await dataOf(api.admin.groups.$get({}, { init: { signal } }))).groups;

export const groupsQuery = queryOptions({
  queryKey: ['admin', 'groups'],
  queryFn: ({ signal }) => fetchGroups(signal),
});

const fetchWork = (bot_id: string, signal?: AbortSignal) =>
  dataOf(api.admin.bots[':bot_id'].work.$get({ param: { bot_id } }, { init: { signal } }));
export type BotWork = Awaited<ReturnType<typeof fetchWork>>[number];

export const botWorkQuery = (bot_id: string) =>
  queryOptions({
    queryKey: ['admin', 'bots', bot_id, 'work'],
    queryFn: ({ signal }) => fetchWork(bot_id, signal),
    refetchInterval: BOTS_REFRESH_MS,
  });

export const actOnBot = (bot_id: string, act: FleetAct, json: { group_id: string; reason: string }) =>
  dataOf(api.admin.bots[':bot_id'][':act{pause|resume|retire}'].$post({ param: { bot_id, act }, json }));

export const actOnBots = (group: string, act: BotsAct, reason: string) =>
  dataOf(api.admin.fleet.bots[':act{pause|resume}'].$post({ param: { act }, json: { group, reason } }));

export const actOnGroup = (group_id: string, act: FleetAct, reason: string) =>
  dataOf(
    api.admin.groups[':group_id'][':act{pause|resume|retire}'].$post({ param: { group_id, act }, json: { reason } }),
  );

export const makeGroup = (json: { group_id: string; name: string; reason: string }) =>
  dataOf(api.admin.groups.$post({ json }));

export const replaceToken = (group_id: string, json: { reason: string; code: string | undefined }) =>
  dataOf(api.admin.groups[':group_id'].token.$post({ param: { group_id }, json }));
