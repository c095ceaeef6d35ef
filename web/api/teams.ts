import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { locale } from '../../domain/language/current.ts';
import { type Cents, dollars } from '../../domain/money/money.ts';
import { inOrder } from '../../domain/scans/text-order.ts';
import type { TeamRole, TeamStanding } from '../../domain/teams/roles.ts';
import { dataOf } from './client.ts';
import { api } from './typed.ts';

/** Teams: members, invites and the shared balance. Answers have amounts in dollars. */

const fetchTeams = (signal?: AbortSignal) => dataOf(api.teams.$get({}, { init: { signal } }));
export type ListedTeam = Awaited<ReturnType<typeof fetchTeams>>['teams'][number];

export const teamsQuery = queryOptions({
  queryKey: ['teams'],
  queryFn: async ({ signal }) =>
    (await fetchTeams(signal)).teams.toSorted((one, other) => inOrder(one.name, other.name, locale())),
});

const one = (team_id: string) => ({ param: { team_id } });

const fetchTeam = (teamId: string, signal?: AbortSignal) =>
  dataOf(api.teams[':team_id'].$get(one(teamId), { init: { signal } }));
export type Team = Awaited<ReturnType<typeof fetchTeam>>;
export type Member = Team['members'][number];
export type Invite = Team['invites'][number];

export const teamQuery = (teamId: string) =>
  queryOptions({ queryKey: ['teams', teamId], queryFn: ({ signal }) => fetchTeam(teamId, signal), retry: false });

const fetchStatement = (teamId: string, before: number | null, signal?: AbortSignal) =>
  dataOf(
    api.teams[':team_id'].statement.$get(
      { ...one(teamId), query: { before: before?.toString() } },
      { init: { signal } },
    ),
  );
export type TeamLine = Awaited<ReturnType<typeof fetchStatement>>['lines'][number];

/** A team's statement, newest entries first, in pages. */
export const teamStatementQuery = (teamId: string) =>
  infiniteQueryOptions({
    queryKey: ['teams', teamId, 'statement'],
    queryFn: ({ pageParam, signal }) => fetchStatement(teamId, pageParam, signal),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
    retry: false,
  });

export const makeTeam = (name: string) => dataOf(api.teams.$post({ json: { name } }));

export const limitTeam = (teamId: string, limit: Cents) =>
  dataOf(api.teams[':team_id'].$patch({ ...one(teamId), json: { monthly_limit: dollars(limit) } }));

export const closeTeam = (teamId: string) => dataOf(api.teams[':team_id'].$delete(one(teamId)));

/** Moves money from the owner's balance. `key` stays the same for all attempts of one form. */
export const topUpTeam = (teamId: string, amount: Cents, key: string) =>
  dataOf(
    api.teams[':team_id'].transfers.$post({
      ...one(teamId),
      json: { amount: dollars(amount) },
      header: { 'idempotency-key': key },
    }),
  );

export const makeInvite = (teamId: string, role: TeamRole, days: number) =>
  dataOf(api.teams[':team_id'].invites.$post({ ...one(teamId), json: { role, days } }));

export const revokeInvite = (team_id: string, invite_id: string) =>
  dataOf(api.teams[':team_id'].invites[':invite_id'].$delete({ param: { team_id, invite_id } }));

export const editMember = (team_id: string, user_id: string, role: TeamStanding) =>
  dataOf(api.teams[':team_id'].members[':user_id'].$patch({ param: { team_id, user_id }, json: { role } }));

export const endMember = (team_id: string, user_id: string) =>
  dataOf(api.teams[':team_id'].members[':user_id'].$delete({ param: { team_id, user_id } }));

const fetchLibrary = (teamId: string, signal?: AbortSignal) =>
  dataOf(api.teams[':team_id'].library.$get(one(teamId), { init: { signal } }));

/** What members share with their team. */
export const libraryQuery = (teamId: string) =>
  queryOptions({
    queryKey: ['teams', teamId, 'library'],
    queryFn: async ({ signal }) => (await fetchLibrary(teamId, signal)).links,
    retry: false,
  });

export const shareWithTeam = (teamId: string, link: string) =>
  dataOf(api.teams[':team_id'].library.$post({ ...one(teamId), json: { link } }));

export const takeFromTeam = (team_id: string, link_id: string) =>
  dataOf(api.teams[':team_id'].library[':link_id'].$delete({ param: { team_id, link_id } }));

/** What an invite offers. */
export const inviteQuery = (token: string) =>
  queryOptions({
    queryKey: ['invite', token],
    queryFn: ({ signal }) => dataOf(api.teams.invites[':token'].$get({ param: { token } }, { init: { signal } })),
    retry: false,
  });

export const acceptInvite = (token: string) => dataOf(api.teams.invites[':token'].$post({ param: { token } }));
