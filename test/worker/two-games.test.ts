import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { addDays, dayOf, dayStart } from '../../domain/days.ts';
import type { GameId } from '../../domain/games/games.ts';
import type { Row } from '../../domain/scans/rows.ts';
import { noteVisit } from '../../worker/models/accounts/visits.ts';
import { flawsOfDatabase } from '../../worker/models/service/state-check.ts';
import { publishDay } from '../../worker/services/boards/publish-boards.ts';
import { digestKingdoms } from '../../worker/services/scans/digest-kingdoms.ts';
import { db, type Person, scanOf, signedInUser } from './client.ts';
import { emptyEdge } from './forget.ts';
import { governor, publishRows } from './scans.ts';

/**
 * Kingdom 3301 of one game and server 3301 of the other, with the same ids, names and tags: no answer about one
 * changes while the other is scanned.
 */

const PLACE = 3301;
const AWAY = 3302;
const TODAY = dayStart(dayOf(Date.now()));
const at = (days: number) => dayStart(addDays(dayOf(TODAY), days)) + 5 * 3_600_000;

/** The other game has so many more governors that its scans would win over those of this kingdom. */
const people = (game: GameId, growth: number, more: (id: number) => Row = () => ({})): Row[] =>
  Array.from({ length: game === 'rok' ? 60 : 180 }, (_, index) => {
    const id = index + 1;
    const row = governor(id, 200e6 - id * 1e6 + growth * id, { alliance_tag: id % 4 === 0 ? 'B' : 'A', ...more(id) });
    if (game === 'rok') return row;
    const { name, power, alliance_tag } = row;
    return {
      lord_id: id,
      name: name ?? null,
      power: power ?? null,
      alliance_tag: alliance_tag ?? null,
      merits: 7 * id,
    };
  });

/** The day of a game's first scan; the other game's is a day earlier, still about a week before. */
const first = (game: GameId) => at(game === 'rok' ? -8 : -9);

/** Four scans of a place: some governors join, leave, move or are renamed; the others stand still. */
async function scanned(game: GameId, growth: number): Promise<void> {
  await publishRows(game, PLACE, first(game), people(game, 0).slice(0, -10));
  await publishRows(game, AWAY, first(game) + 60_000, people(game, 1).slice(-5));
  await publishRows(
    game,
    PLACE,
    // And a day later.
    at(game === 'rok' ? -2 : -1),
    people(game, growth, (id): Row => (id === 9 ? { name: 'Renamed' } : {})).slice(3),
  );
  await publishRows(game, AWAY, at(-1), people(game, 2).slice(0, 2));
  while ((await digestKingdoms(db, env.STORE)) > 0);
  await publishDay(db, env.STORE, game, dayOf(first(game)), Date.now());
}

async function told(user: Person, game: GameId): Promise<Record<string, unknown>> {
  await emptyEdge();
  const product = game === 'rok' ? 'rok-kingdom-scan' : 'cod-server-scan';
  const day = dayOf(first(game));
  const paths = [
    ...[PLACE, AWAY].flatMap((place) => [`kingdoms/${place}/`, `alliances/${place}/A/`]),
    `alliances/${PLACE}/B/`,
    ...[1, 2, 9, 30, 58].map((id) => `governors/${id}/`),
    `products/${product}/kingdoms?kingdoms=${PLACE},${AWAY}`,
  ].map((path) => `${path}${path.includes('?') ? '&' : '?'}game=${game}`);
  const boards = ['governor', 'alliance', 'kingdom'].map((kind) => `${kind}/rankings/${game}?count=100&day=${day}`);
  const own = game === 'rok' ? ['monitored/kingdoms/', 'monitored/moves'] : [];
  const answers = [...paths, ...boards, ...own].map(async (path) => {
    const { status, data, msg } = await user.call('GET', `/v1/${path}`);
    return [path, status === 200 ? data : `${status} ${msg}`] as const;
  });
  const search = (await user.call('GET', '/v1/search?q=Renamed')).data as Record<string, { game: GameId }[]>;
  const found = Object.entries(search).map(([kind, all]) => [
    `search ${kind}`,
    all.filter((each) => each.game === game),
  ]);
  return Object.fromEntries([...(await Promise.all(answers)), ...found]);
}

it('answers about a place do not change with the other game’s place of the same number', async () => {
  const user = await signedInUser(100_000);
  const start = new Date(Date.now() + 86_400_000).toISOString();
  const scheduleInfo = { start, interval: 1, period: 'week' };
  expect((await user.call('POST', '/v1/order/create', { orders: [scanOf([PLACE])], scheduleInfo })).status).toBe(200);
  await noteVisit(db, user.id, at(-5));
  await scanned('rok', 1000);
  const rok = await told(user, 'rok');
  // Every path has an answer.
  expect(Object.entries(rok).filter(([, answer]) => typeof answer === 'string')).toEqual([]);
  expect(rok['search governors']).toMatchObject([{ governor_id: 9 }]);
  expect(rok[`kingdoms/${PLACE}/?game=rok`]).toMatchObject({ left: [{ id: 1 }, { id: 2 }], name_changes: [{ id: 9 }] });

  await scanned('cod', 0);
  expect(await told(user, 'rok')).toEqual(rok);
  const cod = await told(user, 'cod');
  expect(cod[`kingdoms/${PLACE}/?game=cod`]).toMatchObject({
    game: 'cod',
    left: [{ id: 1 }, { id: 2 }],
    inactive_count: 167,
  });
  expect(cod['search governors']).toMatchObject([{ governor_id: 9 }]);

  await publishRows('rok', PLACE, at(-1) + 60_000, people('rok', 5000).slice(0, 40));
  await publishRows('rok', AWAY, at(-1) + 120_000, people('rok', 5000).slice(40));
  while ((await digestKingdoms(db, env.STORE)) > 0);
  expect(await told(user, 'cod')).toEqual(cod);
  expect(await flawsOfDatabase(db, Date.now())).toEqual([]);
});
