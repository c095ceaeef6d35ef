import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { message, t, words } from '../../../domain/language/text.ts';
import {
  type AccessCode,
  accessCodesQuery,
  codeUsersQuery,
  createAccessCode,
  revokeAccessCode,
} from '../../api/admin.ts';
import { fieldError } from '../../api/client.ts';
import { textOf } from '../../components/entry-page.tsx';
import { FormCard } from '../../components/form-card.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { Nothing, Panel } from '../../components/panel.tsx';
import { parseTime } from '../../form-times.ts';
import { exact } from '../../format.ts';
import type { Column } from '../../table/column.ts';
import { Table } from '../../table/table.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { T } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { Act, codeIn } from './-act.tsx';

export const Route = createFileRoute('/admin/access-codes')({
  loader: ({ context }) => {
    void context.client.prefetchInfiniteQuery(accessCodesQuery);
  },
  component: AccessCodes,
});

const stateOf = ({ revoked_at, expires_at, uses, max_uses }: AccessCode): string => {
  if (revoked_at !== null) return message('revoked');
  if (expires_at !== null && expires_at <= Date.now()) return message('expired');
  return uses >= max_uses ? message('used up') : OPEN;
};

const OPEN = message('usable');

const COLUMNS: readonly Column<AccessCode>[] = [
  { id: 'code', title: message('Code'), sticky: true, cell: ({ code }) => code },
  { id: 'state', title: message('State'), cell: (code) => words(stateOf(code)) },
  { id: 'uses', title: message('Uses'), figures: true, cell: (code) => <Uses code={code} /> },
  {
    id: 'expires',
    title: message('Expires'),
    cell: ({ expires_at }) => (expires_at ? <Time at={expires_at} /> : t('never')),
  },
  { id: 'made', title: message('Made'), cell: ({ created_at }) => <Time at={created_at} /> },
  { id: 'note', title: message('Note'), cell: ({ note }) => note || '–', grow: true, wraps: true },
  { id: 'revoke', title: '', cell: (code) => stateOf(code) === OPEN && <Revoke code={code} /> },
];

/** How often a code was used; opens the list of who used it. */
function Uses({ code: { id, code, uses, max_uses } }: { code: AccessCode }) {
  const [open, setOpen] = useState(false);
  const text = t('{done} of {whole}', { done: exact(uses), whole: exact(max_uses) });
  if (uses === 0) return text;
  return (
    <>
      <Button look="bare" onClick={() => setOpen(true)} aria-label={t('Who used {code}: {text}', { code, text })}>
        {text}
      </Button>
      {open && (
        <Dialog title={t('Who used {code}', { code })} close={() => setOpen(false)}>
          <Users id={id} />
          <DialogActions>
            <Button onClick={() => setOpen(false)}>{t('Close')}</Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}

function Users({ id }: { id: number }) {
  const users = useQuery(codeUsersQuery(id));
  return (
    <Loaded query={users} what={t('who used it')} heights={['6rem']}>
      {(all) =>
        all.length === 0 ? (
          <Nothing>{t('The accounts were deleted, or are older than the record of codes.')}</Nothing>
        ) : (
          <ul>
            {all.map(({ user_id, username, created_at, verified_at }) => (
              <li key={user_id}>
                <Link to="/admin/accounts/$userId" params={{ userId: user_id }}>
                  {username}
                </Link>
                {' · '}
                <Time at={created_at} />
                {verified_at === null && ` · ${t('mail not verified')}`}
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

const Revoke = ({ code: { id, code } }: { code: AccessCode }) => (
  <Act
    label={t('Revoke')}
    name={t('Revoke {code}', { code })}
    title={t('Revoke {code}', { code })}
    about={t('Nobody can register with it any more. Accounts that were made with it stay. This cannot be undone.')}
    reason={false}
    proof
    act={async (form) => {
      await revokeAccessCode(id, codeIn(form));
      return null;
    }}
  />
);

function AccessCodes() {
  const codes = useInfiniteQuery(accessCodesQuery);
  const made = codes.data?.pages.flat() ?? [];
  return (
    <>
      <title>{t('Access codes · Muster')}</title>
      <NewCode />
      <Panel title={t('Codes')} about={t('Anyone with an open code can register.')}>
        <Loaded query={codes} what={t('the codes')} heights={['10rem']}>
          {() =>
            made.length === 0 ? (
              <Nothing>{t('There are no codes yet: nobody can register.')}</Nothing>
            ) : (
              <Table label={t('Access codes')} columns={COLUMNS} rows={made} rowId={({ id }) => id} />
            )
          }
        </Loaded>
        <More of={codes}>{t('Older codes')}</More>
      </Panel>
    </>
  );
}

/** Returns the end of a day (UTC) in epoch ms; null if the field is empty. */
function endOf(day: string): number | null {
  if (day === '') return null;
  const minute = parseTime(`${day} 23:59`);
  if (minute === null) throw fieldError('expires_at', message('must be a day.'));
  return minute + 59_000;
}

function NewCode() {
  const client = useQueryClient();
  const making = useMutation({
    mutationFn: (form: FormData) =>
      createAccessCode({
        code: textOf(form, 'code') || undefined,
        max_uses: Number(textOf(form, 'max_uses')),
        expires_at: endOf(textOf(form, 'expires_at')),
        note: textOf(form, 'note'),
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: accessCodesQuery.queryKey }),
  });
  return (
    <FormCard
      clears
      title={t('New access code')}
      action={t('Make the code')}
      sending={making}
      done={
        making.data && (
          <T
            of="The code is {code}. As a link: {link}"
            code={<strong>{making.data.code}</strong>}
            link={`${location.origin}/register?code=${making.data.code}`}
          />
        )
      }
      onSubmit={making.mutate}
    >
      <TextField
        label={t('Code')}
        name="code"
        placeholder={t('Leave empty for a random one')}
        autoComplete="off"
        maxLength={64}
      />
      <TextField label={t('Uses')} name="max_uses" type="number" min={1} max={100000} defaultValue={1} required />
      <TextField label={t('Expires after')} name="expires_at" type="date" help={t('In UTC. Leave empty for never.')} />
      <TextField label={t('Note')} name="note" autoComplete="off" maxLength={200} />
    </FormCard>
  );
}
