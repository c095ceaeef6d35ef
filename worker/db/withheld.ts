import type { GameId } from '../../domain/games/games.ts';
import { type Db, openDb } from './open.ts';

/**
 * D1 whose results wait for permission. Reads start at once, so that looking up the caller costs no trip of
 * its own. Everything else starts only with permission.
 */

const READS = /^\s*(SELECT|WITH)\b/i;
const WRITES = /\b(INSERT|UPDATE|DELETE|REPLACE\s+INTO)\b/i;

/** True if the statement certainly writes nothing. */
const onlyReads = (sql: string): boolean => READS.test(sql) && !WRITES.test(sql);

/** What statements wait for. Rejects with the refusal. */
class Permission {
  readonly #given: Promise<unknown>;
  readonly #running = new Set<Promise<unknown>>();

  constructor(given: Promise<unknown>) {
    this.#given = given;
  }

  async run<Result>(reads: boolean, act: () => Promise<Result>): Promise<Result> {
    if (!reads) await this.#given;
    const running = act();
    const ended = running
      .catch(() => undefined)
      .finally(() => {
        this.#running.delete(ended);
      });
    this.#running.add(ended);
    // Rejects with the refusal rather than with what a refused caller's statement met.
    await this.#given;
    return running;
  }

  /** Waits for everything that runs. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }
}

interface Inside {
  statement: D1PreparedStatement;
  reads: boolean;
}

const insides = new WeakMap<D1PreparedStatement, Inside>();

function withheldStatement(inside: Inside, permission: Permission): D1PreparedStatement {
  const { statement, reads } = inside;
  const held = <Result>(act: () => Promise<Result>): Promise<Result> => permission.run(reads, act);
  const outside = {
    bind: (...values: unknown[]) => withheldStatement({ statement: statement.bind(...values), reads }, permission),
    first: (column: string) => held(() => (column === undefined ? statement.first() : statement.first(column))),
    all: () => held(() => statement.all()),
    run: () => held(() => statement.run()),
    raw: (options: { columnNames: true }) => held(() => statement.raw(options)),
  } as unknown as D1PreparedStatement;
  insides.set(outside, inside);
  return outside;
}

interface Withheld {
  db: Db;
  /** Waits for statements that run, also if they were refused. */
  settle(): Promise<void>;
}

/** Returns the databases with their results withheld until `given` settles. */
export function withheld(db: Db, given: Promise<unknown>): Withheld {
  const permission = new Permission(given);
  const of = (client: D1Database) => {
    const outside = {
      prepare: (sql: string) =>
        withheldStatement({ statement: client.prepare(sql), reads: onlyReads(sql) }, permission),
      batch: (statements: D1PreparedStatement[]) => {
        const all = statements.map((each) => insides.get(each) ?? { statement: each, reads: false });
        const reads = all.every((each) => each.reads);
        return permission.run(reads, () => client.batch(all.map(({ statement }) => statement)));
      },
    };
    return outside as unknown as D1Database;
  };
  const apart = (game: GameId) => (db.directory(game) === db.$client ? undefined : of(db.directory(game)));
  const bound = { DB: of(db.$client), DIRECTORY_ROK: apart('rok'), DIRECTORY_COD: apart('cod') };
  return { db: openDb(bound), settle: () => permission.settle() };
}
