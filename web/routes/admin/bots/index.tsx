import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { message, t } from '../../../../domain/language/text.ts';
import { type BotListing, botsQuery } from '../../../api/admin.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { exact } from '../../../format.ts';
import { searchReader, text } from '../../../search-params.ts';
import type { Column } from '../../../table/column.ts';
import { Table } from '../../../table/table.tsx';
import tabs from '../../../ui/tabs.module.css';
import { BotTable } from './-bot-table.tsx';
import { FleetPanel } from './-fleet-state.tsx';
import { Groups } from './-group-acts.tsx';
import styles from './bots.module.css';

export const Route = createFileRoute('/admin/bots/')({
  validateSearch: searchReader({ group: text }),
  loader: ({ context }) => {
    void context.client.prefetchQuery(botsQuery);
  },
  component: Bots,
});

/** A null key means offline (specification, section 3). */
const groupName = (key: string): string => (key === 'null' ? t('offline') : key);

function Bots() {
  const bots = useQuery(botsQuery);
  return (
    <>
      <title>{t('Bots · Muster')}</title>
      <FleetPanel />
      <Loaded query={bots} what={t('the bots')} heights={['16rem']}>
        {(listing) => <Listing listing={listing} />}
      </Loaded>
      <Panel title={t('Groups')} about={t('Pausing a group stops its work at once; its bots finish what they hold.')}>
        <Groups />
      </Panel>
    </>
  );
}

function Listing({ listing }: { listing: BotListing }) {
  const keys = Object.keys(listing.bots).sort((a, b) => Number(a === 'null') - Number(b === 'null'));
  const { group } = Route.useSearch();
  const shown = group !== undefined && keys.includes(group) ? group : keys[0];
  if (shown === undefined) return <Nothing>{t('No bot has ever connected.')}</Nothing>;
  return (
    <>
      <nav className={`${tabs.tabs} ${styles.groups}`} aria-label={t('Groups of bots')}>
        {keys.map((key) => (
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
            {groupName(key)} ({listing.bots[key]?.length})
          </Link>
        ))}
      </nav>
      <BotTable label={t('Bots of {shown}', { shown: groupName(shown) })} bots={listing.bots[shown] ?? []} />
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

const ADDRESS_COLUMNS: readonly Column<[string, number]>[] = [
  { id: 'ip', title: message('IP'), cell: ([address]) => address, grow: true, wraps: true },
  { id: 'count', title: message('Bots'), figures: true, cell: ([, count]) => exact(count) },
];
