import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { GAME_IDS, GAME_NAMES } from '../../../../domain/games/game-names.ts';
import { t } from '../../../../domain/language/text.ts';
import { type LibraryPage, libraryQuery } from '../../../api/scans.ts';
import { FilterSelect } from '../../../components/filter-choice.tsx';
import listing from '../../../components/listing.module.css';
import { Loaded, useSettled } from '../../../components/loaded.tsx';
import { More } from '../../../components/more.tsx';
import { Page } from '../../../components/page.tsx';
import { Panels } from '../../../components/panel.tsx';
import { counted, exact } from '../../../format.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import layout from '../../../ui/layout.module.css';
import { SearchInput, useQueryText, useSearchChange } from '../../../ui/search-input.tsx';
import { Select } from '../../../ui/select.tsx';
import { FightsPanel } from './-fights-panel.tsx';
import { Importer } from './-importer.tsx';
import { LibraryTable } from './-library-table.tsx';
import { ReportsPanel } from './-reports-panel.tsx';
import styles from './-scans.module.css';
import { filterOf, idsIn, type ScansSearch, scansSearch } from './-scans-search.ts';
import { WholeDays } from './-whole-days.tsx';

export const Route = createFileRoute('/_signed-in/scans/')({
  validateSearch: scansSearch,
  loaderDeps: ({ search }) => filterOf(search),
  loader: ({ context, deps }) => {
    void context.client.prefetchInfiniteQuery(libraryQuery(deps));
  },
  component: Scans,
});

/** The library with import, filters, reports and fights. */
function Scans() {
  const search = Route.useSearch();
  const { account } = Route.useRouteContext();
  const change = useSearchChange<ScansSearch>();
  const library = useInfiniteQuery(libraryQuery(filterOf(search)));
  const [query, setQuery] = useQueryText(search.q ?? '', (q) => change({ q }));
  const first = library.data?.pages[0];
  // The panels wait for the library, which would push them down.
  const isSettled = useSettled(library);
  return (
    <Page
      title={t('My Scans')}
      about={<p>{t('Files of other tools and the scans you ordered, in one library. Nobody else sees them.')}</p>}
    >
      <Importer user={account.user} limits={first?.limits} />
      <section className={listing.listing} aria-label={t('Library')}>
        <div className={listing.toolbar}>
          <SearchInput
            label={t('Search the library')}
            placeholder={t('Name, note or file')}
            value={query}
            onChange={setQuery}
          />
          <Filters search={search} change={change} first={first} />
        </div>
        <Loaded query={library} what={t('the library')} heights={['20rem']}>
          {({ pages }) => {
            const scans = pages.flatMap((page) => page.scans);
            return scans.length === 0 ? (
              <Empty
                filtered={Object.values(filterOf(search)).some(Boolean)}
                clear={() =>
                  change({ game: undefined, of: undefined, tag: undefined, q: undefined, origin: undefined })
                }
              />
            ) : (
              <>
                <WholeDays scans={scans} more={library.hasNextPage} search={search} change={change} />
                <LibraryTable scans={scans} search={search} change={change} />
              </>
            );
          }}
        </Loaded>
        <More of={library}>{t('Older scans')}</More>
      </section>
      <CompareBar search={search} change={change} />
      {isSettled && (
        <Panels broad>
          <ReportsPanel />
          <FightsPanel search={search} change={change} />
        </Panels>
      )}
    </Page>
  );
}

function Filters({
  search,
  change,
  first,
}: {
  search: ScansSearch;
  change: (part: Partial<ScansSearch>) => void;
  first: LibraryPage | undefined;
}) {
  const kingdoms = first?.kingdoms.filter(({ game }) => !search.game || game === search.game) ?? [];
  return (
    <div className={layout.wrap}>
      <FilterSelect
        label={t('Game')}
        all={t('Both games')}
        value={search.game}
        values={GAME_IDS}
        nameOf={(id) => GAME_NAMES[id].name}
        change={(game) => change({ game, of: undefined })}
      />
      <Select
        aria-label={t('Kingdom')}
        value={search.of ?? ''}
        onChange={({ target }) => change({ of: Number(target.value) || undefined })}
      >
        <option value="">{t('All kingdoms')}</option>
        {kingdoms.map(({ game, kingdom_id, scans }) => (
          <option key={`${game} ${kingdom_id}`} value={kingdom_id}>
            {t('{name} ({note})', { name: String(kingdom_id), note: exact(scans) })}
          </option>
        ))}
      </Select>
      {(first?.tags.length ?? 0) > 0 && (
        <FilterSelect
          label={t('Tag')}
          all={t('All tags')}
          value={search.tag}
          values={first?.tags ?? []}
          nameOf={String}
          change={(tag) => change({ tag })}
        />
      )}
      <FilterSelect
        label={t('Where from')}
        all={t('Bought and imported')}
        value={search.origin}
        values={['bought', 'imported']}
        nameOf={(origin) => (origin === 'bought' ? t('Bought') : t('Imported'))}
        change={(origin) => change({ origin })}
      />
    </div>
  );
}

const Empty = ({ filtered, clear }: { filtered: boolean; clear: () => void }) => (
  <div className={`${listing.nothing} ${styles.empty}`}>
    {filtered ? (
      <>
        <p>{t('Nothing in the library matches.')}</p>
        <Button onClick={clear}>{t('Show everything')}</Button>
      </>
    ) : (
      <>
        <p>
          {t(
            'The library is empty. Drop a scan file above: RokTracker, Hero Scrolls, a spreadsheet of your own. Or let our bots scan a kingdom.',
          )}
        </p>
        <Link to="/orders/new" className={buttonClass()}>
          {t('Order a scan')}
        </Link>
      </>
    )}
  </div>
);

/** The chosen scans and the button to compare them. */
function CompareBar({ search, change }: { search: ScansSearch; change: (part: Partial<ScansSearch>) => void }) {
  const [from, to] = [idsIn(search.from), idsIn(search.to)];
  if (from.length === 0 && to.length === 0) return null;
  const ready = from.length > 0 && to.length > 0;
  const sides = { from: counted(from.length, 'scan'), to: counted(to.length, 'scan') };
  return (
    <div className={styles.bar} role="status">
      <span>
        {ready
          ? t('From {from} to {to}', sides)
          : from.length === 0
            ? t('From {from} to {to}: choose the earlier scans', sides)
            : t('From {from} to {to}: choose the later scans', sides)}
      </span>
      <Button onClick={() => change({ from: undefined, to: undefined })}>{t('Clear')}</Button>
      {ready && (
        <Link to="/compare" search={{ from: search.from, to: search.to }} className={buttonClass('primary')}>
          {t('Compare')}
        </Link>
      )}
    </div>
  );
}
