import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { ACCOUNT_STATES, ROLES } from '../../../../domain/accounts/roles.ts';
import { listed, message, t, words } from '../../../../domain/language/text.ts';
import { type Account, type AccountState, type AccountsFilter, accountsQuery } from '../../../api/admin-accounts.ts';
import { FilterChoice } from '../../../components/filter-choice.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import filterStyles from '../../../components/orders-filter.module.css';
import { isNarrowed } from '../../../components/orders-filter.tsx';
import { PageLinks } from '../../../components/page-links.tsx';
import { Nothing } from '../../../components/panel.tsx';
import { exact, usd } from '../../../format.ts';
import { oneOf, searchReader, text, textUpTo } from '../../../search-params.ts';
import type { Column } from '../../../table/column.ts';
import { Table, Under } from '../../../table/table.tsx';
import { SearchInput, useQueryText, useSearchChange } from '../../../ui/search-input.tsx';
import { Time } from '../../../ui/time.tsx';

const accountsSearch = searchReader({
  search: textUpTo(100),
  role: oneOf(ROLES),
  state: oneOf(ACCOUNT_STATES),
  before: text,
});

export const Route = createFileRoute('/admin/accounts/')({
  validateSearch: accountsSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    void context.client.prefetchQuery(accountsQuery(deps));
  },
  component: Accounts,
});

const STATES: Record<AccountState, string> = {
  locked: message('Locked'),
  unverified: message('Mail not verified'),
  owing: message('Owing money'),
};

export const roleText = (role: string): string =>
  t('{role, select, user {user} support {support} other {admin}}', { role });

/** What is unusual about an account, in words; empty if nothing is. */
export const markOf = ({ role, locked_at, verified_at }: Pick<Account, 'role' | 'locked_at' | 'verified_at'>): string =>
  listed([
    ...(role === 'user' ? [] : [roleText(role)]),
    ...(locked_at === null ? [] : [t('locked')]),
    ...(verified_at === null ? [t('mail not verified')] : []),
  ]);

const COLUMNS: readonly Column<Account>[] = [
  {
    id: 'name',
    title: message('Account'),
    sticky: true,
    cell: (account) => (
      <>
        <Link to="/admin/accounts/$userId" params={{ userId: account.user_id }}>
          {account.username}
        </Link>
        {markOf(account) && <Under>{markOf(account)}</Under>}
      </>
    ),
  },
  { id: 'mail', title: message('E-mail'), grow: true, wraps: true, cell: ({ email }) => email },
  {
    id: 'balance',
    title: message('Balance'),
    figures: true,
    cell: ({ balance }) => usd(balance),
  },
  { id: 'orders', title: message('Orders'), figures: true, cell: ({ order_count }) => exact(order_count) },
  { id: 'since', title: message('Since'), wide: true, cell: ({ created_at }) => <Time at={created_at} /> },
];

function Accounts() {
  const search = Route.useSearch();
  const accounts = useQuery({ ...accountsQuery(search), placeholderData: keepPreviousData });
  const changeSearch = useSearchChange<AccountsFilter>();
  const change = (part: AccountsFilter) => changeSearch({ before: undefined, ...part });
  const [typed, setTyped] = useQueryText(search.search ?? '', (wanted) => change({ search: wanted }));
  return (
    <>
      <title>{t('Accounts · Muster')}</title>
      <search className={filterStyles.filter} aria-label={t('Filter accounts')}>
        <div className={filterStyles.search}>
          <SearchInput
            label={t('Search accounts')}
            placeholder={t('Name, mail or id')}
            value={typed}
            onChange={setTyped}
          />
        </div>
        <FilterChoice
          label={t('Role')}
          value={search.role}
          values={ROLES}
          nameOf={roleText}
          change={(role) => change({ role })}
        />
        <FilterChoice
          label={t('State')}
          value={search.state}
          values={ACCOUNT_STATES}
          nameOf={(state) => words(STATES[state])}
          change={(state) => change({ state })}
        />
      </search>
      <Loaded query={accounts} what={t('the accounts')} heights={['20rem']}>
        {(page) =>
          page.accounts.length === 0 ? (
            <Nothing>
              {isNarrowed(search) ? t('No account matches this filter.') : t('Nobody has registered yet.')}
            </Nothing>
          ) : (
            <Table label={t('Accounts')} columns={COLUMNS} rows={page.accounts} rowId={({ user_id }) => user_id} />
          )
        }
      </Loaded>
      <PageLinks
        label={t('Pages of accounts')}
        before={search.before}
        next={accounts.data?.next}
        newest={t('Newest accounts')}
        older={t('Older accounts')}
      />
    </>
  );
}
