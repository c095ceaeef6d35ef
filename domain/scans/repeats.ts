import { GAMES, type GameId } from '../games/games.ts';
import { t } from '../language/text.ts';
import type { Stage } from './growing.ts';

/** How many governors are named, and characters of each name. */
const NAMED = 3;
const NAMED_LENGTH = 30;

/** Counts the governors that a file repeats with different figures. */
export class Repeats {
  readonly #game: GameId;
  /** Kingdom and id → name. */
  readonly #names = new Map<string, string>();
  #lines = 0;

  constructor(game: GameId) {
    this.#game = game;
  }

  /** Returns whether the current row has other figures than the row of an earlier line, and counts it if so. */
  isOther(stages: readonly Stage[], earlier: number, kingdom: number | null, id: number): boolean {
    const { roles } = GAMES[this.#game];
    const [first] = stages as readonly [Stage];
    const other = stages.some((stage) => {
      stage.settle(roles.tiers);
      const row = stage.rowOf(earlier);
      if (row >= 0) return stage.differs(row, roles.kingdom);
      return (stage.powers.values[stage.count] as number) > 0;
    });
    if (!other) return false;
    this.#lines++;
    const key = `${kingdom} ${id}`;
    const name = first.texts.get(roles.name)?.[first.rowOf(earlier)];
    if (!this.#names.has(key)) this.#names.set(key, (name ?? `${id}`).slice(0, NAMED_LENGTH).toWellFormed());
    return true;
  }

  /** Sums up the repeats in a sentence; empty if there were none. */
  get sentences(): string[] {
    const count = this.#names.size;
    if (count === 0) return [];
    const named = [...this.#names.values()].slice(0, NAMED).map((name) => `'${name}'`);
    const rest = count - named.length;
    const names = named.join(', ');
    const who = rest > 0 ? t('{names} and {count} more', { names, count: rest }) : names;
    return [
      t(
        '{game, select, cod {{count, plural, one {# lord} other {# lords}}} other {{count, plural, one {# governor} other {# governors}}}} repeated with different figures ({who}): the first line of each counts, {lines, plural, one {# other line} other {# other lines}} left out.',
        { game: this.#game, count, who, lines: this.#lines },
      ),
    ];
  }
}
