import { DAY_MS } from '../../domain/days.ts';
import { GAMES } from '../../domain/games/games.ts';
import { addScan } from '../../domain/history/history.ts';
import { DAY_FIGURES } from '../../domain/history/line.ts';
import { killPoints } from '../../domain/scans/quality.ts';
import { emptyTable, type Table } from '../../domain/scans/rows.ts';
import { openDb } from '../../worker/db/open.ts';
import type { Env } from '../../worker/env.ts';
import { changeHistory } from '../../worker/gateways/history-store.ts';
import { seenIn } from '../../worker/services/histories/keep-history.ts';
import { publishSnapshot } from '../../worker/services/scans/publish-snapshot.ts';

/** Makes results of large orders inside the Worker. Hand-ins by bots are another benchmark. */

/** Makes a scan of realistic size, with every column of the results table and distinct names. */
function scanOf(kingdom: number, governors: number): Table {
  const { roles } = GAMES.rok;
  const table = emptyTable('rok', governors);
  const put = (key: string, row: number, value: number) => {
    const numbers = table.numbers[key];
    if (numbers) numbers[row] = value;
  };
  for (let row = 0; row < governors; row++) {
    const kills = [7, 11, 13, 17, 19].map(
      (prime, tier) => (kingdom * 31 + row * prime * 7919) % 10 ** (8 - (tier % 2)),
    );
    put(roles.id, row, kingdom * 100_000 + row + 1);
    put(roles.kingdom, row, kingdom);
    put(roles.power, row, Math.floor(250_000_000 / (1 + row / 200)) + ((kingdom * 7919 + row) % 1_000_000));
    put(roles.highestPower, row, 400_000_000);
    put(roles.hall, row, 25);
    put(roles.deads, row, (row * 104_729 + kingdom) % 20_000_000);
    put(roles.score, row, killPoints(kills, GAMES.rok.killPoints ?? []));
    for (const [tier, key] of roles.tiers.entries()) put(key, row, kills[tier] ?? 0);
    (table.texts[roles.name] ?? [])[row] = `Governor ${row} of ${kingdom}`;
    (table.texts[roles.tag] ?? [])[row] = `T${(row * 7) % 23}`;
  }
  return table;
}

/** Publishes results for `count` items of the newest order, starting at position `from`. */
export async function publishItems(env: Env, from: number, count: number, governors: number): Promise<void> {
  const db = openDb(env);
  const { results } = await env.DB.prepare(
    `SELECT id, kingdom_id FROM items WHERE order_id = (SELECT max(id) FROM orders) AND position >= ? ORDER BY position LIMIT ?`,
  )
    .bind(from, count)
    .all<{ id: string; kingdom_id: number }>();
  for (const { id, kingdom_id } of results)
    await publishSnapshot(db, env.STORE, scanOf(kingdom_id, governors), {
      kingdom_id,
      captured_at: Date.now(),
      source: 'bench',
      id,
      item_id: id,
      version: 1,
    });
}

/** Position of the rank among a day's figures. */
const RANK = DAY_FIGURES.indexOf('rank');

/** Stores a kingdom's history: today and each of the `days` before. */
export async function rememberKingdom(env: Env, kingdom: number, governors: number, days: number): Promise<void> {
  const now = Date.now();
  const capture = {
    kingdom_id: kingdom,
    captured_at: now,
    source: 'bench',
    id: `k${kingdom}`,
    item_id: null,
    version: 1,
  };
  const table = scanOf(kingdom, governors);
  await publishSnapshot(openDb(env), env.STORE, table, capture);
  const seen = seenIn(table);
  await changeHistory(env.STORE, { game: 'rok', kingdom_id: kingdom }, (history) => {
    for (let ago = 1; ago < days; ago++)
      addScan(
        history,
        { kingdom_id: kingdom, captured_at: now - ago * DAY_MS, by_file: false },
        seen.map(({ governor_id, values }) => ({
          governor_id,
          values: values.map((value, at) => (at === RANK ? value : Math.max(0, value - ago * 500))),
        })),
      );
    return true;
  });
}
