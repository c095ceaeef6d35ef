import { useMemo } from 'react';
import type { GameId } from '../../../domain/games/game-names.ts';
import { useOwn } from '../../api/own-governors.ts';
import type { DifferenceRows } from '../difference/difference-rows.ts';

/** Returns the rows of the user's own governors, which the table pins to the top. */
export function useOwnGovernors(game: GameId, rows: DifferenceRows | null, signedIn: boolean): number[] {
  const ids = useOwn(signedIn).own.data?.[game];
  return useMemo(() => {
    if (!rows || !ids || ids.length === 0) return [];
    const wanted = new Set(ids);
    return rows.table.id.flatMap((id, row) => (wanted.has(id) ? [row] : []));
  }, [ids, rows]);
}
