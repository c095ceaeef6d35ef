import type * as z from 'zod';
import type { madeFrom } from '../../../domain/compare/answers.ts';
import { targetsOf } from '../../../domain/difference/goals.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { orderOf } from '../../../domain/scans/order.ts';
import { numbersOf, textsOf } from '../../../domain/scans/rows.ts';
import type { KeptScan } from '../../models/library/scans.ts';
import { flat, goalPercents, groupSums, namesOf, seasonLists } from '../difference/comparison.ts';
import {
  figures,
  type JsonField,
  newBytes,
  type Pieces,
  playerFields,
  playerObjects,
  tablePieces,
  textField,
} from '../difference/write-json.ts';
import type { Loaded, MadeRange } from './load-ranges.ts';
import { goalKey } from './report-table.ts';
import { listed, type Scored, sumOfAll, verifiedAt } from './score.ts';

/** Answers calls for comparisons of own scans. */

type MadeFrom = z.infer<typeof madeFrom>;

const scanOf = ({ scan_id, kingdom_id, captured_at, range_from, rows, source, name }: KeptScan): MadeFrom => ({
  scan_id,
  kingdom_id,
  captured_at,
  range_from,
  rows,
  source,
  name,
});

/** The scans that a comparison is made from. */
export const madeFromScans = (ranges: readonly MadeRange[]) =>
  ranges.map(({ from, to }) => ({ from: from.map(scanOf), to: to.map(scanOf) }));

/** Writes the envelope with a comparison, governors in descending order of DKP. */
export function* comparedPieces({ game, ranges }: Loaded, scored: Scored): Pieces {
  const { compared, scoring, scores, kingdoms, gained } = scored;
  const { common, joined, gone } = compared.rows;
  const sums = groupSums(scored, gained);
  const head = {
    game,
    ranges: madeFromScans(ranges),
    weights: scoring.weights,
    power_off: scoring.power_off,
    goals: scoring.goals,
    zeroed: scoring.zeroed,
    verified: scoring.verified,
    common,
    joined,
    gone,
    unseen: compared.unseen,
    all: flat(sumOfAll(scored)),
    kingdoms: Object.fromEntries(kingdoms.map((kingdom, index) => [kingdom, flat(sums[index] as never)])),
    joined_players: listed(compared, 'joined'),
    gone_players: listed(compared, 'gone'),
    seasons: seasonLists(compared),
  };
  const out = newBytes();
  out.text(`{"success":1,"data":${JSON.stringify(head).slice(0, -1)},"players":{`);
  yield* playerObjects(out, scored, fieldsOf(scored), orderOf(scores.dkp), false);
  out.text('}}}');
  yield out.take();
}

/** Returns the fields of a governor. `power` is the power at the start, and so replaces its gain. */
function fieldsOf(scored: Scored): Map<string, JsonField> {
  const { compared, rolled, scoring, goals } = scored;
  const { game, from, to, rows } = compared;
  const { tag, power } = GAMES[game].roles;
  const [tags, powers] = [textsOf(to, tag), numbersOf(from, power)];
  const { gains, kingdom, dkp, dkp_raw, doubt, renamed_from, moved_to } = playerFields(scored);
  const names = namesOf(compared);
  const reached = targetsOf(goals).map((target) => [goalKey(target), figures(goalPercents(scored, target))] as const);
  return new Map<string, JsonField>([
    ...gains,
    ['name', textField(names.now)],
    ['alliance_tag', textField((pair) => tags[rows.to[pair] as number] ?? null)],
    ['kingdom', kingdom],
    ['power', { write: (out, pair) => out.figureAt(powers, rows.from[pair] as number) }],
    ['dkp', dkp],
    ['dkp_raw', dkp_raw],
    ...(scoring.farms === null ? [] : [['dkp_rolled', figures(rolled.scores)] as const]),
    ...reached,
    ['apart', { has: (pair) => rolled.apart[pair] === 1, write: (out) => out.text('true') }],
    [
      'verified',
      {
        has: (pair) => verifiedAt(scored, pair) !== undefined,
        write: (out, pair) => out.text(JSON.stringify(verifiedAt(scored, pair))),
      },
    ],
    ['doubt', doubt],
    ['renamed_from', renamed_from],
    ['moved_to', moved_to],
  ]);
}

/** Writes the envelope with a comparison as columns, for a page that searches, sorts and scores itself. */
export function comparedColumns({ game, ranges, roster }: Loaded, scored: Scored): Pieces {
  const { compared, kingdoms, gained } = scored;
  const { unseen, rows } = compared;
  const { common, joined, gone } = rows;
  const seasons = seasonLists(compared);
  const head = { game, ranges: madeFromScans(ranges), kingdoms, common, joined, gone, unseen, seasons, roster };
  return tablePieces(scored, { head: (tags) => ({ ...head, tags }), now: gained, nowRows: common });
}
