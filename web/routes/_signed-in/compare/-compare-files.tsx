import { lazy, Suspense, useState } from 'react';
import { goalsText, zeroedText } from '../../../../domain/difference/lines.ts';
import { weighed } from '../../../../domain/difference/scoring.ts';
import { verifiedText } from '../../../../domain/difference/verified.ts';
import { GAME_NAMES } from '../../../../domain/games/game-names.ts';
import { t } from '../../../../domain/language/text.ts';
import { type ComparedTable, compareFile } from '../../../api/compare.ts';
import { ComparedFiles } from '../../../components/difference/compared-files.tsx';
import { Button } from '../../../ui/button.tsx';
import type { CompareScoring } from './-compare-scores.ts';
import type { CompareSearch } from './-compare-search.ts';

const fetchDialogs = () => import('./-compare-dialogs.tsx');
/** Loaded on demand, because most users save nothing. */
const ReportDialog = lazy(async () => ({ default: (await fetchDialogs()).ReportDialog }));
const FightDialog = lazy(async () => ({ default: (await fetchDialogs()).FightDialog }));

/** Saves the comparison as a file, a report or a fight. */
export function CompareFiles({
  table,
  search,
  scoring,
}: {
  table: ComparedTable;
  search: CompareSearch;
  scoring: CompareScoring;
}) {
  const [dialog, setDialog] = useState<'report' | 'fight' | null>(null);
  const query = exportQuery(table.game, scoring);
  return (
    <ComparedFiles href={(type) => compareFile(search, type, query)}>
      <Button look="primary" onClick={() => setDialog('report')}>
        {t('Save as a report')}
      </Button>
      {search.fights === undefined && <Button onClick={() => setDialog('fight')}>{t('Save as a fight')}</Button>}
      <Suspense>
        {dialog === 'report' && <ReportDialog table={table} scoring={scoring} close={() => setDialog(null)} />}
        {dialog === 'fight' && <FightDialog search={search} close={() => setDialog(null)} />}
      </Suspense>
    </ComparedFiles>
  );
}

/** Converts the page's scoring to the API's parameter names. */
function exportQuery(
  game: ComparedTable['game'],
  { weights, power_off, goals, zeroed, verified, farms }: CompareScoring,
): Record<string, string> {
  const { tiers, deads, score } = GAME_NAMES[game].roles;
  const names: Record<string, string> = {
    ...Object.fromEntries(tiers.map((key, tier) => [key, `t${tier + 1}`])),
    [deads]: 'deads',
    [score]: 'score',
    deads_t4: 'deads_t4',
    deads_t5: 'deads_t5',
  };
  const named = weighed(weights).flatMap(([key, weight]) => (names[key] ? [[names[key], String(weight)]] : []));
  return {
    // An explicit zero, because the API uses the default weights if none is given.
    t4: '0',
    ...Object.fromEntries(named),
    ...(power_off > 0 && { power_off: String(power_off) }),
    ...(goals.length > 0 && { goals: goalsText(goals) }),
    ...(Object.keys(zeroed).length > 0 && { zeroed: zeroedText(zeroed) }),
    ...(Object.keys(verified).length > 0 && { verified: verifiedText(verified) }),
    ...(farms !== null && { farms: String(farms) }),
  };
}
