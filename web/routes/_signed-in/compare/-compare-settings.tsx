import { useState } from 'react';
import { LineFlaw } from '../../../../domain/difference/lines.ts';
import { verifiedOf, verifiedText } from '../../../../domain/difference/verified.ts';
import type { ComparedTable } from '../../../api/compare.ts';
import { counted } from '../../../format.ts';
import { Disclosed } from '../../../ui/disclosed.tsx';
import { TextAreaField, TextField } from '../../../ui/field.tsx';
import layout from '../../../ui/layout.module.css';
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
  const [open, setOpen] = useState(Boolean(scoring.flaws.goals ?? scoring.flaws.zeroed ?? scoring.flaws.verified));
  const said = [
    scoring.goals.length > 0 && 'goals',
    Object.keys(scoring.zeroed).length > 0 && 'zeroed',
    Object.keys(scoring.verified).length > 0 && 'verified deads',
    scoring.farms !== null && 'farms',
    scoring.power_off > 0 && 'power off',
  ].filter(Boolean);
  return (
    <Disclosed
      title={`Goals, zeroed, verified deads, farms${said.length > 0 ? `: ${said.join(', ')} set` : ''}`}
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
        <VerifiedField search={search} scoring={scoring} change={change} />
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
        label="Verified deads"
        rows={3}
        defaultValue={search.verified ?? ''}
        placeholder="20436276: 120,000 / 34,000"
        help="One per line: an id, a colon, and the deads of T4 / T5. Or paste a sheet with governor_id, t4_deaths and t5_deaths, or choose it as a csv file. They replace the deads of the scans."
        error={scoring.flaws.verified ?? null}
        onBlur={({ target }) => take(target.value)}
      />
      <p className={layout.row}>
        <input
          type="file"
          accept=".csv,.tsv,.txt"
          aria-label="Verified deads from a file"
          onChange={async ({ target }) => {
            const picked = target.files?.[0];
            if (picked) take(await picked.slice(0, MOST_READ).text());
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
