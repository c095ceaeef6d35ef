import { withoutRemoved } from '../../../domain/events/removed.ts';
import type { GameId } from '../../../domain/games/games.ts';
import type { Table } from '../../../domain/scans/rows.ts';
import type { SnapshotPart } from '../../models/events/event-snapshots.ts';
import { loadSide } from '../difference/load-side.ts';
import type { WantedColumns } from '../scans/join-scans.ts';

/** A part whose rows are stored. */
export type StoredPart = SnapshotPart & { key: string; captured_at: number };

/** Returns the parts of a time whose rows are stored. */
export const storedParts = (parts: readonly SnapshotPart[], ts: number): StoredPart[] =>
  parts.filter((part): part is StoredPart => part.ts === ts && part.key !== null && part.captured_at !== null);

/** The parts of `partsOf`'s result on which rows depend: the game and the hidden governors. */
export interface Shown {
  game: GameId;
  removed: readonly number[];
}

/**
 * Reads an event's snapshots of a moment as the public sees them, with the verdicts, because without them doubted
 * figures would count.
 */
export const loadMoment = async (
  store: R2Bucket,
  { game, removed }: Shown,
  parts: readonly StoredPart[],
  { core, more }: WantedColumns,
): Promise<Table> => withoutRemoved(await loadSide(store, game, parts, { core, more: ['doubted', ...more] }), removed);
