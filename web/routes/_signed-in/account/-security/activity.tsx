import { useQuery } from '@tanstack/react-query';
import { message, t, words } from '../../../../../domain/language/text.ts';
import { type ActivityEntry, activityQuery } from '../../../../api/security.ts';
import { Loaded } from '../../../../components/loaded.tsx';
import { Panel } from '../../../../components/panel.tsx';
import type { Column } from '../../../../table/column.ts';
import { Table } from '../../../../table/table.tsx';
import { Time } from '../../../../ui/time.tsx';

/** Labels of log actions; an action without a label is shown as it is. */
const WORDS: Readonly<Record<string, string>> = {
  'account.created': message('Account created'),
  'session.opened': message('Signed in'),
  'session.refused': message('Wrong password'),
  'session.others_ended': message('Signed out everywhere else'),
  'two_factor.refused': message('Wrong two-factor code'),
  'two_factor.on': message('Two-factor sign-in switched on'),
  'two_factor.off': message('Two-factor sign-in switched off'),
  'password.changed': message('Password changed'),
  'password.reset': message('Password reset by mail'),
  'reset.requested': message('Password reset asked for'),
  'verify.requested': message('Verification mail sent'),
  'change_email.requested': message('Other e-mail asked for'),
  'change_email.stopped': message('Change of e-mail stopped'),
  'email.verified': message('E-mail verified'),
  'email.changed': message('E-mail changed'),
  'eula.accepted': message('Licence accepted'),
  'session.ended_by_admin': message('Signed out by Muster'),
  'balance.adjusted': message('Balance adjusted'),
  'key.created': message('API key created'),
  'key.revoked': message('API key revoked'),
  'key.used': message('API key used'),
  'roster.changed': message('Roster changed'),
  'goals.changed': message('Goals of a kingdom changed'),
  'notifications.changed': message('Notifications changed'),
  'team.created': message('Team created'),
  'team.closed': message('Team closed'),
  'team.invited': message('Invited to a team'),
  'team.joined': message('Joined a team'),
  'team.changed': message('Team changed'),
  'team.handed_over': message('Team handed over'),
  'team.invite_revoked': message('Invite to a team revoked'),
  'team.member_left': message('Member left a team'),
  'team.role_changed': message('Role in a team changed'),
};

/** Anybody can do these without signing in. */
const ANONYMOUS: ReadonlySet<string> = new Set(['session.refused', 'reset.requested', 'verify.requested']);

const BY: Readonly<Record<string, string>> = {
  user: message('You'),
  key: message('API key'),
  admin: 'Muster',
  system: 'Muster',
};

const COLUMNS: readonly Column<ActivityEntry>[] = [
  { id: 'at', title: message('When'), cell: ({ at }) => <Time at={at} /> },
  { id: 'action', title: message('What'), cell: ({ action }) => words(WORDS[action] ?? action), grow: true },
  {
    id: 'by',
    title: message('Who'),
    cell: ({ by, action }) => (ANONYMOUS.has(action) ? t('Not known') : words(BY[by] ?? by)),
  },
  { id: 'address', title: message('IP address'), cell: ({ address }) => address || '–' },
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
