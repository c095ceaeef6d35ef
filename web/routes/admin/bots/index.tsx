import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import type { BotsAct } from '../../../../domain/fleet/admin-contract.ts';
import { message, t, words } from '../../../../domain/language/text.ts';
import { type BotListing, botsQuery } from '../../../api/admin.ts';
import { actOnBots } from '../../../api/admin-fleet.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { exact } from '../../../format.ts';
import { searchReader, text, wholeFrom } from '../../../search-params.ts';
import type { Column } from '../../../table/column.ts';
import { Pager } from '../../../table/pager.tsx';
import { Table } from '../../../table/table.tsx';
import layout from '../../../ui/layout.module.css';
import tabs from '../../../ui/tabs.module.css';
import { Act } from '../-act.tsx';
import { BotTable } from './-bot-table.tsx';
import { FleetPanel } from './-fleet-state.tsx';
import { Groups } from './-group-acts.tsx';
import styles from './bots.module.css';

const botsSearch = searchReader({ group: text, page: wholeFrom(1) });

export const Route = createFileRoute('/admin/bots/')({
  validateSearch: botsSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    void context.client.prefetchQuery(botsQuery(deps));
  },
  component: Bots,
});

/** A null key means offline (specification, section 3). */
const groupName = (key: string): string => (key === 'null' ? t('offline') : key);

/** Returns the groups in the order of their tabs: offline bots are last. */
const tabsOf = ({ counts }: BotListing): string[] =>
  Object.keys(counts).sort((one, other) => Number(one === 'null') - Number(other === 'null'));

function Bots() {
  const { group, page } = Route.useSearch();
  const all = useQuery({ ...botsQuery({ page }), enabled: group === undefined });
  const first = all.data && tabsOf(all.data)[0];
  const shown = group ?? first;
  const live = useQuery({
    ...botsQuery({ group: shown, page }),
    enabled: shown !== undefined,
    // The answer that named the groups has the first one's bots too.
    initialData: group === undefined ? all.data : undefined,
    initialDataUpdatedAt: all.dataUpdatedAt,
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <title>{t('Bots · Muster')}</title>
      <FleetPanel />
      <Loaded query={shown === undefined ? all : live} what={t('the bots')} heights={['16rem']}>
        {(listing) => <Listing listing={listing} shown={shown} isLate={live.isPlaceholderData} />}
      </Loaded>
      <Panel title={t('Groups')} about={t('Pausing a group stops its work at once; its bots finish what they hold.')}>
        <Groups />
      </Panel>
    </>
  );
}

function Listing({
  listing,
  shown,
  isLate,
}: {
  listing: BotListing;
  shown: string | undefined;
  /** Another page's or group's bots are shown until these arrive. */
  isLate: boolean;
}) {
  const { page = 1 } = Route.useSearch();
  const navigate = Route.useNavigate();
  if (shown === undefined) return <Nothing>{t('No bot has ever connected.')}</Nothing>;
  const tabsShown = tabsOf(listing);
  const bots = listing.bots[shown] ?? [];
  const pages = Math.ceil((listing.counts[shown] ?? 0) / listing.per_page);
  return (
    <>
      <nav className={`${tabs.tabs} ${styles.groups}`} aria-label={t('Groups of bots')}>
        {(tabsShown.includes(shown) ? tabsShown : [shown, ...tabsShown]).map((key) => (
          <Link
            key={key}
            to="."
            search={{ group: key }}
            replace
            resetScroll={false}
            className={tabs.tab}
            data-on={key === shown || undefined}
            aria-current={key === shown ? 'page' : undefined}
          >
            {t('{name} ({note})', { name: groupName(key), note: exact(listing.counts[key] ?? 0) })}
          </Link>
        ))}
      </nav>
      <ListActs group={shown} count={listing.counts[shown] ?? 0} />
      {bots.length === 0 && !isLate ? (
        <Nothing>{t('No bot is here now.')}</Nothing>
      ) : (
        <BotTable
          label={t('Bots of {shown}', { shown: groupName(shown) })}
          bots={bots}
          waiting={bots.length === 0 ? listing.per_page : 0}
        />
      )}
      {pages > 1 && (
        <Pager
          label={t('Pages of bots')}
          page={Math.min(page, pages)}
          pages={pages}
          change={(to) => void navigate({ search: { group: shown, page: to }, replace: true, resetScroll: false })}
        />
      )}
      <Panel title={t('Bots per IP')}>
        <Table
          label={t('Bots per IP')}
          columns={ADDRESS_COLUMNS}
          rows={Object.entries(listing.summary[shown] ?? {})}
          rowId={([address]) => address}
        />
      </Panel>
    </>
  );
}

const ACTS: Record<BotsAct, { label: string; about: string; done: string }> = {
  pause: {
    label: message('Pause all {count} of {group}'),
    about: message('They get no more work, and finish what they hold. This is about all pages of the list.'),
    done: message('{bots, plural, one {# bot was} other {# bots were}} paused.'),
  },
  resume: {
    label: message('Resume all of {group}'),
    about: message('Those that were paused on their own get work again. A paused group stays paused.'),
    done: message('{bots, plural, one {# bot was} other {# bots were}} resumed.'),
  },
};

/** Acts on all bots of a list. */
const ListActs = ({ group, count }: { group: string; count: number }) => (
  <div className={layout.wrap}>
    {(Object.keys(ACTS) as BotsAct[]).map((act) => (
      <Act
        key={act}
        label={t(ACTS[act].label, { count: exact(count), group: groupName(group) })}
        about={words(ACTS[act].about)}
        action={act === 'pause' ? t('Pause') : t('Resume')}
        disabled={count === 0}
        act={async (form) => t(ACTS[act].done, await actOnBots(group, act, textOf(form, 'reason')))}
      />
    ))}
  </div>
);

const ADDRESS_COLUMNS: readonly Column<[string, number]>[] = [
  { id: 'ip', title: message('IP'), cell: ([address]) => address, grow: true, wraps: true },
  { id: 'count', title: message('Bots'), figures: true, cell: ([, count]) => exact(count) },
];
