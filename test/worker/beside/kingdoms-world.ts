import { env } from 'cloudflare:workers';
import { addDays, type Day, dayOf, dayStart } from '../../../domain/days.ts';
import { historyBytes } from '../../../domain/history/file.ts';
import { addScan, emptyHistory, type HistoryScan, type Seen } from '../../../domain/history/history.ts';
import { NOBODY_FOUND } from '../../../domain/orders/reasons.ts';
import { historyKey } from '../../../worker/gateways/history-store.ts';
import { type Cell, insertion } from './changes.ts';

/**
 * Kingdom 11, which most calls ask about, and similar ones that they must ignore: the other game's kingdom 11, a
 * neighbour, one whose number has the same start, and another user's orders. Rows are not inserted in the order of any
 * list.
 */

export const TODAY: Day = '2096-10-02';
const HOUR = 3_600_000;
/** So many days from today, at five in the morning. */
export const at = (days: number): number => dayStart(addDays(TODAY, days)) + 5 * HOUR;
export const NOW = at(0) + HOUR;

type Fields = Readonly<Record<string, Cell>>;

const EMPTIED = [
  ...['governors', 'governor_changes', 'kingdom_days', 'kingdoms', 'alliances', 'search_entries'],
  ...['subtasks', 'items', 'orders', 'schedules', 'snapshots', 'setbacks'],
] as const;

const sums = (total: number | null) => ({ total, top100: total, top300: null, top600: null });
const totals = (player_count: number, power: number) =>
  JSON.stringify({
    ...{ player_count, known: { power: player_count, score: player_count, deads: player_count } },
    ...{ power: sums(power), score: sums(power / 10), deads: sums(null), hall25_count: null },
    distribution: [player_count],
  });

let ids = 0;
const scan = (game: string, kingdom_id: number, captured_at: number, rows: number, more: Fields = {}) =>
  insertion('snapshots', {
    ...{ id: ++ids, key: `${game} ${kingdom_id} ${ids}`, game, kingdom_id, captured_at, source: '', rows, bytes: 1 },
    ...{ quality: '{}', created_at: captured_at, ...more },
  });
const day = (game: string, kingdom_id: number, days: number, count: number, power: number, more: Fields = {}) =>
  insertion('kingdom_days', {
    ...{ game, kingdom_id, day: dayOf(at(days)), captured_at: at(days), snapshot_id: 1, totals: totals(count, power) },
    ...more,
  });
const governor = (game: string, governor_id: number, kingdom_id: number, power: number, more: Fields = {}) =>
  insertion('governors', {
    ...{
      game,
      governor_id,
      kingdom_id,
      name: `${game} ${governor_id}`,
      alliance_tag: 'A',
      power,
      score: Math.floor(power / 10),
    },
    ...{ deads: governor_id, t1: 1, t2: 2, t3: 3, t4: 4, t5: 5, hall: 25, profile: '{}', captured_at: at(0), ...more },
  });

/** A governor's figures on a day, in the history of their current kingdom. */
interface SeenOnDay extends Seen {
  game: 'rok' | 'cod';
  scan: HistoryScan;
}

const seen = (
  game: 'rok' | 'cod',
  governor_id: number,
  days: number,
  kingdom_id: number,
  power: number,
  score: number = Math.floor(power / 10),
): SeenOnDay => ({
  ...{ game, governor_id, scan: { kingdom_id, captured_at: at(days), by_file: false } },
  values: [power, score, governor_id, 4, 5, governor_id],
});
const change = (
  game: string,
  governor_id: number,
  field: string,
  days: number,
  [old_value, new_value]: readonly [string, string],
  kingdom_id = 11,
) =>
  insertion('governor_changes', { game, governor_id, field, captured_at: at(days), old_value, new_value, kingdom_id });

/** The governors of 11 and around it; of two there are doubts, and some were read on another day than they were listed. */
const governors = () => [
  governor('rok', 5, 11, 50, { alliance_tag: 'B', profile_at: at(0), profile: '{"doubted":"score"}' }),
  governor('rok', 4, 11, 60, { profile_at: at(-8) }),
  governor('rok', 3, 11, 80, { profile_at: at(0), profile: '{"doubted":"power deads","alliance_name":"Alpha"}' }),
  governor('rok', 2, 11, 80, { score: null, deads: null, profile: '{"alliance_name":"Aleph"}' }),
  governor('rok', 1, 11, 100),
  // Below the newest scan's depth, and so still there; and within it, and so gone.
  governor('rok', 6, 11, 40, { captured_at: at(-1) }),
  governor('rok', 7, 11, 90, { captured_at: at(-1) }),
  governor('rok', 8, 11, 30, { captured_at: at(-2) }),
  governor('rok', 9, 12, 70, { captured_at: at(-1) }),
  governor('rok', 10, 12, 75, { captured_at: at(-1), alliance_tag: 'B' }),
  governor('rok', 20, 110, 95),
  ...[1, 2, 3, 9, 21].map((id) =>
    governor('cod', id, 11, 500 + id, { alliance_tag: id === 9 ? 'B' : 'A', captured_at: at(-1) }),
  ),
];

const days = () => [
  ...[day('rok', 11, 0, 5, 370), day('rok', 11, -1, 8, 480, { inactive: 3 }), day('rok', 11, -7, 8, 400)],
  ...[
    day('rok', 11, -8, 6, 390),
    day('rok', 11, -14, 5, 300),
    day('rok', 11, -15, 5, 290),
    day('rok', 11, -31, 40, 900),
  ],
  ...[day('rok', 12, -1, 2, 145), day('rok', 12, -9, 2, 140), day('rok', 110, 0, 1, 95)],
  ...[day('cod', 11, -1, 5, 2500), day('cod', 11, -7, 30, 9999), day('cod', 11, -10, 4, 2000)],
];
const SEEN: readonly SeenOnDay[] = [
  ...[100, 80, 80, 60, 50].map((power, index) => seen('rok', index + 1, 0, 11, power)),
  ...[1, 2, 3, 4].map((id) => seen('rok', id, -1, 11, 10 * id)),
  ...[seen('rok', 6, -1, 11, 40), seen('rok', 7, -1, 11, 90), seen('rok', 8, -2, 11, 30), seen('rok', 10, -1, 12, 75)],
  ...[1, 2, 4, 6, 9].map((id) => seen('rok', id, -7, 11, id === 1 ? 100 : 40, id === 2 ? Number.NaN : undefined)),
  ...[1, 3, 4, 10].map((id) => seen('rok', id, -8, 11, 80)),
  ...[seen('rok', 5, -7, 12, 1), seen('rok', 9, -1, 12, 70), seen('rok', 20, 0, 110, 95), seen('rok', 1, -90, 11, 7)],
  seen('cod', 21, -1, 11, 521),
  ...[1, 2, 3, 9].flatMap((id) => [seen('cod', id, -1, 11, 500 + id), seen('cod', id, -7, 11, 500 + id)]),
];
const changes = () => [
  ...[change('rok', 1, 'name', -1, ['Old 1', 'rok 1']), change('rok', 2, 'name', -1, ['Old 2', 'rok 2'])],
  ...[change('rok', 2, 'name', -9, ['Older 2', 'Old 2']), change('rok', 9, 'name', -1, ['Old 9', 'rok 9'], 12)],
  ...[change('rok', 3, 'alliance_tag', -1, ['B', 'A']), change('rok', 5, 'alliance_tag', -1, ['A', 'B'])],
  change('rok', 4, 'alliance_tag', -2, ['B', 'A']),
  ...[change('rok', 9, 'kingdom_id', -1, ['11', '12'], 12), change('rok', 10, 'kingdom_id', -7, ['11', '12'], 12)],
  ...[change('rok', 4, 'kingdom_id', -2, ['12', '11']), change('rok', 20, 'kingdom_id', -2, ['111', '110'], 110)],
  change('rok', 3, 'kingdom_id', -2, ['12', '11']),
  ...[change('cod', 1, 'name', 0, ['Cod', 'cod 1']), change('cod', 9, 'kingdom_id', 0, ['11', '12'], 12)],
  ...[change('cod', 2, 'kingdom_id', 0, ['12', '11']), change('cod', 3, 'alliance_tag', 0, ['B', 'A'])],
];
const scans = () => [
  ...[scan('rok', 11, at(-8), 6), scan('rok', 11, at(-1), 8), scan('rok', 11, at(0), 5), scan('rok', 11, at(0), 5)],
  scan('rok', 11, at(-7), 8, { quality: '{"listed":8}' }),
  ...[
    scan('rok', 12, at(-1), 2),
    scan('rok', 110, at(0), 1),
    scan('cod', 11, at(-1), 5),
    scan('rok', 11, at(0) + 5, 9, { kind: 'history' }),
  ],
  ...[
    scan('rok', 12, at(-60), 9),
    scan('rok', 12, at(-2), 1),
    scan('rok', 11, at(-30), 40, { quality: '{"listed":39}' }),
  ],
];

/** Orders of two users for various kingdoms and times, in various states. */
function orders(): D1PreparedStatement[] {
  const items: readonly (readonly [order: number, kingdom: number, fields: Fields])[] = [
    [1, 11, { snapshot_id: 1 }],
    [1, 12, { state: 'failed', error: NOBODY_FOUND, finished_at: NOW - HOUR }],
    [1, 110, { product_id: 'rok-history', subtask_count: 0, finished_at: at(-90) + HOUR + 1 }],
    [1, 13, { product_id: 'rok-history', subtask_count: 0, finished_at: at(-90) + HOUR }],
    [1, 14, { product_id: 'rok-history', subtask_count: 0, finished_at: NOW, state: 'cancelled', error: 'None.' }],
    [1, 11, { product_id: 'rok-history', subtask_count: 0, finished_at: NOW - 9 }],
    [2, 12, { snapshot_id: 6 }],
    [3, 11, { product_id: 'rok-history', subtask_count: 0, finished_at: NOW }],
    [3, 12, { state: 'cancelled', error: 'Out of reach.', finished_at: NOW - 2 * HOUR }],
    [3, 15, { state: 'cancelled', finished_at: NOW - HOUR }],
    [3, 110, { snapshot_id: 7, repaired_at: NOW - 5 }],
  ];
  const placed = [
    [1, 'me', at(-30) + HOUR],
    [2, 'me', at(-30) + HOUR - 1],
    [3, 'him', at(0)],
  ] as const;
  return [
    ...placed.map(([id, user_id, placed_at]) =>
      insertion('orders', { id, uuid: `${id}`, user_id, placed_at, total_cents: 0, entries: '[]' }),
    ),
    ...items.map(([order_id, kingdom_id, fields], position) =>
      insertion('items', {
        ...{ id: `i${position}`, order_id, position, product_id: 'rok-kingdom-scan', game: 'rok', kingdom_id },
        ...{ governors: 100, full_profile: 1, price_cents: 0, details: '{}', state: 'done', subtask_count: 1 },
        ...{ incomplete_count: 0, ...fields },
      }),
    ),
    ...(
      [
        ['me', 'active', 'rok-kingdom-scan', { kingdoms: ['16'] }, NOW + 10],
        ['me', 'active', 'rok-kingdom-scan', { kingdoms: ['16', '17'] }, NOW + 9],
        ['me', 'active', 'cod-server-scan', { servers: '11,18' }, NOW + 8],
        ['me', 'paused', 'rok-kingdom-scan', { kingdoms: ['19'] }, NOW + 7],
        ['him', 'active', 'rok-kingdom-scan', { kingdoms: ['20'] }, NOW + 6],
      ] as const
    ).map(([user_id, state, type, params, next_at]) =>
      insertion('schedules', {
        ...{
          user_id,
          created_at: 1,
          entries: JSON.stringify([{ type, params }]),
          start_at: 1,
          period: 'day',
          interval: 1,
        },
        ...{ state, next_at },
      }),
    ),
  ];
}

/** Writes the histories of all kingdoms. */
async function writeHistories(): Promise<void> {
  const { results } = await env.DB.prepare('SELECT game, governor_id, kingdom_id FROM governors').all<{
    game: 'rok' | 'cod';
    governor_id: number;
    kingdom_id: number;
  }>();
  for (const [name, known] of Map.groupBy(results, ({ game, kingdom_id }) => historyKey({ game, kingdom_id }))) {
    // Written like an earlier release, without states.
    const history = { ...emptyHistory(), stated: false };
    for (const { game, governor_id } of known)
      for (const one of SEEN.filter((each) => each.game === game && each.governor_id === governor_id))
        addScan(history, one.scan, [one]);
    await env.STORE.put(name, historyBytes(history));
  }
}

/** Writes all rows again. */
export async function writeKingdoms(): Promise<void> {
  ids = 0;
  await env.DB.batch([
    ...EMPTIED.map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
    ...[...scans(), ...governors(), ...days(), ...changes(), ...orders()],
    ...[
      ['rok', 11, 'A', 4, 300],
      ['rok', 11, 'B', 1, 300],
      ['rok', 12, 'A', 1, 70],
      ['rok', 110, 'A', 1, 95],
      ['cod', 11, 'A', 4, 9000],
    ].map(([game = '', kingdom_id = 0, tag = '', members = 0, power = 0]) =>
      insertion('alliances', {
        game,
        kingdom_id,
        tag,
        name: `${game} ${tag}`,
        members,
        power,
        score: 5,
        read: tag === 'A' ? 1 : 0,
      }),
    ),
    env.DB.prepare(
      `UPDATE kingdom_days SET alliances = (
         SELECT json_group_array(json_object('tag', tag, 'name', name, 'members', members, 'power', power, 'score', score,
           'read', read))
         FROM alliances one WHERE one.game = kingdom_days.game AND one.kingdom_id = kingdom_days.kingdom_id)`,
    ),
    env.DB.prepare(`UPDATE kingdoms SET digested_at = captured_at WHERE kingdom_id = 12`),
  ]);
  await writeHistories();
}
