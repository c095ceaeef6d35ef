/** Counts database work that a request has begun without waiting for it. */

const BARE = Symbol('the statement as D1 knows it');
const RUNS = new Set(['run', 'all', 'first', 'raw']);

type Session = ReturnType<D1Database['withSession']>;

/** Returns bindings with the database of `env`, and the SQL that each of its sessions still runs. */
export function watched<Bindings extends object>(env: Bindings): { env: Bindings; open: ReadonlySet<string> } {
  const open = new Set<string>();
  let begun = 0;
  const during = async <Answer>(sql: string, work: () => Promise<Answer>): Promise<Answer> => {
    const name = `${++begun}: ${sql.trim().replace(/\s+/g, ' ').slice(0, 80)}`;
    open.add(name);
    try {
      return await work();
    } finally {
      open.delete(name);
    }
  };
  const ofStatement = (statement: D1PreparedStatement, sql: string): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, name) {
        if (name === BARE) return [target, sql];
        const value = Reflect.get(target, name);
        if (name === 'bind') return (...values: unknown[]) => ofStatement(target.bind(...values), sql);
        if (RUNS.has(String(name))) return (...args: unknown[]) => during(sql, () => value.apply(target, args));
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  const bareOf = (statement: D1PreparedStatement) => Reflect.get(statement, BARE) as [D1PreparedStatement, string];
  const ofSession = (session: Session): Session =>
    ({
      prepare: (sql: string) => ofStatement(session.prepare(sql), sql),
      batch: (statements: D1PreparedStatement[]) =>
        during(statements.map((each) => bareOf(each)[1]).join('; '), () =>
          session.batch(statements.map((each) => bareOf(each)[0])),
        ),
      getBookmark: () => session.getBookmark(),
    }) as Session;
  const database = new Proxy({} as D1Database, {
    get(_, name) {
      const client = Reflect.get(env, 'DB') as D1Database;
      if (name === 'withSession') return (bookmark: string) => ofSession(client.withSession(bookmark));
      const value = Reflect.get(client, name);
      return typeof value === 'function' ? value.bind(client) : value;
    },
  });
  const bindings = new Proxy(env, {
    get: (target, name) => (name === 'DB' && Reflect.get(target, name) ? database : Reflect.get(target, name)),
  });
  return { env: bindings, open };
}
