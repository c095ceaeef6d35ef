import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Scan files of a made-up kingdom, of which some rows were misread as real scans' rows are. */

export const KINGDOM = 4242;
export const GOVERNORS = 5000;
/** Ranks of the misread rows in the second scan. */
export const MISREAD = { tiersUnread: 3, scoreUnread: 8, identityBroken: 12, counterFell: 20 } as const;

const HEADER = [
  ...['Kingdom', 'Governor ID', 'Governor Name', 'Alliance Tag', 'Power', 'Kill Points', 'Deads', 'Town Hall'],
  ...['T1 Kills', 'T2 Kills', 'T3 Kills', 'T4 Kills', 'T5 Kills', 'Highest Power', 'Helps Given'],
].join(',');

const TAGS = ['WLF', 'OAK', 'R&R', '', 'Ænd'];

/** A governor by rank; `later` ones have fought on. */
function line(rank: number, later: boolean, misread: boolean): string {
  const power = 240_000_000 - rank * 40_000 - ((rank * 7919) % 900);
  const tiers = [1, 2, 3, 4, 5].map((tier) => (6000 - rank) * 1000 * tier + (later ? 5000 * tier : 0));
  const points = tiers.reduce((sum, kills, tier) => sum + Math.floor(kills * ([0.2, 2, 4, 10, 20][tier] ?? 0)), 0);
  const row = {
    points,
    tiers,
    deads: 9_000_000 - rank * 1000 + (later ? 500 : 0),
  };
  if (misread && rank === MISREAD.tiersUnread) row.tiers = [0, 0, 0, 0, 0];
  if (misread && rank === MISREAD.scoreUnread) row.points = 0;
  if (misread && rank === MISREAD.identityBroken) row.points += 1_000_000_000;
  if (misread && rank === MISREAD.counterFell) row.deads = 12;
  const name = rank === 5 ? '"<b>Rook, the ""5th""</b>"' : `Governor ${rank}`;
  return [
    ...[KINGDOM, 700_000 + rank, name, TAGS[rank % TAGS.length], power, row.points, row.deads, 25 - (rank % 7)],
    ...[...row.tiers, power + 1_000_000, rank * 3],
  ].join(',');
}

/** Writes the kingdom's scan of a day; the one of `later` is the misread one. */
export function writeScan(folder: string, day: string, later: boolean): void {
  mkdirSync(folder, { recursive: true });
  const lines = Array.from({ length: GOVERNORS }, (_, index) => line(index + 1, later, later));
  writeFileSync(join(folder, `kingdom-${day}.csv`), `${[HEADER, ...lines].join('\n')}\n`);
}
