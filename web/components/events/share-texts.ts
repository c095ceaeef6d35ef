import { capital, compact, numbered, percentage } from '../../../domain/figures.ts';
import { GAME_NAMES } from '../../../domain/games/game-names.ts';
import { labelled, listed, t, words } from '../../../domain/language/text.ts';
import type { EventBoard, EventGovernor, EventMeta, EventRoom } from '../../api/events.ts';
import { nameOr, shortened } from '../../format.ts';
import { isDecided, noLeadText, ranksIn } from './standings.ts';

/** What can be shown to others. */
export type Shared =
  | { kind: 'event'; board: EventBoard }
  | { kind: 'room'; room: EventRoom }
  | { kind: 'governor'; governor: EventGovernor };

/** Rows in a text for Discord. */
const TOLD = 15;

/** Name without what would end a code block or break its columns. */
const inBlock = (name: string, otherwise: string, most = 20): string =>
  shortened(nameOr(name.replaceAll('`', "'"), otherwise), most);

const eventName = ({ name, kvk_id }: EventMeta): string => inBlock(name, kvk_id, 60);

const score = (dkp: number | null): string => (dkp === null ? '?' : compact(dkp));
const goalText = (goal: number | null): string => (goal === null ? '' : percentage(Math.floor(goal)));
const block = (lines: readonly string[]): string => ['```', ...lines, '```'].join('\n');

function eventBlock(meta: EventMeta, board: EventBoard): string {
  const { camps, kingdoms, lead } = board;
  const ranks = ranksIn(board);
  return block([
    eventName(meta),
    lead
      ? t('{state, select, running {{camp} leads by {lead}} other {{camp} won by {lead}}}', {
          state: isDecided(meta, board) ? 'over' : 'running',
          camp: words(lead.camp),
          lead: t('{by} DKP', { by: compact(lead.by) }),
        })
      : noLeadText(camps),
    '',
    ...camps.map(
      ({ rank, name, dkp }) => `${String(rank ?? '?').padStart(3)} ${score(dkp).padStart(6)} ${words(name)}`,
    ),
    '',
    `  #    DKP ${words(capital(GAME_NAMES[meta.game].kingdom.one))}`,
    ...kingdoms
      .slice(0, TOLD)
      .map(
        ({ kingdom, camp, dkp }, place) =>
          `${String(ranks[place] ?? '?').padStart(3)} ${score(dkp).padStart(6)} ${kingdom} ${words(camp)}`,
      ),
  ]);
}

function roomBlock(meta: EventMeta, room: EventRoom): string {
  const { counts, kingdom, rank, kingdoms, dkp } = room;
  return block([
    labelled(`${words(capital(GAME_NAMES[meta.game].kingdom.one))} ${kingdom}`, eventName(meta)),
    t('#{rank} of {kingdoms}, {dkp} DKP', { rank: rank ?? '?', kingdoms, dkp: score(dkp) }),
    t('{fighting} fighting, {idle} not fighting, {below_goal} below goal', { ...counts }),
    '',
    `  #    DKP ${t('Goal').padStart(6)} ${t('Name')}`,
    ...room.governors
      .filter((each) => each.rank !== null)
      .slice(0, TOLD)
      .map((each) =>
        [
          String(each.rank).padStart(3),
          score(each.dkp).padStart(6),
          goalText(each.goal).padStart(6),
          inBlock(each.name, String(each.governor_id)),
        ].join(' '),
      ),
  ]);
}

function governorBlock(meta: EventMeta, { name, id, kingdom, rank, whole, goal }: EventGovernor): string {
  const { tiers, deads } = GAME_NAMES[meta.game].roles;
  const gain = (title: string, key: string) => {
    const value = whole?.doubts[key] === undefined ? (whole?.gains[key] ?? null) : null;
    return value === null ? [] : [`${title} ${compact(value)}`];
  };
  const reached = goal?.reached.dkp ?? null;
  return block([
    labelled(`${inBlock(name, String(id))} (${kingdom ?? '?'})`, eventName(meta)),
    listed([
      ...(rank === null ? [] : [numbered(rank)]),
      t('{value} DKP', { value: score(whole?.dkp ?? null) }),
      ...(reached === null ? [] : [t('{percent} of goal', { percent: goalText(reached) })]),
    ]),
    listed([...gain(t('T4 kills'), tiers[3]), ...gain(t('T5 kills'), tiers[4]), ...gain(t('Deads'), deads)]),
  ]);
}

/** Returns what is shared as a code block for Discord. */
export function discordBlock(meta: EventMeta, what: Shared): string {
  if (what.kind === 'event') return eventBlock(meta, what.board);
  return what.kind === 'room' ? roomBlock(meta, what.room) : governorBlock(meta, what.governor);
}
