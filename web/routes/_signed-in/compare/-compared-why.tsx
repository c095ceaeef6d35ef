import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { dayOf } from '../../../../domain/days.ts';
import { DOUBT_TEXT, doubtAt } from '../../../../domain/difference/doubts.ts';
import { TARGET_TITLE } from '../../../../domain/difference/goals.ts';
import { goalOf } from '../../../../domain/difference/scoring.ts';
import { GAME_NAMES } from '../../../../domain/games/game-names.ts';
import { orNull } from '../../../../domain/known.ts';
import { listed, message, t, words } from '../../../../domain/language/text.ts';
import { isFileTime } from '../../../../domain/scans/file-time.ts';
import { type ComparedTable, governorLineQuery } from '../../../api/compare.ts';
import { LineChart } from '../../../chart/line-chart.tsx';
import { type DifferenceRows, reachedRows, type ScoredRows } from '../../../components/difference/difference-rows.ts';
import { percent } from '../../../components/difference/gain.tsx';
import { type Term, TermSum, termsOf } from '../../../components/difference/term-sum.tsx';
import { FileDays } from '../../../components/file-days.tsx';
import { GovernorLink } from '../../../components/links.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { More } from '../../../components/more.tsx';
import { counted, exact } from '../../../format.ts';
import { T } from '../../../ui/text.tsx';
import styles from './-compare.module.css';
import type { CompareScoring } from './-compare-scores.ts';

/**
 * Explains a score: weight times gain per figure, unverified figures, and the governor's history through the user's
 * scans.
 */
export function ComparedWhy({
  table,
  rows,
  row,
  scoring,
  scores,
  alone,
}: {
  table: ComparedTable;
  rows: DifferenceRows;
  row: number;
  scoring: CompareScoring;
  scores: ScoredRows;
  /** Each governor's own score. */
  alone: ScoredRows;
}) {
  const id = table.id[row] ?? 0;
  const own = termsOf(table.game, scoring, {
    gain: (key) => orNull(rows.gains.get(key)?.raw[row]),
    doubt: (key) => {
      const gains = rows.gains.get(key);
      return gains ? doubtAt(gains.doubts, row) : null;
    },
    power: orNull(rows.powers[row]),
    deadsOff: scoring.zeroed[id] ?? 0,
  });
  const terms = [...own, ...farmTerms(table, alone, id, scoring)];
  const verified = scoring.verified[id];
  const power = orNull(rows.powers[row]);
  const goal = power === null ? null : goalOf(scoring.goals, power);
  const judged = useMemo(
    () => reachedRows(rows, scores, { game: table.game, goals: scoring.goals, exempt: [] }),
    [rows, scores, table.game, scoring.goals],
  );
  return (
    <div className={styles.why}>
      {row < table.common ? <TermSum terms={terms} /> : <p>{t('Not on both sides, so no gain can be computed.')}</p>}
      <ul className={styles.notes}>
        {terms
          .filter(({ doubt }) => doubt !== null)
          .map(({ key, title, doubt }) => (
            <li key={key}>
              <T
                of="<b>{label}:</b> {text}"
                b={(label) => <b>{label}</b>}
                label={title}
                text={doubt && words(DOUBT_TEXT[doubt])}
              />
            </li>
          ))}
        {goal && judged.size > 0 && (
          <li>
            <T
              of="Goal from {min_power} power: {value}."
              min_power={exact(goal.min_power)}
              value={listed(
                [...judged]
                  .filter(([target]) => goal[target] !== null)
                  .map(([target, percents]) =>
                    t('{percent} of {goal} {target}', {
                      percent: percent(orNull(percents[row])),
                      goal: exact(goal[target] ?? 0),
                      target: words(TARGET_TITLE[target]),
                    }),
                  ),
              )}
            />
          </li>
        )}
        {verified && (
          <li>
            <T
              of="Verified deads replace those of the scans: {t4} of T4, {t5} of T5."
              t4={exact(verified.t4)}
              t5={exact(verified.t5)}
            />
          </li>
        )}
        {scoring.zeroed[id] !== undefined && (
          <li>
            <T of="Zeroed: {id}% of the deads do not count." id={scoring.zeroed[id]} />
          </li>
        )}
      </ul>
      <Line table={table} id={id} />
      <p>
        <T
          of="More about {governor}"
          governor={<GovernorLink game={table.game} id={id} name={table.name[row] ?? ''} />}
        />
      </p>
    </div>
  );
}

/** Score terms of a governor's farms that are on both sides. */
function farmTerms(table: ComparedTable, alone: ScoredRows, id: number, { farms }: CompareScoring): Term[] {
  if (farms === null) return [];
  return table.roster.flatMap(({ governor_id, main_id }) => {
    const score = main_id === id ? orNull(alone.dkp[table.id.indexOf(governor_id)]) : null;
    if (score === null) return [];
    const weight = farms / 100;
    const title = t('DKP of the farm {id}', { id: String(governor_id) });
    return [{ key: `farm ${governor_id}`, title, weight, gain: score, points: weight * score, doubt: null }];
  });
}

function Line({ table, id }: { table: ComparedTable; id: number }) {
  const line = useInfiniteQuery(governorLineQuery({ game: table.game, governor: id }));
  const { power, score } = { power: 'power', score: GAME_NAMES[table.game].roles.score };
  return (
    <Loaded query={line} what={t('the line')} heights={['14rem']}>
      {({ pages }) => {
        const points = pages.toReversed().flatMap((page) => page.points);
        const byFile = points.filter(({ source }) => isFileTime(source)).map(({ captured_at }) => dayOf(captured_at));
        const left = pages.at(-1)?.left_out ?? 0;
        return (
          <>
            {points.length > 1 && (
              <div className={styles.lines}>
                {[
                  [power, message('Power')],
                  [score, words(GAME_NAMES[table.game].score)],
                ].map(([key = '', title = '']) => (
                  <LineChart
                    key={key}
                    label={t('{title} through your scans', { title: words(title) })}
                    days={points.map(({ captured_at }) => new Date(captured_at).toISOString())}
                    lines={[{ label: words(title), values: points.map(({ figures }) => figures[key] ?? null) }]}
                  />
                ))}
              </div>
            )}
            <FileDays days={byFile} />
            {left > 0 && (
              <p>
                <T of="{left} not in these lines yet." left={counted(left, 'older scan is', 'older scans are')} />
              </p>
            )}
            <More of={line}>{t('Look through older scans')}</More>
          </>
        );
      }}
    </Loaded>
  );
}
