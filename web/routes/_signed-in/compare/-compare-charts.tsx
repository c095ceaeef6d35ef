import { useMemo } from 'react';
import { t } from '../../../../domain/language/text.ts';
import { Bars } from '../../../chart/bars.tsx';
import { Scatter } from '../../../chart/scatter.tsx';
import type { DifferenceRows, ScoredRows } from '../../../components/difference/difference-rows.ts';
import { compact, exact, nameOr } from '../../../format.ts';
import { useTextMemo } from '../../../ui/use-locale.ts';

/** Number of bars in the distribution. */
const CLASSES = 12;
const ALLIANCES = 12;

/** Charts: DKP against power, distribution of scores, and DKP by alliance. */
export function CompareCharts({
  rows,
  scores,
  alone,
}: {
  rows: DifferenceRows;
  scores: ScoredRows;
  /** Scores without farms' contributions, used for alliance sums. */
  alone: ScoredRows;
}) {
  const points = useTextMemo(() => pointsOf(rows, scores), [rows, scores]);
  const spread = useTextMemo(() => spreadOf(points.map(({ y }) => y)), [points]);
  const alliances = useMemo(() => alliancesOf(rows, alone), [rows, alone]);
  return (
    <>
      <Scatter
        label={t('DKP against power at the start')}
        x={t('Power')}
        y="DKP"
        quadrants={[t('Small and strong'), t('Large and strong'), t('Small and idle'), t('Large and idle')]}
        points={points}
        show={compact}
      />
      <Bars
        framed
        label={t('How the scores are spread')}
        nameOf={['DKP', t('Governors')]}
        reading={t('Point at a bar')}
        bars={spread}
        show={exact}
        exact={exact}
      />
      <Bars
        framed
        label={t('DKP by alliance')}
        nameOf={[t('Alliance'), 'DKP']}
        reading={t('Point at a bar')}
        bars={alliances}
        show={compact}
        exact={exact}
      />
    </>
  );
}

/** Governors with known power and score. */
function pointsOf({ table, powers }: DifferenceRows, { dkp }: ScoredRows) {
  return table.name.slice(0, table.common).flatMap((name, row) => {
    const [x, y] = [powers[row] as number, dkp[row] as number];
    return Number.isNaN(x) || Number.isNaN(y) ? [] : [{ x, y, name: nameOr(name, String(table.id[row])) }];
  });
}

function spreadOf(scores: readonly number[]) {
  const most = scores.reduce((max, score) => Math.max(max, score), 0);
  // Deductions for power can make scores negative.
  const least = scores.reduce((min, score) => Math.min(min, score), 0);
  const width = (most - least) / CLASSES || 1;
  const counts = new Array<number>(CLASSES).fill(0);
  for (const score of scores) {
    const place = Math.min(CLASSES - 1, Math.max(0, Math.floor((score - least) / width)));
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts.map((value, place) => ({
    name: t('{low} to {high}', {
      low: compact(Math.floor(least + place * width)),
      high: compact(Math.floor(least + (place + 1) * width)),
    }),
    tick: place % 3 === 0 ? compact(Math.floor(least + place * width)) : '',
    value,
  }));
}

function alliancesOf({ table }: DifferenceRows, { dkp }: ScoredRows) {
  const sums = new Map<number, number>();
  for (let row = 0; row < table.common; row++) {
    const score = dkp[row] as number;
    const tag = table.tag[row] ?? -1;
    if (tag >= 0 && !Number.isNaN(score)) sums.set(tag, (sums.get(tag) ?? 0) + score);
  }
  return [...sums]
    .sort(([, one], [, other]) => other - one)
    .slice(0, ALLIANCES)
    .map(([tag, sum]) => ({ name: table.tags[tag] ?? '', tick: table.tags[tag] ?? '', value: Math.max(0, sum) }));
}
