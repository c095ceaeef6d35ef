import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { GAME_NAMES } from '../../../../domain/games/game-names.ts';
import { t, words } from '../../../../domain/language/text.ts';
import { messageOf } from '../../../api/client.ts';
import { type ComparedTable, createFight } from '../../../api/compare.ts';
import { createReport } from '../../../api/compare-reports.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Dialog, DialogActions, FormActions } from '../../../ui/dialog.tsx';
import { CheckField, TextAreaField, TextField } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { CompareScoring } from './-compare-scores.ts';
import type { CompareSearch } from './-compare-search.ts';

/** A dialog with a form. It stays open if refused, so the user can correct it. */
const FormDialog = ({
  title,
  action = t('Save'),
  sending,
  done,
  close,
  children,
}: {
  title: string;
  action?: string;
  sending: UseMutationResult<unknown, Error, FormData>;
  /** Called on success, unless the dialog was closed before; another dialog may be open by then. */
  done?: () => void;
  close: () => void;
  /** Form fields. */
  children: ReactNode;
}) => (
  <Dialog title={title} close={close}>
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!sending.isPending) sending.mutate(new FormData(event.currentTarget), { onSuccess: () => done?.() });
      }}
    >
      {children}
      {sending.error && <Notice tone="danger">{messageOf(sending.error)}</Notice>}
      <FormActions close={close} action={action} busy={sending.isPending} />
    </form>
  </Dialog>
);

/** Selects all goal columns; those without goals are not in the report. */
const GOALS = 'goal';

/** Selects both columns of verified deads; without any they are not in the report. */
const VERIFIED = 'verified';

/** Columns that a shared report can show. */
const COLUMNS = (game: ComparedTable['game']): [key: string, title: string][] => {
  const { roles, score } = GAME_NAMES[game];
  return [
    ['dkp', 'DKP'],
    ['alliance_tag', t('Alliance')],
    ['kingdom', t('Kingdom')],
    ['power', t('Power at the start')],
    [VERIFIED, t('Verified deads')],
    ['doubt', t('Why a score is unverified')],
    [GOALS, t('Percent of each goal')],
    [`gain:${roles.score}`, t('{score} gained', { score: words(score) })],
    [`gain:${roles.tiers[3]}`, t('T4 kills gained')],
    [`gain:${roles.tiers[4]}`, t('T5 kills gained')],
    [`gain:${roles.deads}`, t('Deads gained')],
  ];
};

/** Shared reports always contain these columns. */
const ALWAYS = ['rank', 'name'];

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  [GOALS]: ['goal', 'goal_kills', 'goal_deads'],
  [VERIFIED]: ['verified_t4', 'verified_t5'],
};

const shares = (form: FormData, game: ComparedTable['game']): string[] => [
  ...ALWAYS,
  ...COLUMNS(game).flatMap(([key]) => (form.get(key) === 'on' ? (GROUPS[key] ?? [key]) : [])),
];

/** Saves the comparison with its scoring as a report. */
export function ReportDialog({
  table,
  scoring,
  close,
}: {
  table: ComparedTable;
  scoring: CompareScoring;
  close: () => void;
}) {
  const client = useQueryClient();
  const { weights, power_off, goals, zeroed, verified, farms } = scoring;
  const saving = useMutation({
    mutationFn: (form: FormData) =>
      createReport({
        name: textOf(form, 'name'),
        ranges: table.ranges.map(({ from, to }) => ({
          from: from.map(({ scan_id }) => scan_id),
          to: to.map(({ scan_id }) => scan_id),
        })),
        settings: {
          weights,
          power_off,
          goals,
          zeroed,
          verified,
          farms,
          columns: shares(form, table.game),
          note: textOf(form, 'note'),
        },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['compare-reports'] }),
  });
  if (saving.data)
    return (
      <Dialog title={t('The report is saved')} close={close}>
        <p>
          {t(
            'It keeps its scans, weights, goals, exemptions and verified deads. You can share it by a link and end the link at any time.',
          )}
        </p>
        <DialogActions>
          <Button look="plain" onClick={close}>
            {t('Stay here')}
          </Button>
          <Link to="/compare/$reportId" params={{ reportId: saving.data.report_id }} className={buttonClass('primary')}>
            {t('Open and share it')}
          </Link>
        </DialogActions>
      </Dialog>
    );
  return (
    <FormDialog title={t('Save as a report')} sending={saving} close={close}>
      <TextField label={t('Name')} name="name" required maxLength={100} placeholder={t('Pass 4, week 1')} />
      <TextAreaField label={t('Note')} name="note" rows={2} maxLength={2000} />
      <fieldset>
        <legend>{t('Columns of the shared page')}</legend>
        {COLUMNS(table.game).map(([key, title]) => (
          <CheckField key={key} label={title} name={key} defaultChecked={key !== GOALS || goals.length > 0} />
        ))}
      </fieldset>
    </FormDialog>
  );
}

/** Saves the range of the comparison as a named fight. */
export function FightDialog({ search, close }: { search: CompareSearch; close: () => void }) {
  const client = useQueryClient();
  const ids = (written: string | undefined) => (written ?? '').split(',').filter(Boolean);
  const saving = useMutation({
    mutationFn: (form: FormData) =>
      createFight({ name: textOf(form, 'name'), from: ids(search.from), to: ids(search.to) }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['fights'] }),
  });
  return (
    <FormDialog title={t('Save as a fight')} sending={saving} done={close} close={close}>
      <p>
        {t(
          'Fights are kept in your library and can be added up, such as Pass 4 and Kingsland without the days between.',
        )}
      </p>
      <TextField label={t('Name')} name="name" required maxLength={100} placeholder={t('Pass 4')} />
    </FormDialog>
  );
}
