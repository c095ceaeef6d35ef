import { GAMES } from '../domain/games/games.ts';
import { emptyTable, type Table } from '../domain/scans/rows.ts';

/** Makes a kingdom's governors at a time. Most are the same at each step, a few change, and all fight. */
export function kingdomAt(kingdom: number, rows: number, step: number): Table {
  const table = emptyTable('rok', rows);
  const { id, name, tag, kingdom: home, power, highestPower, score, deads, tiers, hall } = GAMES.rok.roles;
  for (let row = 0; row < rows; row++) {
    const person = kingdom * 20_000 + row + (row % 20 === 0 ? step * 5000 : 0);
    const kills = 1000 + ((person * 7919) % 100_000) * (1 + step);
    const set = (key: string, value: number) => {
      (table.numbers[key] as Float64Array)[row] = value;
    };
    set(id, 10_000_000 + person * 13);
    set(home, kingdom);
    set(power, 90_000_000 - row * 15_000 + step);
    set(highestPower, 95_000_000);
    set(hall, 25);
    set(deads, kills * 3);
    tiers.forEach((key, tier) => {
      set(key, kills * (tier + 1));
    });
    set(score, Math.floor(kills * 0.2) + kills * 4 + kills * 12 + kills * 40 + kills * 100);
    (table.texts[name] as (string | null)[])[row] = `Governor ${person} ${'一二三四五'[person % 5]}`;
    (table.texts[tag] as (string | null)[])[row] = `K${kingdom % 100}${row % 7}`;
  }
  return table;
}
