import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { dayIn } from '../../../domain/days.ts';
import { labelled, listed, message, t, words } from '../../../domain/language/text.ts';
import { type Activity, type ActivityFilter, activityFile, activityQuery } from '../../api/admin-watch.ts';
import { DayRange } from '../../components/day-range.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import filterStyles from '../../components/orders-filter.module.css';
import { Nothing } from '../../components/panel.tsx';
import { exact, money } from '../../format.ts';
import { oneOf, searchReader, textUpTo } from '../../search-params.ts';
import type { Column } from '../../table/column.ts';
import { Table, Under } from '../../table/table.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { SearchInput, useQueryText, useSearchChange } from '../../ui/search-input.tsx';
import { Select } from '../../ui/select.tsx';
import { Time } from '../../ui/time.tsx';

const ACTORS = ['admins', 'users', 'system', 'all'] as const;

const activitySearch = searchReader({
  by: oneOf(ACTORS),
  user: textUpTo(100),
  action: textUpTo(60),
  from: dayIn,
  to: dayIn,
});

type LogSearch = ReturnType<typeof activitySearch>;

const filterOf = ({ by, ...rest }: LogSearch): ActivityFilter => ({ who: by, ...rest });

export const Route = createFileRoute('/admin/activity')({
  validateSearch: activitySearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    void context.client.prefetchInfiniteQuery(activityQuery(filterOf(deps)));
  },
  component: ActivityLog,
});

const shown = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Values that repeat are counted: 'open ×19, done'. */
const listText = (values: readonly unknown[]): string =>
  listed(
    [...Map.groupBy(values.map(shown), (value) => value)].map(([value, { length }]) =>
      length > 1 ? `${value} ×${exact(length)}` : value,
    ),
  );

/** Returns a detail in words. Those within it are named after both: 'before state'. Amounts are in cents. */
function written(name: string, value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return [labelled(name, listText(value))];
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([inner, each]) => written(`${name} ${inner}`, each));
  const isAmount = typeof value === 'number' && /(^| )amount$|_cents$/.test(name);
  return [isAmount ? labelled(name.replace(/_cents$/, ''), money(value)) : labelled(name, String(value))];
}

/** Reason, what was before and what after, in words. */
const detailText = (detail: Activity['detail']): string =>
  Object.entries(detail)
    .flatMap(([name, value]) => written(name, value))
    .join(' · ');

const COLUMNS: readonly Column<Activity>[] = [
  { id: 'at', title: message('Time'), wide: true, cell: ({ at }) => <Time at={at} /> },
  { id: 'who', title: message('Who'), cell: ({ who }) => <span translate="no">{who}</span> },
  {
    id: 'what',
    title: message('What'),
    grow: true,
    wraps: true,
    cell: ({ at, action, detail }) => (
      <>
        <span translate="no">{action}</span>
        <Under narrow>
          <Time at={at} />
        </Under>
        <Under>
          <span translate="no">{detailText(detail)}</span>
        </Under>
      </>
    ),
  },
  {
    id: 'on',
    title: message('On'),
    wraps: true,
    cell: ({ account, subject }) => [account, subject].filter(Boolean).join(' '),
  },
  { id: 'from', title: message('IP address'), wide: true, cell: ({ address }) => address || '–' },
];

const WORDS = {
  admins: message('Admins'),
  users: message('Users'),
  system: message('The service'),
  all: message('Everybody'),
} as const;

function ActivityLog() {
  const search = Route.useSearch();
  const activity = useInfiniteQuery(activityQuery(filterOf(search)));
  const change = useSearchChange<LogSearch>();
  const [typed, setTyped] = useQueryText(search.user ?? '', (user) => change({ user }));
  const rows = activity.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <>
      <title>{t('Activity log · Muster')}</title>
      <search className={filterStyles.filter} aria-label={t('Filter the log')}>
        <div className={filterStyles.search}>
          <SearchInput label={t('Account')} placeholder={t('Username')} value={typed} onChange={setTyped} />
        </div>
        <label className={filterStyles.choice}>
          {t('Acts of')}
          <Select
            value={search.by ?? 'admins'}
            onChange={({ target }) => change({ by: target.value as ActivityFilter['who'] })}
          >
            {ACTORS.map((who) => (
              <option key={who} value={who}>
                {words(WORDS[who])}
              </option>
            ))}
          </Select>
        </label>
        <DayRange from={search.from} to={search.to} change={change} />
      </search>
      <p>
        <a href={activityFile(filterOf(search))} className={buttonClass()} download>
          {t('Download csv')}
        </a>
      </p>
      <Loaded query={activity} what={t('the log')} heights={['20rem']}>
        {() =>
          rows.length === 0 ? (
            <Nothing>{t('Nothing matches this filter.')}</Nothing>
          ) : (
            <Table label={t('Activity log')} columns={COLUMNS} rows={rows} rowId={({ id }) => id} />
          )
        }
      </Loaded>
      <More of={activity}>{t('Older entries')}</More>
    </>
  );
}
