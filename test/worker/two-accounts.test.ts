import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { tablesOf } from '../../worker/models/service/tables.ts';
import { db, PASSWORD, type Person, signedInUser } from './client.ts';
import { madeEvent } from './events/war.ts';
import { CALLS, pathOf } from './routes.ts';

/**
 * Two accounts with a row in every table that has an owner: what one account sees, exports or deletes is never the
 * other's.
 */

interface Column {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
  pk: number;
}

const all = async <Row>(sql: string, ...values: unknown[]): Promise<Row[]> =>
  (
    await env.DB.prepare(sql)
      .bind(...values)
      .all<Row>()
  ).results;

/** Tables with rows of a user, parents before children. */
const owned = async (): Promise<string[]> =>
  (await tablesOf(db)).flatMap(({ name, columns }) => (columns.includes('user_id') ? name : []));

let numbers = 7_123_450_000;
/** The numbers in each user's rows, which occur nowhere else. */
const numbersOf = new Map<string, string[]>();
/** Columns that must be JSON or one of a few words. */
const SHAPED: Record<string, string | number> = {
  ranges: '[]',
  settings: '{}',
  goals: '{}',
  from_scans: '[]',
  to_scans: '[]',
  entries: '[]',
  mapping: '{}',
  said: '{}',
  quality: '{}',
  tags: '[]',
  detail: '{}',
  scopes: 'read',
  game: 'rok',
  kind: 'adjustment',
  role: 'viewer',
  state: 'waiting',
  period: 'day',
  total_cents: 0,
  stage: 0,
  'reversals.kind': 'refund',
};
/** Tables whose other columns are Stripe's words and the user's own amounts. */
const STRIPE = ['payments', 'reversals'];

/** A row of this user, with texts made from their id. */
function rowIn(table: string, columns: readonly Column[], { id }: Person): D1PreparedStatement {
  const isNumber = ({ type }: Column) => type.toLowerCase() === 'integer';
  const needed = columns.filter(
    (column) =>
      column.name === 'user_id' ||
      (column.dflt_value === null && (column.notnull || column.pk) && !(column.name === 'id' && isNumber(column))),
  );
  const values = needed.map((column) => {
    if (column.name === 'user_id') return id;
    const shaped = SHAPED[`${table}.${column.name}`] ?? (STRIPE.includes(table) ? undefined : SHAPED[column.name]);
    // References between rows of the user match.
    if (shaped === undefined && isNumber(column)) numbersOf.set(id, [...(numbersOf.get(id) ?? []), String(++numbers)]);
    return shaped ?? (isNumber(column) ? numbers : `${id} ${column.name.replace(/.*_id$/, 'id')}`);
  });
  const names = needed.map(({ name }) => `"${name}"`).join(', ');
  return env.DB.prepare(`INSERT INTO ${table} (${names}) VALUES (${needed.map(() => '?').join(', ')})`).bind(...values);
}

const rowsOf = async (tables: readonly string[], { id }: Person) =>
  Object.fromEntries(
    await Promise.all(
      tables.map(async (table) => [table, await all(`SELECT * FROM ${table} WHERE user_id = ?`, id)] as const),
    ),
  );

async function two() {
  const [one, other] = [await signedInUser(0), await signedInUser(0)];
  SHAPED.event_id = (await madeEvent()).id;
  const tables = await owned();
  expect(tables.length).toBeGreaterThan(20);
  const columns = await env.DB.batch<Column>(
    tables.map((table) =>
      env.DB.prepare(`SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_xinfo(?)`).bind(table),
    ),
  );
  const host = await signedInUser(0);
  for (const { id } of [one, other])
    await env.DB.prepare('INSERT INTO teams (id, name, owner_id, created_at) VALUES (?, ?, ?, 0)')
      .bind(`${id} id`, 'Team', host.id)
      .run();
  for (const user of [one, other])
    await env.DB.batch(tables.map((table, index) => rowIn(table, columns[index]?.results ?? [], user)));
  return { one, other, tables };
}

it('no page shows an account anything of another one', async () => {
  const { one, other } = await two();
  const shown = new Set<string>();
  for (const path of CALLS.filter(({ method }) => method === 'GET').map((call) => pathOf(call.path))) {
    const text = await (await one.fetch(path)).text();
    const has = ({ id }: Person) =>
      text.includes(id) || (numbersOf.get(id) ?? []).some((value) => text.includes(value));
    expect([path, has(other)]).toEqual([path, false]);
    if (has(one)) shown.add(path.replace(/\d+$/, '*'));
  }
  // The check is not empty, because users see their own rows.
  expect([...shown].sort()).toEqual(
    [
      ...[
        'account/activity',
        'account/export',
        'account/following',
        'account/following/changes',
        'account/governors',
        'account/keys',
        'account/statement',
        'fights',
      ],
      ...['licenses', 'monitored/moves', 'order/*', 'orders', 'orders/scheduled', 'reports', 'scans', 'teams'],
    ].map((path) => `/v1/${path}`),
  );
});

it('deleting one account changes no row of the other, in any table', async () => {
  const { one, other, tables } = await two();
  const [mine, theirs] = [await rowsOf(tables, one), await rowsOf(tables, other)];
  const body = { current_password: PASSWORD, username: one.username };
  expect((await one.call('POST', '/v1/account/delete', body)).status).toBe(200);
  expect(await rowsOf(tables, other)).toEqual(theirs);
  const left = await rowsOf(tables, one);
  const stays = tables.filter((table) => left[table]?.length).sort();
  expect(stays).toEqual(['audit_entries', 'ledger_entries', 'orders', 'payments', 'reversals', 'schedules']);
  expect(mine.schedules).toHaveLength(1);
  expect(left.schedules).toMatchObject([{ state: 'ended', next_at: null }]);
});
