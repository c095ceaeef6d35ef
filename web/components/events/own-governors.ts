import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { GameId } from '../../../domain/games/game-names.ts';
import { ownGovernorsQuery } from '../../api/own-governors.ts';
import { storedUser } from '../../session.ts';
import type { DifferenceRows } from '../difference/difference-rows.ts';

/** The rows of the governors that the user calls his own: they stand above the others. Visitors have none. */
export function useOwnGovernors(game: GameId, rows: DifferenceRows | null): number[] {
  const own = useQuery({ ...ownGovernorsQuery, enabled: storedUser() !== null });
  const ids = own.data?.[game];
  return useMemo(() => {
    if (!rows || !ids || ids.length === 0) return [];
    const wanted = new Set(ids);
    return rows.table.id.flatMap((id, row) => (wanted.has(id) ? [row] : []));
  }, [ids, rows]);
}
