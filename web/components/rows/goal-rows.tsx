import { X } from 'lucide';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { amountOf } from '../../../domain/amounts.ts';
import type { Bracket } from '../../../domain/difference/brackets.ts';
import { TARGET_TITLE, TARGETS } from '../../../domain/difference/goals.ts';
import type { Goal } from '../../../domain/difference/scoring.ts';
import { formats } from '../../../domain/language/formats.ts';
import type { Locale } from '../../../domain/language/locales.ts';
import { message, t, words } from '../../../domain/language/text.ts';
import { counted, exact } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import layout from '../../ui/layout.module.css';
import { useLocale } from '../../ui/use-locale.ts';
import { RowSet } from './row-set.tsx';
import styles from './rows.module.css';

const FIELDS = ['min_power', ...TARGETS] as const;
type Field = (typeof FIELDS)[number];
const TITLE: Readonly<Record<Field, string>> = { min_power: message('From power'), ...TARGET_TITLE };

/** A goal as typed. `key` tells rows apart while their figures change. */
type Draft = Record<Field, string> & { key: number };

const amountText = (amount: number | null): string => (amount === null ? '' : exact(amount));
const draftOf = ({ min_power, dkp, kills, deads }: Goal, key: number): Draft => ({
  key,
  min_power: amountText(min_power),
  dkp: amountText(dkp),
  kills: amountText(kills),
  deads: amountText(deads),
});

/** Writes a draft's figures as another language does, because `100,000` is a hundred in German. */
function rewritten(draft: Draft, from: Locale): Draft {
  const texts = FIELDS.map((field) => {
    const amount = amountOf(draft[field], formats(from));
    return [field, amount === null ? draft[field] : exact(amount)];
  });
  return { ...draft, ...Object.fromEntries(texts) };
}

const read = (text: string): number | null => (text.trim() === '' ? null : amountOf(text));
const isWrong = (draft: Draft, field: Field): boolean =>
  draft[field].trim() === '' ? field === 'min_power' : amountOf(draft[field]) === null;

/** Returns what is wrong with a row, as a sentence; null if it is a goal. */
function flawOfGoal(draft: Draft, all: readonly Draft[]): string | null {
  const wrong = FIELDS.find((field) => isWrong(draft, field));
  if (wrong === 'min_power' && draft.min_power.trim() === '') return t('Name the power from which the goal counts.');
  if (wrong) return t('{field}: write a figure such as 40,000,000 or 40M.', { field: words(TITLE[wrong]) });
  if (TARGETS.every((target) => draft[target].trim() === '')) return t('Set at least one target.');
  const power = amountOf(draft.min_power);
  if (all.some((other) => other.key < draft.key && amountOf(other.min_power) === power))
    return t('There is a goal from {power} already.', { power: exact(power ?? 0) });
  return null;
}

const goalOf = (draft: Draft): Goal => ({
  min_power: read(draft.min_power) ?? 0,
  dkp: read(draft.dkp),
  kills: read(draft.kills),
  deads: read(draft.deads),
});

/**
 * Goals by bracket of power, as a table of fields, with live counts of who passes. `change` receives null while a row
 * is unfinished. Changes of `goals` from outside replace the rows.
 */
export function GoalRows({
  goals,
  error,
  count,
  change,
}: {
  goals: readonly Goal[];
  error?: string | null;
  /** Counts who passes; null if there is no scan to count in. */
  count: ((goals: readonly Goal[]) => Bracket[]) | null;
  change: (goals: Goal[] | null) => void;
}) {
  const next = useRef(goals.length);
  const [rows, setRows] = useState(() => goals.map(draftOf));
  const language = useLocale();
  const [writtenIn, setWrittenIn] = useState(language);
  if (writtenIn !== language) {
    setWrittenIn(language);
    setRows(rows.map((draft) => rewritten(draft, writtenIn)));
  }
  const given = JSON.stringify(goals);
  // Goals passed to the parent and not received back yet; the user may go on typing meanwhile.
  const told = useRef([given]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `goals` is a new list each time, with the same content.
  useEffect(() => {
    const back = told.current.indexOf(given);
    told.current.splice(0, back + 1);
    if (back < 0) setRows(goals.map((goal) => draftOf(goal, next.current++)));
  }, [given]);
  const edit = (drafts: Draft[]) => {
    setRows(drafts);
    const read = drafts.some((draft) => flawOfGoal(draft, drafts)) ? null : drafts.map(goalOf);
    if (read) told.current.push(JSON.stringify(read));
    change(read);
  };
  const settled = useDeferredValue(rows);
  const brackets = useMemo(() => {
    const fine = settled.filter((draft) => !flawOfGoal(draft, settled));
    const counts = count?.(fine.map(goalOf)) ?? [];
    return new Map(fine.map((draft, index) => [draft.key, counts[index]]));
  }, [settled, count]);
  return (
    <RowSet
      title={t('Goals')}
      about={t(
        'By power at the start. A governor has the goal of the highest bracket that their power reaches. Each target is optional.',
      )}
      error={error}
      rows={rows}
      rowId={({ key }) => key}
      row={(draft, index) => (
        <GoalRow
          draft={draft}
          place={index + 1}
          flaw={flawOfGoal(draft, rows)}
          bracket={brackets.get(draft.key)}
          set={(part) => edit(rows.map((each) => (each.key === draft.key ? { ...each, ...part } : each)))}
          remove={() => edit(rows.filter(({ key }) => key !== draft.key))}
        />
      )}
    >
      <p>
        <Button onClick={() => edit([...rows, { key: next.current++, min_power: '', dkp: '', kills: '', deads: '' }])}>
          {t('Add a bracket')}
        </Button>
      </p>
    </RowSet>
  );
}

function GoalRow({
  draft,
  place,
  flaw,
  bracket,
  set,
  remove,
}: {
  draft: Draft;
  place: number;
  flaw: string | null;
  bracket: Bracket | undefined;
  set: (part: Partial<Draft>) => void;
  remove: () => void;
}) {
  return (
    <div className={styles.goal}>
      {FIELDS.map((field) => (
        <label key={field} className={styles.figure}>
          <span>{words(TITLE[field])}</span>
          <input
            aria-label={t('{field} of goal {place}', { field: words(TITLE[field]), place })}
            inputMode="text"
            autoComplete="off"
            maxLength={24}
            value={draft[field]}
            aria-invalid={draft[field] !== '' && isWrong(draft, field) ? true : undefined}
            onChange={({ target }) => set({ [field]: target.value })}
          />
        </label>
      ))}
      <Button look="bare" aria-label={t('Remove goal {place}', { place })} onClick={remove}>
        <Icon of={X} size={16} />
      </Button>
      <p className={`${styles.passes} ${flaw ? styles.error : layout.quiet}`} role="status">
        {flaw ?? (bracket && passesText(bracket))}
      </p>
    </div>
  );
}

function passesText({ governors, passed, unknown }: Bracket): string {
  if (governors === 0) return t('Nobody is in this bracket.');
  const values = { passed, governors: counted(governors, 'governor'), unknown: exact(unknown) };
  return unknown > 0
    ? t(
        '{passed, plural, one {# of {governors} passes, {unknown} unknown.} other {# of {governors} pass, {unknown} unknown.}}',
        values,
      )
    : t('{passed, plural, one {# of {governors} passes.} other {# of {governors} pass.}}', values);
}
