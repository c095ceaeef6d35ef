import { env } from 'cloudflare:workers';
import { type Cell, insertion } from './changes.ts';

/** Two users with scans of their own and bought ones, and what is made of them. */

export const NOW = 5_000_000_000_000;
export const [HOUR, DAY] = [3_600_000, 86_400_000];
/** Scans by name: game, kingdom, age in hours, and special fields. */
const SCANS: Readonly<Record<string, readonly [string, number, number, Readonly<Record<string, Cell>>?]>> = {
  early: ['rok', 11, 30],
  late: ['rok', 11, 10],
  ranged: ['rok', 11, 5, { range_from: NOW - 9 * HOUR }],
  away: ['rok', 12, 20, { expires_at: NOW }],
  other: ['cod', 11, 6, { expires_at: NOW - 1 }],
  last: ['rok', 11, 0, { expires_at: NOW + 1 }],
};
export const IMPORTS: Readonly<Record<string, Readonly<Record<string, Cell>>>> = {
  waiting: {},
  nearly: { created_at: NOW - DAY / 2, expires_at: NOW + DAY / 2 },
  saved: { state: 'saved', scan_ids: '["x"]', created_at: NOW - DAY + 1 },
  refused: { state: 'refused', created_at: NOW - DAY },
  over: { expires_at: NOW, created_at: NOW - DAY },
};

export const WHO = ['me', 'him'] as const;

/** The rows of one of the two. */
function rowsOfUser(user_id: string, index: number): D1PreparedStatement[] {
  const id = (name: string) => `${user_id} ${name}`;
  const scans = Object.entries(SCANS).map(([name, [game, kingdom_id, hours, more]], place) =>
    insertion('scans', {
      ...{ id: id(name), user_id, game, kingdom_id, captured_at: NOW - hours * HOUR, key: `${id(name)} key` },
      ...{ source: `${name}.csv`, dialect: 'd', rows: 100 + place, bytes: 1, quality: '{}', created_at: NOW - 5 },
      ...{ content_hash: place < 2 ? 'same' : name, expires_at: NOW + 9, ...more },
    }),
  );
  const order = { id: index + 1, uuid: id('order'), user_id, placed_at: NOW, total_cents: 0, entries: '[]' };
  const items = (['scan', 'history', 'none'] as const).map((name, position) =>
    insertion('items', {
      ...{ id: id(name), order_id: index + 1, position, product_id: 'rok-kingdom-scan', game: 'rok', kingdom_id: 11 },
      ...{ governors: 100, full_profile: 1, price_cents: 0, details: '{}', subtask_count: 1, incomplete_count: 0 },
      ...{ state: 'done', snapshot_id: name === 'none' ? null : 10 * index + position + 1 },
    }),
  );
  const snapshots = (['scan', 'history'] as const).map((kind, position) =>
    insertion('snapshots', {
      ...{ id: 10 * index + position + 1, key: id(kind), game: 'rok', kind, kingdom_id: 11, created_at: NOW - 1 },
      ...{ captured_at: NOW - 10 * HOUR, source: 'bots', rows: 9, bytes: 1, quality: '{}', item_id: id(kind) },
    }),
  );
  const labels = [
    ['late', { name: 'After', tags: '["war","b"]', note: 'Note' }],
    ['scan', { tags: '["war"]', name: 'BOUGHT' }],
    ['away', { hidden: 1, tags: '["hidden"]' }],
  ] as const;
  const report = { user_id, game: 'rok', settings: '{}', created_at: NOW - 9 };
  const made = [
    ['of early', [{ from: [id('early')], to: [id('late')] }]],
    ['of scan', [{ from: [id('scan')], to: [id('last')] }]],
    ['of him', [{ from: ['him early'], to: ['me early'] }]],
  ] as const;
  return [
    insertion('orders', order),
    ...[...items, ...snapshots, ...scans],
    ...Object.entries(IMPORTS).map(([name, more]) =>
      insertion('imports', {
        ...{ id: id(name), user_id, name: 'file.csv', content_hash: `hash ${name}`, said: '{}', state: 'waiting' },
        ...{ created_at: NOW - HOUR, expires_at: NOW + DAY / 2 + 1, ...more },
      }),
    ),
    ...labels.map(([name, more]) => insertion('scan_labels', { user_id, scan_id: id(name), ...more })),
    insertion('header_mappings', { user_id, headers_hash: 'headers', mapping: `{"of":"${user_id}"}`, updated_at: 1 }),
    ...made.map(([name, ranges], place) =>
      insertion('reports', {
        id: id(name),
        name,
        ...report,
        ranges: JSON.stringify(ranges),
        updated_at: NOW - place,
      }),
    ),
    ...made.map(([name, [{ from, to }]], place) =>
      insertion('fights', {
        ...{ id: id(name), user_id, game: place === 2 ? 'cod' : 'rok', name, created_at: NOW - place },
        ...{ from_scans: JSON.stringify(from), to_scans: JSON.stringify(to) },
      }),
    ),
    ...(['open', 'closed', 'over'] as const).flatMap((name) => {
      const about = { user_id, created_at: NOW - 9, expires_at: name === 'over' ? NOW : NOW + 1 };
      const revoked_at = name === 'closed' ? NOW - 1 : null;
      return [
        insertion('report_links', { id: id(name), report_id: id('of early'), ...about, revoked_at }),
        insertion('report_links', { id: id(`${name} scan`), report_id: id('of scan'), ...about, revoked_at }),
        insertion('share_links', { id: id(name), item_id: id('scan'), ...about, revoked_at }),
        insertion('share_links', {
          id: id(`${name} all`),
          item_id: id('scan'),
          order_id: index + 1,
          ...about,
          revoked_at,
        }),
      ];
    }),
    ...[
      ['rok', 12],
      ['rok', 11],
      ['cod', 11],
    ].map(([game = '', kingdom_id = 0]) => {
      const entries = [7, Number(kingdom_id)].map((governor_id) => ({
        governor_id,
        role: `${user_id} ${game} ${kingdom_id}`,
      }));
      return insertion('rosters', {
        user_id,
        game,
        kingdom_id,
        entries: JSON.stringify(entries),
        updated_at: NOW - 1,
      });
    }),
    ...[
      ['rok', 11],
      ['rok', 12],
      ['cod', 11],
    ].map(([game = '', kingdom_id = 0]) =>
      insertion('kingdom_goals', { user_id, game, kingdom_id, goals: '[]', farms: kingdom_id, updated_at: NOW - 2 }),
    ),
  ];
}

/** Writes all rows again, after these tables were emptied. */
export async function writeLibrary(tables: readonly string[]): Promise<void> {
  const emptied = [...tables, 'items', 'orders', 'snapshots'].map((table) => env.DB.prepare(`DELETE FROM ${table}`));
  await env.DB.batch([...emptied, ...WHO.flatMap(rowsOfUser)]);
}
