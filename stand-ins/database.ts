import type { D1Database, D1DatabaseSession, D1PreparedStatement } from '@cloudflare/workers-types';

/** D1 with `before` awaited ahead of each call: it delays the call, or fails it by throwing. */
export function intercepted(database: D1Database, before: () => Promise<void> | void): D1Database {
  const bare = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const ofStatement = (statement: D1PreparedStatement): D1PreparedStatement => {
    const call = (name: 'run' | 'all' | 'first' | 'raw') => [
      name,
      async (...args: unknown[]) => {
        await before();
        return (statement[name] as (...args: unknown[]) => Promise<unknown>).apply(statement, args);
      },
    ];
    const own = Object.assign(Object.create(statement), {
      bind: (...values: unknown[]) => ofStatement(statement.bind(...values)),
      ...Object.fromEntries((['run', 'all', 'first', 'raw'] as const).map(call)),
    }) as D1PreparedStatement;
    bare.set(own, statement);
    return own;
  };
  const of = (opened: D1Database | D1DatabaseSession) => ({
    prepare: (sql: string) => ofStatement(opened.prepare(sql)),
    batch: async (statements: D1PreparedStatement[]) => {
      await before();
      return opened.batch(statements.map((statement) => bare.get(statement) ?? statement));
    },
    withSession: () => of(opened),
  });
  return of(database) as unknown as D1Database;
}
