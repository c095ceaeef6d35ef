import { useState } from 'react';
import type { GameId } from '../../../domain/games/game-names.ts';
import { store, stored } from '../../stored.ts';
import { useHydrated } from '../../ui/use-hydrated.ts';

const nameOf = (game: GameId): string => `my-kingdom-${game}`;

/** Remembers in this browser which kingdom of a game is the user's own; every event shows it first. */
export function useMyKingdom(game: GameId): { own: string | null; remember: (kingdom: string | null) => void } {
  const hydrated = useHydrated();
  const [chosen, setChosen] = useState<string | null>();
  return {
    own: chosen === undefined ? (hydrated ? stored(nameOf(game)) : null) : chosen,
    remember: (kingdom) => {
      store(nameOf(game), kingdom);
      setChosen(kingdom);
    },
  };
}
