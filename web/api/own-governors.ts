import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import type { ownGovernorList } from '../../domain/events/answers.ts';
import type { GameId } from '../../domain/games/game-names.ts';
import { send } from './client.ts';

type OwnGovernors = z.infer<typeof ownGovernorList>;
type NamedGovernor = OwnGovernors['named'][number];

const PATH = '/v1/account/governors';

export const ownGovernorsQuery = queryOptions({
  queryKey: ['own-governors'],
  queryFn: ({ signal }) => send<OwnGovernors>(PATH, { signal }),
  staleTime: 5 * 60_000,
});

/** Replaces the user's list of own governors. */
export const saveOwnGovernors = ({ rok, cod }: Pick<OwnGovernors, GameId>): Promise<OwnGovernors> =>
  send(PATH, { method: 'PUT', body: JSON.stringify({ rok, cod }) });

/**
 * Returns the user's own governors, and `toggle`, which adds or removes one. Updates optimistically, with the name from
 * `known`, and rolls back if the server refuses. Visitors have none.
 */
export function useOwn(signedIn: boolean) {
  const client = useQueryClient();
  const own = useQuery({ ...ownGovernorsQuery, enabled: signedIn });
  const { queryKey } = ownGovernorsQuery;
  const saving = useMutation({
    mutationFn: (wanted: OwnGovernors) => saveOwnGovernors(wanted),
    onMutate: async (wanted) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      client.setQueryData(queryKey, wanted);
      return before;
    },
    onSuccess: (saved) => client.setQueryData(queryKey, saved),
    onError: (_error, _wanted, before) => client.setQueryData(queryKey, before),
  });
  const isOwn = (game: GameId, governor: number): boolean => own.data?.[game].includes(governor) ?? false;
  const toggle = (game: GameId, governor: number, known?: NamedGovernor): void => {
    if (!own.data) return;
    const others = own.data[game].filter((each) => each !== governor);
    const named = known ? [...own.data.named, known] : own.data.named;
    saving.mutate({ ...own.data, named, [game]: isOwn(game, governor) ? others : [...others, governor] });
  };
  return { own, saving, isOwn, toggle };
}
