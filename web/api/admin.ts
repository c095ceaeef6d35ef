import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { GameId } from '../../domain/games/games.ts';
import { CODES_PER_PAGE, type MailState } from '../../domain/service/admin-words.ts';
import { dataOf } from './client.ts';
import { api } from './typed.ts';

/** Queries and calls of the admin pages. */

export interface BotsPage {
  /** All groups if undefined. */
  group?: string | undefined;
  page?: number | undefined;
}

const fetchBots = ({ group, page }: BotsPage, signal?: AbortSignal) =>
  dataOf(api.admin.bots.$get({ query: { group, page: page?.toString() } }, { init: { signal } }));
export type BotListing = Awaited<ReturnType<typeof fetchBots>>;
export type Bot = BotListing['bots'][string][number];

/** Polling interval of the bot list, in ms. */
export const BOTS_REFRESH_MS = 5_000;

/** A page of a group's bots, which is refreshed. All groups are read until there is a bot, for their names. */
export const botsQuery = (wanted: BotsPage) =>
  queryOptions({
    queryKey: ['admin', 'bots', wanted],
    queryFn: ({ signal }) => fetchBots(wanted, signal),
    refetchInterval: ({ state }) =>
      wanted.group === undefined && Object.keys(state.data?.counts ?? {}).length > 0 ? false : BOTS_REFRESH_MS,
  });

export const botQuery = (bot_id: string) =>
  queryOptions({
    queryKey: ['admin', 'bots', bot_id],
    queryFn: ({ signal }) => dataOf(api.admin.bots[':bot_id'].$get({ param: { bot_id } }, { init: { signal } })),
    refetchInterval: BOTS_REFRESH_MS,
  });

export const botFilesQuery = (bot_id: string) =>
  queryOptions({
    queryKey: ['admin', 'bots', bot_id, 'files'],
    queryFn: ({ signal }) => dataOf(api.admin.bots[':bot_id'].files.$get({ param: { bot_id } }, { init: { signal } })),
    refetchInterval: BOTS_REFRESH_MS,
  });

const fetchFigures = (signal?: AbortSignal) => dataOf(api.admin.figures.$get({}, { init: { signal } }));
export type Figures = Awaited<ReturnType<typeof fetchFigures>>;

/** Polling interval of the work that waits for an admin, in ms. */
const FIGURES_REFRESH_MS = 60_000;

export const figuresQuery = queryOptions({
  queryKey: ['admin', 'figures'],
  queryFn: ({ signal }) => fetchFigures(signal),
  refetchInterval: FIGURES_REFRESH_MS,
});

const fetchTrends = (signal?: AbortSignal) => dataOf(api.admin.trends.$get({}, { init: { signal } }));
export type Trends = Awaited<ReturnType<typeof fetchTrends>>;

export const trendsQuery = queryOptions({
  queryKey: ['admin', 'trends'],
  queryFn: ({ signal }) => fetchTrends(signal),
});

const fetchSetbacks = (signal?: AbortSignal) => dataOf(api.admin.setbacks.$get({}, { init: { signal } }));
export type Setback = Awaited<ReturnType<typeof fetchSetbacks>>['setbacks'][number];

/** Polling interval of the retry queue, in ms. */
const SETBACKS_REFRESH_MS = 15_000;

export const setbacksQuery = queryOptions({
  queryKey: ['admin', 'setbacks'],
  queryFn: ({ signal }) => fetchSetbacks(signal),
  refetchInterval: SETBACKS_REFRESH_MS,
});

export const trySetback = ({ job, subject }: Pick<Setback, 'job' | 'subject'>) =>
  dataOf(api.admin.setbacks.try.$post({ json: { job, subject } }));

export interface OutboxFilter {
  search?: string | undefined;
  state?: MailState | undefined;
}

const fetchMails = (filter: OutboxFilter, before: number | null, signal?: AbortSignal) =>
  dataOf(api.admin.outbox.$get({ query: { ...filter, before: before?.toString() } }, { init: { signal } }));
export type OutboxMail = Awaited<ReturnType<typeof fetchMails>>['mails'][number];

export const outboxQuery = (filter: OutboxFilter) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'outbox', filter],
    queryFn: ({ pageParam, signal }) => fetchMails(filter, pageParam, signal),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
  });

/** Resends one failed mail, or all that match a search. Returns how many. */
export const sendMailsAgain = (id: number | 'all', search?: string) =>
  dataOf(api.admin.outbox.again.$post({ json: { id, search } }));

const fetchCodes = (before: number | null, signal?: AbortSignal) =>
  dataOf(api.admin['access-codes'].$get({ query: { before: before?.toString() } }, { init: { signal } }));
export type AccessCode = Awaited<ReturnType<typeof fetchCodes>>[number];

export const accessCodesQuery = infiniteQueryOptions({
  queryKey: ['admin', 'access-codes'],
  queryFn: ({ pageParam, signal }) => fetchCodes(pageParam, signal),
  initialPageParam: null as number | null,
  getNextPageParam: (codes) => (codes.length === CODES_PER_PAGE ? (codes.at(-1)?.id ?? null) : null),
});

export const codeUsersQuery = (id: number) =>
  queryOptions({
    queryKey: ['admin', 'access-codes', id, 'users'],
    queryFn: async ({ signal }) =>
      (
        await dataOf(
          api.admin['access-codes'][':code_id'].users.$get({ param: { code_id: String(id) } }, { init: { signal } }),
        )
      ).users,
  });

export const createAccessCode = (form: { code?: string; max_uses: number; expires_at: number | null; note: string }) =>
  dataOf(api.admin['access-codes'].$post({ json: form }));

export const revokeAccessCode = (id: number, code: string | undefined) =>
  dataOf(api.admin['access-codes'][':code_id'].$delete({ param: { code_id: String(id) }, json: { code } }));

/** Ends all sessions of a user, or of everybody if null. */
export const signOutUser = (username: string | null) => dataOf(api.admin['sign-out'].$post({ json: { username } }));

const fetchBoards = (signal?: AbortSignal) => dataOf(api.admin.boards.$get({}, { init: { signal } }));
export type Boards = Awaited<ReturnType<typeof fetchBoards>>;

export const boardsQuery = queryOptions({
  queryKey: ['admin', 'boards'],
  queryFn: ({ signal }) => fetchBoards(signal),
});

export const publishBoards = (game: GameId, day: string) =>
  dataOf(api.admin.boards.publish.$post({ json: { game, day } }));
