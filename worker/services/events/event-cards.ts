import { capital, compact, date, exact, nameOr } from '../../../domain/figures.ts';
import { columnOf, GAMES } from '../../../domain/games/games.ts';
import type { Env } from '../../env.ts';
import { CARD_ROWS, type Card, type CardRow } from '../../files/card.ts';
import type { WarRecord } from './answer-room.ts';
import type { EventBoard } from './make-board.ts';
import type { EventMeta } from './public-event.ts';
import { readAnswer, readRoom } from './read-answer.ts';

/** Cards of an event, of a kingdom in it and of a governor in it, from the first to the latest scan. */

const dayOf = ({ snapshots, start }: EventMeta): string => {
  const latest = snapshots.at(-1);
  return latest ? date(latest.ts) : `from ${date(start)}`;
};

/** Returns an event's camps by DKP. */
export async function eventCard(env: Env, meta: EventMeta): Promise<Card | null> {
  const board = await readAnswer<EventBoard>(env, meta, { kind: 'board' });
  const { name, governor } = GAMES[meta.game];
  const score = board ? ` · DKP of ${exact(board.people.common)} ${governor.many}` : '';
  return {
    title: meta.name,
    line: `${name} · ${meta.kvk_id} · ${dayOf(meta)}${score}`,
    rows: (board?.camps ?? []).flatMap(({ name: camp, rank, dkp, kingdoms }) =>
      dkp === null || rank > CARD_ROWS
        ? []
        : [{ rank, name: camp, otherwise: camp, about: kingdoms.join(', '), value: dkp }],
    ),
  };
}

const goalText = (goal: number | null): string => (goal === null ? '' : `${exact(Math.floor(goal))} % of goal`);

/** Returns a kingdom's rank and its first governors by DKP, or null if there is no answer. */
export async function roomCard(env: Env, meta: EventMeta, kingdom: string): Promise<Card | null> {
  const room = await readRoom(env, meta, kingdom);
  if (!room) return null;
  const { kingdom: noun, governor } = GAMES[meta.game];
  const { rank, kingdoms, dkp, counts } = room;
  const facts = [
    dkp !== null && `${compact(dkp)} DKP`,
    `${exact(counts.fighting)} fighting`,
    counts.with_goal > 0 && `${exact(counts.below_goal)} below goal`,
  ];
  return {
    title: `${capital(noun.one)} ${kingdom}: ${rank === null ? 'no score yet' : `#${rank} of ${kingdoms}`}`,
    line: [meta.name, dayOf(meta), ...facts.filter(Boolean)].join(' · '),
    rows: room.governors.slice(0, CARD_ROWS).flatMap((each): CardRow[] => {
      const { rank: place, dkp: score, name, governor_id, goal } = each;
      if (place === null || score === null) return [];
      const otherwise = `${capital(governor.one)} ${governor_id}`;
      return [{ rank: place, name, otherwise, about: goalText(goal), value: score }];
    }),
  };
}

/** Returns a governor's ranks and main gains, or null if they are not in both scans. */
export async function recordCard(env: Env, meta: EventMeta, governor_id: number): Promise<Card | null> {
  const record = await readAnswer<WarRecord>(env, meta, { kind: 'record', governor_id });
  if (!record) return null;
  const { game } = meta;
  const { kingdom: noun, roles } = GAMES[game];
  const { event_rank, event_of, rank, of, goal, dkp, gains, doubted } = record;
  const home = `${capital(noun.one)} ${record.kingdom}`;
  const figures = [roles.tiers[4], roles.tiers[3], roles.deads].flatMap((key) => {
    const value = doubted.includes(key) ? null : (gains[key] ?? null);
    return value === null ? [] : [{ rank: null, name: columnOf(game, key)?.title ?? key, about: '', value }];
  });
  const rows = [
    ...(dkp === null ? [] : [{ rank: event_rank, name: 'DKP', about: goalText(goal), value: dkp }]),
    ...figures,
  ];
  const places = [
    event_rank !== null && `#${exact(event_rank)} of ${exact(event_of)}`,
    rank !== null && `#${exact(rank)} of ${exact(of)} in ${home}`,
  ];
  return {
    title: nameOr(record.name, String(governor_id)),
    line: [...places.filter(Boolean), meta.name, dayOf(meta)].join(' · '),
    plain: true,
    rows: rows.map((row) => ({ ...row, otherwise: row.name })),
  };
}
