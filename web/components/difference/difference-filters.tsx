import { useState } from 'react';
import type { Goal } from '../../../domain/difference/scoring.ts';
import { GAME_NAMES, type GameId } from '../../../domain/games/game-names.ts';
import { locale } from '../../../domain/language/current.ts';
import { message, t, words } from '../../../domain/language/text.ts';
import { inOrder } from '../../../domain/scans/text-order.ts';
import { capital, compact } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Select } from '../../ui/select.tsx';
import styles from './difference-filters.module.css';
import type { DifferenceSearch } from './difference-search.ts';

const WHO = [
  ['', message('Everybody')],
  ['idle', message('Did not fight')],
  ['doubted', message('Unverified')],
  ['joined', message('Joined')],
  ['gone', message('Left')],
] as const;

const BELOW = ['below', message('Below goal')] as const;

/** Power brackets offered if the event sets no goals. */
const BRACKETS = [10e6, 25e6, 40e6, 60e6, 80e6, 100e6];

/** Filters of the table. Every change returns to page 1. */
export function DifferenceFilters({
  game,
  camps = [],
  kingdoms,
  tags,
  goals,
  search,
  change,
  query,
  setQuery,
}: {
  game: GameId;
  camps?: readonly string[];
  /** Kingdoms offered under the chosen camp. */
  kingdoms: readonly string[];
  tags: readonly string[];
  /** If goals are set, their power brackets are offered. */
  goals: readonly Goal[];
  search: DifferenceSearch;
  change: (part: Partial<DifferenceSearch>) => void;
  query: string;
  setQuery: (query: string) => void;
}) {
  const { kingdom } = GAME_NAMES[game];
  const set = (part: Partial<DifferenceSearch>) => change({ ...part, page: undefined });
  const [open, setOpen] = useState(false);
  const chosen = [search.camp, search.home, search.alliance, search.power, search.who].filter(
    (each) => each !== undefined,
  ).length;
  const brackets = goals.length > 0 ? goals.map(({ min_power }) => min_power).filter(Boolean) : BRACKETS;
  return (
    <div className={styles.filters} data-open={open || undefined}>
      <SearchInput
        label={t('Search this table')}
        placeholder={t('Name, id, tag or {one}', { one: words(kingdom.one) })}
        value={query}
        onChange={setQuery}
      />
      <Button className={styles.more} aria-expanded={open} onClick={() => setOpen(!open)}>
        {chosen > 0 ? t('Filters ({chosen})', { chosen }) : t('Filters')}
      </Button>
      {camps.length > 0 && (
        <Choice
          label={t('Camp')}
          value={search.camp}
          all={t('All camps')}
          options={camps.map((camp) => [camp, words(camp)])}
          onChange={(camp) => set({ camp, home: undefined })}
        />
      )}
      <Choice
        label={words(capital(kingdom.one))}
        value={search.home}
        all={t('{game, select, cod {All servers} other {All kingdoms}}', { game })}
        options={kingdoms.map((each) => [each, each])}
        onChange={(each) => set({ home: each })}
      />
      <Choice
        label={t('Alliance')}
        value={search.alliance}
        all={t('All alliances')}
        options={tags
          .filter(Boolean)
          .toSorted((one, other) => inOrder(one, other, locale()))
          .map((tag) => [tag, tag])}
        onChange={(alliance) => set({ alliance })}
      />
      <Choice
        label={t('Power at the start')}
        value={search.power === undefined ? undefined : String(search.power)}
        all={t('Any power')}
        options={withOwn(brackets, search.power).map((least) => [
          String(least),
          t('{power} and more', { power: compact(least) }),
        ])}
        onChange={(least) => set({ power: least === undefined ? undefined : Number(least) })}
      />
      <Choice
        label={t('Who')}
        value={search.who}
        all={t('Everybody')}
        options={(goals.length > 0 || search.who === 'below' ? [...WHO.slice(1), BELOW] : WHO.slice(1)).map(
          ([who, title]) => [who, words(title)],
        )}
        onChange={(who) => set({ who: who as DifferenceSearch['who'] })}
      />
    </div>
  );
}

/** Adds the bracket from the URL, if it is not among the offered ones. */
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
  <Select
    className={styles.choice}
    aria-label={label}
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
  </Select>
);
