import { useQuery } from '@tanstack/react-query';
import { message, t } from '../../../../../domain/language/text.ts';
import { type ActivityEntry, activityQuery } from '../../../../api/security.ts';
import { Loaded } from '../../../../components/loaded.tsx';
import { Panel } from '../../../../components/panel.tsx';
import type { Column } from '../../../../table/column.ts';
import { Table } from '../../../../table/table.tsx';
import { Time } from '../../../../ui/time.tsx';

/** Labels of log actions; an action without a label is shown as it is. */
const WORDS: Readonly<Record<string, string>> = {
  'account.created': 'Account created',
  'session.opened': 'Signed in',
  'session.refused': 'Wrong password',
  'session.others_ended': 'Signed out everywhere else',
  'two_factor.refused': 'Wrong two-factor code',
  'two_factor.on': 'Two-factor sign-in switched on',
  'two_factor.off': 'Two-factor sign-in switched off',
  'password.changed': 'Password changed',
  'password.reset': 'Password reset by mail',
  'reset.requested': 'Password reset asked for',
  'verify.requested': 'Verification mail sent',
  'change_email.requested': 'Other e-mail asked for',
  'change_email.stopped': 'Change of e-mail stopped',
  'email.verified': 'E-mail verified',
  'email.changed': 'E-mail changed',
  'eula.accepted': 'Licence accepted',
  'session.ended_by_admin': 'Signed out by Muster',
  'balance.adjusted': 'Balance adjusted',
  'key.created': 'API key created',
  'key.revoked': 'API key revoked',
  'key.used': 'API key used',
  'roster.changed': 'Roster changed',
};

const BY: Readonly<Record<string, string>> = { user: 'You', key: 'API key', admin: 'Muster', system: 'Muster' };

const COLUMNS: readonly Column<ActivityEntry>[] = [
  { id: 'at', title: message('When'), cell: ({ at }) => <Time at={at} /> },
  { id: 'action', title: message('What'), cell: ({ action }) => WORDS[action] ?? action, grow: true },
  { id: 'by', title: message('Who'), cell: ({ by }) => BY[by] ?? by },
  { id: 'address', title: message('From'), cell: ({ address }) => address || '–' },
];

export function Activity() {
  const activity = useQuery(activityQuery);
  return (
    <Panel title={t('Activity')} about={t('The latest hundred entries of the log, which is kept for a year.')}>
      <Loaded query={activity} what={t('the log')} heights={['12rem']}>
        {(entries) => (
          <Table label={t('Activity of your account')} columns={COLUMNS} rows={entries} rowId={({ id }) => id} />
        )}
      </Loaded>
    </Panel>
  );
}
