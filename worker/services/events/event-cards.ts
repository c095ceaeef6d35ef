import { compact, counted, date, exact, nameOr, percentage } from '../../../domain/figures.ts';
import { columnOf, GAMES } from '../../../domain/games/games.ts';
import { governorTitle, kingdomTitle } from '../../../domain/games/titles.ts';
import { t, words } from '../../../domain/language/text.ts';
import type { Env } from '../../env.ts';
import { CARD_ROWS, type Card, type CardRow, lineOf, rankOf } from '../../files/card.ts';
import type { WarRecord } from './answer-room.ts';
import type { EventBoard } from './make-board.ts';
import type { EventMeta } from './public-event.ts';
import { readAnswer, readRoom } from './read-answer.ts';

/** Cards of an event, of a kingdom in it and of a governor in it, from the first to the latest scan. */

const dayOf = ({ snapshots, start }: EventMeta): string => {
  const latest = snapshots.at(-1);
  return latest ? date(latest.ts) : t('from {day}', { day: date(start) });
};

/** Returns an event's camps by DKP. */
export async function eventCard(env: Env, meta: EventMeta): Promise<Card | null> {
  const board = await readAnswer<EventBoard>(env, meta, { kind: 'board' });
  const { name, governor } = GAMES[meta.game];
  const score =
    board && t('DKP of {governors}', { governors: counted(board.people.common, governor.one, governor.many) });
  return {
    title: meta.name,
    line: lineOf(name, meta.kvk_id, dayOf(meta), score),
    rows: (board?.camps ?? []).slice(0, CARD_ROWS).flatMap(({ name: english, rank, dkp, kingdoms }) => {
      const camp = words(english);
      return dkp === null ? [] : [{ rank, name: camp, otherwise: camp, about: kingdoms.join(', '), value: dkp }];
    }),
  };
}

const goalText = (goal: number | null): string =>
  goal === null ? '' : t('{percent} of goal', { percent: percentage(Math.floor(goal)) });

/** Returns a kingdom's rank and its first governors by DKP, or null if there is no answer. */
export async function roomCard(env: Env, meta: EventMeta, kingdom: string): Promise<Card | null> {
  const room = await readRoom(env, meta, kingdom);
  if (!room) return null;
  const { rank, kingdoms, dkp, counts } = room;
  const title = kingdomTitle(meta.game, kingdom);
  const facts = [
    dkp !== null && `${compact(dkp)} DKP`,
    t('{fighting} fighting', { fighting: exact(counts.fighting) }),
    counts.with_goal > 0 && t('{below_goal} below goal', { below_goal: exact(counts.below_goal) }),
  ];
  return {
    title:
      rank === null
        ? t('{kingdom}: no score yet', { kingdom: title })
        : t('{kingdom}: #{rank} of {all}', { kingdom: title, rank: exact(rank), all: exact(kingdoms) }),
    line: lineOf(meta.name, dayOf(meta), ...facts),
    rows: room.governors.slice(0, CARD_ROWS).flatMap((each): CardRow[] => {
      const { rank: place, dkp: score, name, governor_id, goal } = each;
      if (place === null || score === null) return [];
      const otherwise = governorTitle(meta.game, governor_id);
      return [{ rank: place, name, otherwise, about: goalText(goal), value: score }];
    }),
  };
}

/** Returns a governor's ranks and main gains, or null if they are not in both scans. */
export async function recordCard(env: Env, meta: EventMeta, governor_id: number): Promise<Card | null> {
  const record = await readAnswer<WarRecord>(env, meta, { kind: 'record', governor_id });
  if (!record) return null;
  const { game } = meta;
  const { roles } = GAMES[game];
  const { event_rank, event_of, rank, of, goal, dkp, gains, doubted } = record;
  const figures = [roles.tiers[4], roles.tiers[3], roles.deads].flatMap((key) => {
    const value = doubted.includes(key) ? null : (gains[key] ?? null);
    return value === null ? [] : [{ rank: null, name: words(columnOf(game, key)?.title ?? key), about: '', value }];
  });
  const rows = [
    ...(dkp === null ? [] : [{ rank: event_rank, name: 'DKP', about: goalText(goal), value: dkp }]),
    ...figures,
  ];
  const places = [
    event_rank !== null && rankOf(event_rank, event_of),
    rank !== null &&
      t('#{rank} of {all} in {kingdom}', {
        rank: exact(rank),
        all: exact(of),
        kingdom: kingdomTitle(game, record.kingdom),
      }),
  ];
  return {
    title: nameOr(record.name, String(governor_id)),
    line: lineOf(...places, meta.name, dayOf(meta)),
    plain: true,
    rows: rows.map((row) => ({ ...row, otherwise: row.name })),
  };
}
