import { ListFilter } from 'lucide';
import { useState } from 'react';
import { GAME_IDS, GAME_NAMES } from '../../domain/games/game-names.ts';
import { message, t, words } from '../../domain/language/text.ts';
import { narrow } from '../../domain/narrow.ts';
import type { OrderState } from '../../domain/orders/order-states.ts';
import type { OrderFilter } from '../api/orders.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { SearchInput, useQueryText } from '../ui/search-input.tsx';
import { SettledField } from '../ui/settled-field.tsx';
import { T } from '../ui/text.tsx';
import { useNarrow } from '../ui/use-narrow.ts';
import { DayRange } from './day-range.tsx';
import { FilterChoice } from './filter-choice.tsx';
import styles from './orders-filter.module.css';

const STATES: Record<OrderState, string> = {
  moving: message('In progress'),
  results: message('With results'),
  failed: message('Failed'),
  cancelled: message('Cancelled'),
};

interface FilterProps {
  filter: OrderFilter;
  /** Changes filters; undefined removes one. */
  change: (part: OrderFilter) => void;
}

interface ListFilterProps extends FilterProps {
  /** Nothing matches. The empty state then has its own button to show all orders. */
  empty: boolean;
  /** What the search looks for. */
  placeholder?: string;
  /** Removes every filter, if the page has others than these. */
  showAll?: () => void;
}

const EVERY_ORDER: OrderFilter = {
  search: undefined,
  kingdom: undefined,
  game: undefined,
  state: undefined,
  from: undefined,
  to: undefined,
  schedule: undefined,
};

/** Returns whether any filter is set. */
export const isNarrowed = (filter: object): boolean => Object.values(filter).some((value) => value !== undefined);

/** Filters of the order list. On phones all but the search are collapsed. */
export function OrdersFilter({
  filter,
  change,
  empty,
  placeholder = t('Order number, kingdom or product'),
  showAll = () => change(EVERY_ORDER),
}: ListFilterProps) {
  const [text, setText] = useQueryText(filter.search ?? '', (search) => change({ search }));
  const folds = useNarrow();
  const [open, setOpen] = useState(false);
  return (
    <search className={styles.filter} aria-label={t('Filter orders')}>
      <div className={styles.search}>
        <SearchInput label={t('Search orders')} placeholder={placeholder} value={text} onChange={setText} />
        {folds && (
          <Button aria-expanded={open} data-on={isNarrowed(filter) || undefined} onClick={() => setOpen(!open)}>
            <Icon of={ListFilter} size={16} />
            <T of="Filters" />
          </Button>
        )}
      </div>
      {(!folds || open) && <Fields filter={filter} change={change} />}
      {isNarrowed(filter) && !empty && (
        <Button look="bare" className={styles.clear} onClick={showAll}>
          {t('Show all orders')}
        </Button>
      )}
    </search>
  );
}

const kingdomOf = (text: string): number | null => (/^[1-9]\d{0,4}$/.test(narrow(text)) ? Number(narrow(text)) : null);

function Fields({ filter, change }: FilterProps) {
  return (
    <>
      <SettledField
        label={t('Kingdom or server')}
        placeholder={t('such as 1042')}
        numeric
        value={filter.kingdom}
        set={(kingdom) => change({ kingdom })}
        read={kingdomOf}
        write={String}
        wrong={t('Write the number of a kingdom or server, such as 1042.')}
      />
      <FilterChoice
        label={t('Game')}
        all={t('Both')}
        value={filter.game}
        values={GAME_IDS}
        nameOf={(id) => GAME_NAMES[id].name}
        change={(game) => change({ game })}
      />
      <FilterChoice
        label={t('State')}
        value={filter.state}
        values={Object.keys(STATES) as OrderState[]}
        nameOf={(state) => words(STATES[state])}
        change={(state) => change({ state })}
      />
      <DayRange from={filter.from} to={filter.to} change={change} />
    </>
  );
}
