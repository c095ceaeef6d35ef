import { GAMES, type GameId } from '../../../domain/games/games.ts';
import { type Table, type Texts, tableOf } from '../../../domain/scans/rows.ts';
import type { Part } from '../../models/events/event-snapshots.ts';
import { type Columns, joinScans } from '../scans/join-scans.ts';

/** A part whose rows are there. */
export type StoredPart = Part & { key: string; captured_at: number };

/** The parts of a moment whose rows are there. */
export const storedParts = (parts: readonly Part[], ts: number): StoredPart[] =>
  parts.filter((part): part is StoredPart => part.ts === ts && part.key !== null && part.captured_at !== null);

/**
 * Reads one side of a war: columns of the snapshots of all its kingdoms, as one table. The `core` ones are always there,
 * of the others (`more`) those that some snapshot has values in.
 */
export async function loadSide(
  store: R2Bucket,
  game: GameId,
  parts: readonly StoredPart[],
  { core, more }: Columns,
): Promise<Table> {
  if (parts.length === 0) return tableOf(game, []);
  // Without the verdicts, doubted figures would pass for sure ones.
  const side = await joinScans(store, game, parts, { core, more: ['doubted', ...more] });
  const { [GAMES[game].roles.tag]: tags } = side.texts;
  if (tags) share(tags);
  return side;
}

/** Makes one string of each text that is there often: a tag is shared by a whole alliance. */
function share(texts: Texts): void {
  const known = new Map<string, string>();
  for (let row = 0; row < texts.length; row++) {
    const text = texts[row] as string | null;
    if (text === null) continue;
    const first = known.get(text);
    if (first === undefined) known.set(text, text);
    else texts[row] = first;
  }
}
