import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { type BotListing, botsQuery } from '../../../api/admin.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { exact } from '../../../format.ts';
import { type PageColumn, PageTable } from '../../../table/page-table.tsx';
import styles from '../admin.module.css';
import { BotTable } from './-bot-table.tsx';

export const Route = createFileRoute('/admin/bots/')({
  validateSearch: ({ group }: Record<string, unknown>): { group?: string } => ({
    group: typeof group === 'string' ? group : undefined,
  }),
  loader: ({ context }) => {
    void context.client.prefetchQuery(botsQuery);
  },
  component: Bots,
});

/** A null key means offline (specification, section 3). */
const groupName = (key: string): string => (key === 'null' ? 'offline' : key);

function Bots() {
  const bots = useQuery(botsQuery);
  return (
    <>
      <title>Bots · Muster</title>
      <Loaded query={bots} what="the bots" heights={['16rem']}>
        {(listing) => <Groups listing={listing} />}
      </Loaded>
    </>
  );
}

function Groups({ listing }: { listing: BotListing }) {
  const navigate = Route.useNavigate();
  const keys = Object.keys(listing.bots).sort((a, b) => Number(a === 'null') - Number(b === 'null'));
  const { group } = Route.useSearch();
  const shown = group !== undefined && keys.includes(group) ? group : keys[0];
  if (shown === undefined) return <Nothing>No bot has ever connected.</Nothing>;
  return (
    <>
      <div role="tablist" aria-label="Groups of bots" className={styles.tabs}>
        {keys.map((key, index) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`bots-of-${index}`}
            className={styles.tab}
            aria-selected={key === shown}
            aria-controls="bots"
            onClick={() => void navigate({ search: { group: key }, replace: true })}
          >
            {groupName(key)} ({listing.bots[key]?.length})
          </button>
        ))}
      </div>
      <div id="bots" role="tabpanel" aria-labelledby={`bots-of-${keys.indexOf(shown)}`}>
        <BotTable label={`Bots of ${groupName(shown)}`} bots={listing.bots[shown] ?? []} />
      </div>
      <Panel title="Bots per IP">
        <PageTable
          label="Bots per IP"
          columns={ADDRESS_COLUMNS}
          rows={Object.entries(listing.summary[shown] ?? {})}
          rowId={([address]) => address}
        />
      </Panel>
    </>
  );
}

const ADDRESS_COLUMNS: readonly PageColumn<[string, number]>[] = [
  { id: 'ip', title: 'IP', cell: ([address]) => address, grow: true, wraps: true },
  { id: 'count', title: 'Bots', figures: true, cell: ([, count]) => exact(count) },
];
