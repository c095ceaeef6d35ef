import { useEffect, useState } from 'react';
import type { GameId } from '../../../domain/games/game-names.ts';
import { useFollowing } from '../../api/following.ts';
import { store, stored } from '../../stored.ts';
import { useHydrated } from '../../ui/use-hydrated.ts';
import { useSignedIn } from '../signed-in.tsx';

const nameOf = (game: GameId): string => `my-kingdom-${game}`;

/**
 * Remembers which kingdom of a game is the user's own; every event shows it first. The account remembers it for users,
 * this browser for visitors. At sign-in the browser's choice moves into an account that has none; an account that has one
 * keeps it.
 */
export function useMyKingdom(game: GameId): {
  own: string | null;
  remember: (kingdom: string | null) => void;
  error: Error | null;
} {
  const hydrated = useHydrated();
  const signedIn = useSignedIn();
  const { following, pinning } = useFollowing(signedIn);
  const [chosen, setChosen] = useState<string | null>();
  const inBrowser = chosen === undefined ? (hydrated ? stored(nameOf(game)) : null) : chosen;
  const known = following.data !== undefined;
  const { mutateAsync } = pinning;
  useEffect(() => {
    if (!known || inBrowser === null) return;
    const moved = () => {
      store(nameOf(game), null);
      setChosen(null);
    };
    // If it fails, the next page tries again.
    mutateAsync({ game, kingdom: inBrowser, if_none: true }).then(moved, () => undefined);
  }, [known, inBrowser, game, mutateAsync]);
  if (!signedIn)
    return {
      own: inBrowser,
      remember: (kingdom) => {
        store(nameOf(game), kingdom);
        setChosen(kingdom);
      },
      error: null,
    };
  const shown = pinning.isPending && !pinning.variables.if_none ? pinning.variables.kingdom : following.data?.own[game];
  return { own: shown ?? null, remember: (kingdom) => pinning.mutate({ game, kingdom }), error: pinning.error };
}
