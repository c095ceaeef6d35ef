import type { GameId } from '../../../domain/games/games.ts';
import type { Table } from '../../../domain/scans/rows.ts';
import type { SnapshotPart } from '../../models/events/event-snapshots.ts';
import { loadSide } from '../difference/load-side.ts';
import type { WantedColumns } from '../scans/join-scans.ts';

/** A part whose rows are there. */
export type StoredPart = SnapshotPart & { key: string; captured_at: number };

/** The parts of a moment whose rows are there. */
export const storedParts = (parts: readonly SnapshotPart[], ts: number): StoredPart[] =>
  parts.filter((part): part is StoredPart => part.ts === ts && part.key !== null && part.captured_at !== null);

/** Reads an event's snapshots of a moment, with the verdicts: without them doubted figures would count as sure. */
export const loadMoment = (
  store: R2Bucket,
  game: GameId,
  parts: readonly StoredPart[],
  { core, more }: WantedColumns,
): Promise<Table> => loadSide(store, game, parts, { core, more: ['doubted', ...more] });
