import type { Goal } from '../../../domain/difference/scoring.ts';
import { t } from '../../../domain/language/text.ts';
import { type Point, Scatter, type Target } from '../../chart/scatter.tsx';
import { compact, counted } from '../../format.ts';
import { T } from '../../ui/text.tsx';
import { Panels } from '../panel.tsx';

/** A governor's figures; null if unknown or unverified. */
export interface Fighter {
  name: string;
  /** At the start. */
  power: number | null;
  dkp: number | null;
  /** Kills of T4 and T5. */
  kills: number | null;
  deads: number | null;
  colour?: string | undefined;
}

/** Most dots of a chart: more are neither told apart nor drawn at once. */
const MOST_DOTS = 1000;

/** Returns the DKP that each power is expected to reach. */
function dkpTargets(goals: readonly Goal[]): Target[] {
  const brackets = goals.toSorted((one, other) => one.min_power - other.min_power);
  return brackets.flatMap(({ min_power: from, dkp }, index) =>
    dkp === null ? [] : [{ from, to: brackets[index + 1]?.min_power ?? Number.POSITIVE_INFINITY, y: dkp }],
  );
}

const points = (
  fighters: readonly Fighter[],
  x: (fighter: Fighter) => number | null,
  y: (fighter: Fighter) => number | null,
): Point[] =>
  fighters.flatMap((fighter) => {
    const [across, up] = [x(fighter), y(fighter)];
    return across === null || up === null ? [] : [{ name: fighter.name, x: across, y: up, colour: fighter.colour }];
  });

/** Governors as points: score against power with the goals, deads against kills. */
export function FighterCharts({ fighters, goals }: { fighters: readonly Fighter[]; goals: readonly Goal[] }) {
  const shown =
    fighters.length <= MOST_DOTS
      ? fighters
      : fighters.toSorted((one, other) => (other.power ?? 0) - (one.power ?? 0)).slice(0, MOST_DOTS);
  return (
    <>
      <Panels broad>
        <Scatter
          label={t('DKP against power at the start')}
          x={t('Power')}
          y={t('DKP')}
          quadrants={[t('Small and strong'), t('Large and strong'), t('Small and idle'), t('Large and idle')]}
          points={points(
            shown,
            ({ power }) => power,
            ({ dkp }) => dkp,
          )}
          targets={dkpTargets(goals)}
          target={t('The DKP that this power is expected to reach')}
          show={compact}
        />
        <Scatter
          label={t('Deads against kills of T4 and T5')}
          x={t('Kills')}
          y={t('Deads')}
          quadrants={[t('Many deads, few kills'), t('Many of both'), t('Few of both'), t('Many kills, few deads')]}
          points={points(
            shown,
            ({ kills }) => kills,
            ({ deads }) => deads,
          )}
          show={compact}
        />
      </Panels>
      {shown.length < fighters.length && (
        <p>
          <T
            of="The charts show the {length} with the most power at the start."
            length={counted(shown.length, 'player', 'players')}
          />
        </p>
      )}
    </>
  );
}
