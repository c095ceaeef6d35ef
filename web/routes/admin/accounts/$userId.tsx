import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import type { AccountAct } from '../../../../domain/accounts/admin-contract.ts';
import { ROLES, type Role } from '../../../../domain/accounts/roles.ts';
import { labelled, message, t, words } from '../../../../domain/language/text.ts';
import { ENTRY_TITLES } from '../../../../domain/money/entry-titles.ts';
import { noteText } from '../../../../domain/money/notes.ts';
import { centsIn } from '../../../../domain/money/typed-cents.ts';
import { ROLE_WORDS } from '../../../../domain/teams/roles.ts';
import {
  actOnAccount,
  adjustAccount,
  changeRole,
  type WholeAccount,
  wholeAccountQuery,
} from '../../../api/admin-accounts.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Facts, Nothing, Panel, Panels } from '../../../components/panel.tsx';
import { SCHEDULE_STATE_TITLE } from '../../../components/schedule-states.ts';
import { counted, exact, numbered, usd } from '../../../format.ts';
import type { Column } from '../../../table/column.ts';
import { Table, Under } from '../../../table/table.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import layout from '../../../ui/layout.module.css';
import { Notice } from '../../../ui/notice.tsx';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';
import { Act, saidIn } from '../-act.tsx';
import { markOf, roleText } from './index.tsx';

export const Route = createFileRoute('/admin/accounts/$userId')({
  loader: ({ context, params }) => {
    void context.client.prefetchQuery(wholeAccountQuery(params.userId));
  },
  component: AccountPage,
});

function AccountPage() {
  const { userId } = Route.useParams();
  const account = useQuery(wholeAccountQuery(userId));
  return (
    <>
      <title>{t('{title} · Muster', { title: account.data?.username ?? t('Account') })}</title>
      <p>
        <Link to="/admin/accounts">{t('All accounts')}</Link>
      </p>
      <Loaded query={account} what={t('the account')} heights={['14rem', '16rem']}>
        {(whole) => <Whole account={whole} />}
      </Loaded>
    </>
  );
}

function Whole({ account }: { account: WholeAccount }) {
  const { user_id, order_count } = account;
  return (
    <div className={layout.stack}>
      <Panel title={account.username} about={markOf(account)}>
        {account.locked_reason !== null && (
          <Notice tone="danger">{t('Locked: {reason}', { reason: account.locked_reason })}</Notice>
        )}
        <Facts
          facts={[
            [t('E-mail'), account.email],
            [t('Full name'), account.full_name || '–'],
            [t('Id'), user_id],
            [t('Role'), roleText(account.role)],
            [t('Registered'), <Time key="since" at={account.created_at} />],
            [t('Second factor'), account.two_factor ? t('on') : t('off')],
            [
              t('Licence accepted'),
              account.eula_version > 0 ? t('version {version}', { version: account.eula_version }) : t('no'),
            ],
            [t('Balance'), usd(account.balance)],
            ...(account.uncovered > 0 ? [[t('Owes'), usd(account.uncovered)] as const] : []),
            [
              t('Orders'),
              <Link key="orders" to="/admin/orders" search={{ user: account.username }}>
                {exact(order_count)}
              </Link>,
            ],
          ]}
        />
        <Acts account={account} />
      </Panel>
      <Panels broad>
        <Listed title={t('Statement')} columns={STATEMENT} rows={account.statement} id={({ entry_id }) => entry_id} />
        <Listed title={t('Orders')} columns={ORDERS} rows={account.orders} id={({ order_id }) => order_id} />
        <Listed title={t('Sessions')} columns={SESSIONS} rows={account.sessions} id={({ created_at }) => created_at} />
        <Listed title={t('API keys')} columns={KEYS} rows={account.api_keys} id={({ id }) => id} />
        <Listed
          title={t('Schedules')}
          columns={SCHEDULES}
          rows={account.schedules}
          id={({ schedule_id }) => schedule_id}
        />
        <Listed title={t('Teams')} columns={TEAMS} rows={account.teams} id={({ team_id }) => team_id} />
        <Listed title={t('Activity')} columns={ACTIVITY} rows={account.activity} id={({ id }) => id} />
      </Panels>
    </div>
  );
}

function Listed<Row>({
  title,
  columns,
  rows,
  id,
}: {
  title: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  id: (row: Row) => string | number;
}) {
  return (
    <Panel title={title}>
      {rows.length === 0 ? (
        <Nothing>{t('None.')}</Nothing>
      ) : (
        <Table label={title} columns={columns} rows={rows} rowId={id} />
      )}
    </Panel>
  );
}

const STATEMENT: readonly Column<WholeAccount['statement'][number]>[] = [
  { id: 'time', title: message('Time'), cell: ({ created_at }) => <Time at={created_at} /> },
  {
    id: 'what',
    title: message('What'),
    grow: true,
    wraps: true,
    cell: ({ kind, note, order_id }) =>
      order_id === null ? (
        noteText(note) || words(ENTRY_TITLES[kind])
      ) : (
        <>
          <Link to="/admin/orders/$orderId" params={{ orderId: String(order_id) }}>
            {words(ENTRY_TITLES[kind])} #{order_id}
          </Link>
          {note && <Under>{noteText(note)}</Under>}
        </>
      ),
  },
  { id: 'amount', title: message('Amount'), figures: true, cell: ({ amount }) => usd(amount) },
  { id: 'balance', title: message('Balance'), figures: true, cell: ({ balance }) => usd(balance) },
];

const ORDERS: readonly Column<WholeAccount['orders'][number]>[] = [
  {
    id: 'order',
    title: message('Order'),
    cell: ({ order_id }) => (
      <Link to="/admin/orders/$orderId" params={{ orderId: String(order_id) }}>
        #{order_id}
      </Link>
    ),
  },
  { id: 'placed', title: message('Placed'), grow: true, cell: ({ placed_at }) => <Time at={placed_at} /> },
  { id: 'total', title: message('Total'), figures: true, cell: ({ total }) => usd(total) },
];

const SESSIONS: readonly Column<WholeAccount['sessions'][number]>[] = [
  { id: 'seen', title: message('Last used'), cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
  { id: 'address', title: message('IP'), cell: ({ address }) => address || '–' },
  { id: 'factor', title: message('Second factor'), cell: ({ two_factor }) => (two_factor ? t('used') : t('no')) },
  { id: 'browser', title: message('Browser'), grow: true, wraps: true, cell: ({ user_agent }) => user_agent || '–' },
];

const KEYS: readonly Column<WholeAccount['api_keys'][number]>[] = [
  { id: 'name', title: message('Key'), grow: true, wraps: true, cell: ({ name, prefix }) => `${name} (${prefix}…)` },
  { id: 'scopes', title: message('Scopes'), wraps: true, cell: ({ scopes }) => scopes.replaceAll(',', ', ') },
  {
    id: 'used',
    title: message('Last used'),
    cell: ({ last_used_at }) => (last_used_at === null ? '–' : <Time at={last_used_at} />),
  },
];

const SCHEDULES: readonly Column<WholeAccount['schedules'][number]>[] = [
  { id: 'id', title: message('Schedule'), cell: ({ schedule_id }) => numbered(String(schedule_id)) },
  { id: 'state', title: message('State'), grow: true, cell: ({ state }) => words(SCHEDULE_STATE_TITLE[state]) },
  { id: 'next', title: message('Next run'), cell: ({ next_at }) => (next_at === null ? '–' : <Time at={next_at} />) },
];

const TEAMS: readonly Column<WholeAccount['teams'][number]>[] = [
  {
    id: 'name',
    title: message('Team'),
    grow: true,
    wraps: true,
    cell: ({ name, owner, members }) => (
      <>
        {name}
        <Under>
          <T of="Owner: {owner}, {members}" owner={owner} members={counted(members, 'member')} />
        </Under>
      </>
    ),
  },
  { id: 'role', title: message('Role'), cell: ({ role }) => words(ROLE_WORDS[role].label) },
  { id: 'balance', title: message('Balance'), figures: true, cell: ({ balance }) => usd(balance) },
  {
    id: 'spent',
    title: message('Spent this month'),
    figures: true,
    cell: ({ spent, monthly_limit }) => t('{spent} of {limit}', { spent: usd(spent), limit: usd(monthly_limit) }),
  },
];

const ACTIVITY: readonly Column<WholeAccount['activity'][number]>[] = [
  { id: 'time', title: message('Time'), cell: ({ at }) => <Time at={at} /> },
  {
    id: 'what',
    title: message('What'),
    grow: true,
    wraps: true,
    cell: ({ action }) => <span translate="no">{action}</span>,
  },
  { id: 'who', title: message('Who'), cell: ({ actor }) => <span translate="no">{actor}</span> },
  { id: 'from', title: message('IP address'), cell: ({ address }) => address || '–' },
];

interface Offered {
  act: AccountAct;
  label: string;
  about: string;
  proof?: true;
}

const END: Offered = {
  act: 'end-sessions',
  label: message('End sessions'),
  about: message('Signs the user out everywhere.'),
};
const LOCK: Offered = {
  act: 'lock',
  label: message('Lock'),
  about: message(
    'Ends all sessions, stops all API keys and pauses all schedules. The user cannot sign in until it is unlocked.',
  ),
};
const UNLOCK: Offered = {
  act: 'unlock',
  label: message('Unlock'),
  about: message('The user can sign in again. Schedules stay paused.'),
};
const RESET: Offered = {
  act: 'reset-two-factor',
  label: message('Reset second factor'),
  about: message(
    'Only after the user has proved who they are: write how as the reason. Ends all sessions and mails the user.',
  ),
  proof: true,
};

function Acts({ account }: { account: WholeAccount }) {
  const { user_id, username, role, locked_at, two_factor } = account;
  const offered = [END, locked_at === null ? LOCK : UNLOCK, ...(two_factor ? [RESET] : [])];
  return (
    <div className={layout.row}>
      <Act
        label={t('Adjust balance')}
        title={t('Adjust the balance of {username}', { username })}
        about={t('A positive amount adds, a negative one deducts. The user reads the reason in the statement.')}
        proof
        act={async (form, key) => {
          const amount = centsIn(textOf(form, 'amount')) ?? 0;
          return (await adjustAccount(user_id, { ...saidIn(form), amount, key })).msg;
        }}
      >
        <TextField label={t('Amount in USD')} name="amount" autoComplete="off" required />
      </Act>
      {offered.map(({ act, label, about, proof = false }) => (
        <Act
          key={act}
          label={words(label)}
          title={labelled(words(label), username)}
          about={words(about)}
          proof={proof}
          act={async (form) => (await actOnAccount(user_id, act, saidIn(form))).msg}
        />
      ))}
      <Act
        label={t('Change role')}
        title={t('Change the role of {username}', { username })}
        about={t('Admins may do everything here, support may only look. Who loses a role is signed out.')}
        proof
        act={async (form) =>
          (await changeRole(user_id, { ...saidIn(form), role: textOf(form, 'role') as Role, before: role })).msg
        }
      >
        <SelectField label={t('Role')} name="role" options={ROLES} shown={roleText} defaultValue={role} />
      </Act>
    </div>
  );
}
