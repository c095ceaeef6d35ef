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

/** Adds a governor to the user's own, or removes one. */
interface Claim {
  game: GameId;
  governor: number;
  own: boolean;
  /** The governor with its name, if it is known. */
  known?: NamedGovernor | undefined;
}

const withClaim = (list: OwnGovernors, { game, governor, own, known }: Claim): OwnGovernors => {
  const others = list[game].filter((each) => each !== governor);
  return {
    ...list,
    named: known ? [...list.named, known] : list.named,
    [game]: own ? [...others, governor] : others,
  };
};

/**
 * Returns the user's own governors, and `toggle`, which adds or removes one. Updates optimistically, with the name from
 * `known`, and rolls back if the server refuses. Visitors have none.
 */
export function useOwn(signedIn: boolean) {
  const client = useQueryClient();
  const own = useQuery({ ...ownGovernorsQuery, enabled: signedIn });
  const { queryKey } = ownGovernorsQuery;
  const saving = useMutation({
    // Another tab or device may have changed the list since this page read it.
    mutationFn: async (claim: Claim) => saveOwnGovernors(withClaim(await send<OwnGovernors>(PATH), claim)),
    onMutate: async (claim) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      client.setQueryData(queryKey, (list) => list && withClaim(list, claim));
      return before;
    },
    onSuccess: (saved) => client.setQueryData(queryKey, saved),
    onError: (_error, _claim, before) => client.setQueryData(queryKey, before),
  });
  const isOwn = (game: GameId, governor: number): boolean => own.data?.[game].includes(governor) ?? false;
  const toggle = (game: GameId, governor: number, known?: NamedGovernor): void => {
    if (own.data) saving.mutate({ game, governor, own: !isOwn(game, governor), known });
  };
  return { own, saving, isOwn, toggle };
}
