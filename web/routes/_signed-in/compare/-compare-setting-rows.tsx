import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { goalsText, LineFlaw, zeroedText } from '../../../../domain/difference/lines.ts';
import type { Goal } from '../../../../domain/difference/scoring.ts';
import { verifiedOf, verifiedText } from '../../../../domain/difference/verified.ts';
import type { GameId } from '../../../../domain/games/game-names.ts';
import { t } from '../../../../domain/language/text.ts';
import type { ComparedTable } from '../../../api/compare.ts';
import { goalsQuery } from '../../../api/rosters.ts';
import { goalBrackets } from '../../../components/rows/goal-brackets.ts';
import { GoalRows } from '../../../components/rows/goal-rows.tsx';
import { knownGovernors } from '../../../components/rows/known-governors.ts';
import { RosterEditor } from '../../../components/rows/roster-editor.tsx';
import { ZeroedRows } from '../../../components/rows/zeroed-rows.tsx';
import { counted } from '../../../format.ts';
import { Button } from '../../../ui/button.tsx';
import { TextAreaField, TextField } from '../../../ui/field.tsx';
import layout from '../../../ui/layout.module.css';
import { pickedText } from '../../../ui/picked-text.ts';
import styles from './-compare.module.css';
import type { ComparedRows, CompareScoring } from './-compare-scores.ts';
import type { CompareSearch } from './-compare-search.ts';

/** Delay in ms before the address takes typed goals, because browsers limit how often it may change. */
const REST = 300;

/** A comparison, how it is scored, and a function that changes that. */
export interface SettingsProps {
  table: ComparedTable;
  compared: ComparedRows;
  search: CompareSearch;
  scoring: CompareScoring;
  change: (part: Partial<CompareSearch>) => void;
}

/** The fields of the scoring's settings, and the rosters. */
export function CompareSettingRows({ table, compared, search, scoring, change }: SettingsProps) {
  const known = useMemo(() => knownGovernors(table), [table]);
  const count = useCallback(
    (goals: readonly Goal[]) =>
      goalBrackets(compared.rows, compared.scores, { game: table.game, goals, exempt: compared.apart }),
    [compared, table.game],
  );
  /** Goals that are typed and not yet in the address, which follows after a pause. */
  const [typed, setTyped] = useState<Goal[] | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing moves the address.
  useEffect(() => {
    if (typed === null) return;
    const timer = setTimeout(() => change({ goals: goalsText(typed) || undefined }), REST);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <>
      {table.kingdoms.length === 1 && (
        <OwnGoals game={table.game} kingdom={table.kingdoms[0] ?? ''} scoring={scoring} change={change} />
      )}
      <div className={styles.goals}>
        <GoalRows goals={scoring.goals} error={scoring.flaws.goals ?? null} count={count} change={setTyped} />
        <ZeroedRows
          game={table.game}
          known={known}
          zeroed={scoring.zeroed}
          error={scoring.flaws.zeroed ?? null}
          change={(zeroed) => change({ zeroed: zeroedText(zeroed) || undefined })}
        />
      </div>
      <div className={styles.settings}>
        <VerifiedField search={search} scoring={scoring} change={change} />
        <TextField
          label={t('Points deducted per power')}
          type="number"
          min={0}
          max={1000}
          step="any"
          defaultValue={search.off ?? ''}
          onBlur={({ target }) => change({ off: Number(target.value) || undefined })}
        />
        <TextField
          key={search.farms ?? ''}
          label={t('Percent of a farm’s score that counts for its main')}
          type="number"
          min={0}
          max={100}
          defaultValue={search.farms ?? ''}
          help={t('Leave empty to count farms on their own.')}
          onBlur={({ target }) => change({ farms: target.value === '' ? undefined : Number(target.value) })}
        />
      </div>
      {table.kingdoms.map((kingdom) => (
        <RosterEditor key={kingdom} game={table.game} kingdom={kingdom.split('-', 1)[0] ?? kingdom} known={known} />
      ))}
    </>
  );
}

/** Offers the goals that the user keeps for the kingdom, unless the comparison has them. */
function OwnGoals({
  game,
  kingdom,
  scoring,
  change,
}: Pick<SettingsProps, 'scoring' | 'change'> & { game: GameId; kingdom: string }) {
  const { data } = useQuery(goalsQuery(game, kingdom));
  if (!data || data.goals.length === 0 || goalsText(data.goals) === goalsText(scoring.goals)) return null;
  const { goals, farms } = data;
  return (
    <p>
      <Button onClick={() => change({ goals: goalsText(goals), ...(farms !== null && { farms }) })}>
        {t('Use your goals of {kingdom}', { kingdom })}
      </Button>
    </p>
  );
}

/** Bytes of a sheet that are read; as many governors as there may be fit into them. */
const MOST_READ = 200_000;
/** Characters of an invalid text that are shown again. */
const MOST_SHOWN = 8000;

/** Verified deads as lines, from a sheet that the user pastes or chooses. */
function VerifiedField({
  search,
  scoring,
  change,
}: {
  search: CompareSearch;
  scoring: CompareScoring;
  change: (part: Partial<CompareSearch>) => void;
}) {
  const take = (text: string) => change({ verified: linesOfVerified(text) || undefined });
  const count = Object.keys(scoring.verified).length;
  return (
    <div>
      <TextAreaField
        key={search.verified ?? ''}
        label={t('Verified deads')}
        rows={3}
        defaultValue={search.verified ?? ''}
        placeholder="20436276: 120,000 / 34,000"
        help={t(
          'One per line: an id, a colon, and the deads of T4 / T5. Or paste a sheet with governor_id, t4_deaths and t5_deaths, or choose it as a csv file. They replace the deads of the scans.',
        )}
        error={scoring.flaws.verified ?? null}
        onBlur={({ target }) => take(target.value)}
      />
      <p className={layout.row}>
        <input
          type="file"
          accept=".csv,.tsv,.txt"
          aria-label={t('Verified deads from a file')}
          onChange={async ({ target }) => {
            const picked = target.files?.[0];
            if (picked) take(await pickedText(picked, MOST_READ));
          }}
        />
        {count > 0 && <span role="status">{counted(count, 'governor')}</span>}
      </p>
    </div>
  );
}

/** Returns a sheet as lines that fit into an address, and text that cannot be read as it is. */
function linesOfVerified(text: string): string {
  try {
    return verifiedText(verifiedOf(text));
  } catch (error) {
    if (error instanceof LineFlaw) return text.trim().slice(0, MOST_SHOWN);
    throw error;
  }
}
