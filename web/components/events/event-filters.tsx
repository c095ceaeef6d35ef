import { GAME_NAMES } from '../../../domain/games/game-names.ts';
import type { EventMeta, EventTable } from '../../api/events.ts';
import { amountOf, capital, compact } from '../../format.ts';
import { SearchInput } from '../../ui/search-input.tsx';
import styles from './event-filters.module.css';
import type { ChangeSearch } from './event-page.tsx';
import type { EventSearch } from './event-search.ts';

const WHO = [
  ['', 'Everybody'],
  ['idle', 'Did not fight'],
  ['doubted', 'Doubted'],
  ['joined', 'Joined'],
  ['gone', 'Left'],
] as const;

/** Powers by which leaders sort their people where the event sets no goals. */
const BRACKETS = [10e6, 25e6, 40e6, 60e6, 80e6, 100e6];

/** What narrows the table down; whatever changes, it begins at its first page again. */
export function EventFilters({
  meta,
  table,
  search,
  change,
  query,
  setQuery,
}: {
  meta: EventMeta;
  table: EventTable | undefined;
  search: EventSearch;
  change: ChangeSearch;
  query: string;
  setQuery: (query: string) => void;
}) {
  const { kingdom } = GAME_NAMES[meta.game];
  const set = (part: Partial<EventSearch>) => change({ ...part, page: undefined });
  const kingdoms = search.camp ? (meta.camps_to_kingdoms[search.camp] ?? []) : meta.kingdoms;
  const brackets = meta.goals.length > 0 ? meta.goals.map(({ min_power }) => min_power).filter(Boolean) : BRACKETS;
  return (
    <div className={styles.filters}>
      <SearchInput
        label="Search this table"
        placeholder={`Name, id, tag or ${kingdom.one}`}
        value={query}
        onChange={setQuery}
      />
      <Choice
        label="Camp"
        value={search.camp}
        all="All camps"
        options={meta.camps.map((camp) => [camp, camp])}
        onChange={(camp) => set({ camp, home: undefined })}
      />
      <Choice
        label={capital(kingdom.one)}
        value={search.home}
        all={`All ${kingdom.many}`}
        options={kingdoms.map((each) => [each, each])}
        onChange={(each) => set({ home: each })}
      />
      <Choice
        label="Alliance"
        value={search.alliance}
        all="All alliances"
        options={(table?.tags ?? [])
          .filter(Boolean)
          .toSorted()
          .map((tag) => [tag, tag])}
        onChange={(alliance) => set({ alliance })}
      />
      <Choice
        label="Power at the start"
        value={search.power === undefined ? undefined : String(search.power)}
        all="Any power"
        options={withOwn(brackets, search.power).map((least) => [String(least), `${compact(least)} and more`])}
        onChange={(least) => set({ power: least === undefined ? undefined : (amountOf(least) ?? undefined) })}
      />
      <Choice
        label="Who"
        value={search.who}
        all="Everybody"
        options={WHO.slice(1)}
        onChange={(who) => set({ who: who as EventSearch['who'] })}
      />
    </div>
  );
}

/** The brackets, with the one that a link came with. */
const withOwn = (brackets: readonly number[], own: number | undefined): number[] =>
  [...new Set([...brackets, ...(own === undefined ? [] : [own])])].sort((a, b) => a - b);

const Choice = ({
  label,
  value,
  all,
  options,
  onChange,
}: {
  label: string;
  value: string | undefined;
  all: string;
  options: readonly (readonly [value: string, title: string])[];
  onChange: (value: string | undefined) => void;
}) => (
  <label className={styles.choice}>
    <span className="visually-hidden">{label}</span>
    <select
      value={value ?? ''}
      data-set={value !== undefined || undefined}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
    >
      <option value="">{all}</option>
      {options.map(([each, title]) => (
        <option key={each} value={each}>
          {title}
        </option>
      ))}
    </select>
  </label>
);
