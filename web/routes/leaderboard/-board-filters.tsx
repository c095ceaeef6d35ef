import type { BoardKind } from '../../../domain/boards/leaderboard.ts';
import { GAME_NAMES, type GameId } from '../../../domain/games/game-names.ts';
import { t, words } from '../../../domain/language/text.ts';
import { narrow } from '../../../domain/narrow.ts';
import { AmountField } from '../../components/amount-field.tsx';
import { capital } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { SettledField } from '../../ui/settled-field.tsx';
import styles from './-board.module.css';
import { type BoardSearch, isFiltering, NO_FILTERS } from './-board-search.ts';

const numberOf = (text: string): number | null => (/^\d{1,9}$/.test(narrow(text)) ? Number(narrow(text)) : null);

/** Filters of a board, which also apply to its totals. */
export default function BoardFilters({
  kind,
  game,
  search,
  change,
}: {
  kind: BoardKind;
  game: GameId;
  search: BoardSearch;
  change: (part: Partial<BoardSearch>) => void;
}) {
  const { kingdom } = GAME_NAMES[game];
  return (
    <fieldset className={styles.filters} aria-label={t('Filters')}>
      {kind !== 'kingdom' && (
        <>
          <SettledField
            label={words(capital(kingdom.one))}
            placeholder={t('such as 1042')}
            numeric
            value={search.kingdom}
            set={(number) => change({ kingdom: number })}
            read={numberOf}
            write={String}
            wrong={t('Write the number of a {game, select, cod {server} other {kingdom}}, such as 1042.', { game })}
          />
          <SettledField
            label={t('Alliance')}
            placeholder={t('its tag')}
            value={search.alliance}
            set={(alliance) => change({ alliance })}
            read={(text) => text}
            write={(tag) => tag}
            wrong=""
          />
        </>
      )}
      <AmountField label={t('Power from')} value={search.powerFrom} set={(powerFrom) => change({ powerFrom })} />
      <AmountField label={t('Power to')} value={search.powerTo} set={(powerTo) => change({ powerTo })} />
      <Button disabled={!isFiltering(search)} onClick={() => change(NO_FILTERS)}>
        {t('Clear filters')}
      </Button>
    </fieldset>
  );
}
