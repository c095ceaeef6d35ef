import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import type { followChoice, followedChanges, followingAnswer, ownKingdom } from '../../domain/events/following.ts';
import { send } from './client.ts';

/** What the user follows, and their own kingdoms. Without the typed client, because events' first pages use it. */

type Following = z.infer<typeof followingAnswer>;
export type FollowedEvent = Following['events'][number];
export type FollowedChanges = z.infer<typeof followedChanges>;

const PATH = '/v1/account/following';

export const followingQuery = queryOptions({
  queryKey: ['following'],
  queryFn: ({ signal }) => send<Following>(PATH, { signal }),
  staleTime: 5 * 60_000,
});

/** What changed since the last visit in what the user follows. */
export const followedChangesQuery = queryOptions({
  queryKey: ['following', 'changes'],
  queryFn: ({ signal }) => send<FollowedChanges>(`${PATH}/changes`, { signal }),
  staleTime: 60_000,
});

/** Follows an event or a kingdom in it, or stops to. */
export const chooseFollowed = (choice: z.output<typeof followChoice>): Promise<Following> =>
  send(`${PATH}/event`, { method: 'PUT', body: JSON.stringify(choice) });

/** Sets the user's own kingdom of a game. */
export const setOwnKingdom = (
  wanted: Omit<z.output<typeof ownKingdom>, 'if_none'> & { if_none?: boolean },
): Promise<Following> => send(`${PATH}/kingdom`, { method: 'PUT', body: JSON.stringify(wanted) });

/** Returns what the user follows, and mutations that change it. Visitors follow nothing and send no request. */
export function useFollowing(signedIn: boolean) {
  const client = useQueryClient();
  const following = useQuery({ ...followingQuery, enabled: signedIn });
  const onSuccess = async (saved: Following) => {
    await client.cancelQueries({ queryKey: followingQuery.queryKey, exact: true });
    client.setQueryData(followingQuery.queryKey, saved);
    await client.invalidateQueries({ queryKey: followedChangesQuery.queryKey });
  };
  const choosing = useMutation({ mutationFn: chooseFollowed, onSuccess });
  const pinning = useMutation({ mutationFn: setOwnKingdom, onSuccess });
  const follows = (id: number, kingdom: string | null): boolean =>
    following.data?.events.some((one) => one.dashboard_id === id && one.kingdom === kingdom) ?? false;
  return { following, choosing, pinning, follows };
}
