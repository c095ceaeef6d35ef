import { useState } from 'react';
import type { ComparedTable } from '../../../api/compare.ts';
import { Disclosed } from '../../../ui/disclosed.tsx';
import { TextAreaField, TextField } from '../../../ui/field.tsx';
import styles from './-compare.module.css';
import type { CompareScoring } from './-compare-scores.ts';
import type { CompareSearch } from './-compare-search.ts';
import { RosterEditor } from './-roster-editor.tsx';

/** Settings of the scoring: goals by power bracket, zeroed governors, farms and mains. */
export function CompareSettings({
  table,
  search,
  scoring,
  change,
}: {
  table: ComparedTable;
  search: CompareSearch;
  scoring: CompareScoring;
  change: (part: Partial<CompareSearch>) => void;
}) {
  const [open, setOpen] = useState(Boolean(scoring.flaws.goals ?? scoring.flaws.zeroed));
  const said = [
    scoring.goals.length > 0 && 'goals',
    Object.keys(scoring.zeroed).length > 0 && 'zeroed',
    scoring.farms !== null && 'farms',
    scoring.power_off > 0 && 'power off',
  ].filter(Boolean);
  return (
    <Disclosed
      title={`Goals, zeroed, farms${said.length > 0 ? `: ${said.join(', ')} set` : ''}`}
      open={open}
      change={setOpen}
    >
      <div className={styles.settings}>
        <TextAreaField
          label="Goals"
          rows={3}
          defaultValue={search.goals ?? ''}
          placeholder="40M: dkp 2M, kills 100K, deads 50K"
          help="One line per bracket of power at the start."
          error={scoring.flaws.goals ?? null}
          onBlur={({ target }) => change({ goals: target.value.trim() || undefined })}
        />
        <TextAreaField
          label="Zeroed"
          rows={3}
          defaultValue={search.zeroed ?? ''}
          placeholder="20436276: 80"
          help="One per line: an id, a colon, and the percent of its deads that does not count (0, 50, 70, 80, 90 or 100)."
          error={scoring.flaws.zeroed ?? null}
          onBlur={({ target }) => change({ zeroed: target.value.trim() || undefined })}
        />
        <TextField
          label="Points deducted per power"
          type="number"
          min={0}
          max={1000}
          step="any"
          defaultValue={search.off ?? ''}
          onBlur={({ target }) => change({ off: Number(target.value) || undefined })}
        />
        <TextField
          label="Percent of a farm’s score that counts for its main"
          type="number"
          min={0}
          max={100}
          defaultValue={search.farms ?? ''}
          help="Leave empty to count farms on their own."
          onBlur={({ target }) => change({ farms: target.value === '' ? undefined : Number(target.value) })}
        />
      </div>
      {table.kingdoms.map((kingdom) => (
        <RosterEditor key={kingdom} game={table.game} kingdom={kingdom.split('-', 1)[0] ?? kingdom} />
      ))}
    </Disclosed>
  );
}
