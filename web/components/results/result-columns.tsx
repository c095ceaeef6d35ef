import { type ColumnDef, createColumnHelper, sortFn_basic, sortFn_text } from '@tanstack/react-table';
import type { Game } from '../../../domain/games.ts';
import { compact, exact } from '../../format.ts';
import type { Features } from '../../table/features.ts';
import { PlayerName } from '../../ui/player-name.tsx';
import styles from './result-columns.module.css';
import type { ResultRow } from './result-rows.ts';

const helper = createColumnHelper<Features, ResultRow>();

interface Choices {
  /** Rows of several kingdoms stand together. */
  combined: boolean;
  /** Every digit in place of three and a unit. */
  digits: boolean;
  /** A phone's table: who a row is stands in one column of two lines, so that the figures come into sight. */
  narrow: boolean;
}

/** A figure of a cell: unknown is '?', and the title has every digit. */
function figureCell(value: number | undefined, digits: boolean) {
  if (value === undefined) return <span title="Not read: only the ranking list was scanned.">?</span>;
  return digits ? exact(value) : <span title={exact(value)}>{compact(value)}</span>;
}

const figureColumn = (
  id: string,
  title: string,
  about: string,
  digits: boolean,
  value: (row: ResultRow) => number | undefined,
  width = digits ? 130 : 92,
) =>
  helper.accessor(value, {
    id,
    header: title,
    cell: ({ getValue }) => figureCell(getValue(), digits),
    sortFn: sortFn_basic,
    sortUndefined: 'last',
    meta: { width, figures: true, about },
  });

const identityColumns = (game: Game, combined: boolean) => [
  helper.accessor('id', {
    header: 'ID',
    cell: ({ getValue }) => getValue(),
    sortFn: sortFn_basic,
    meta: { width: 108 },
  }),
  helper.accessor('tag', {
    header: 'Alliance',
    cell: ({ getValue }) => <PlayerName name={getValue()} />,
    sortFn: sortFn_text,
    meta: { width: 88 },
  }),
  ...(combined
    ? [
        helper.accessor('kingdom', {
          header: `${game.kingdom.one.charAt(0).toUpperCase()}${game.kingdom.one.slice(1)} ID`,
          cell: ({ getValue }) => getValue(),
          sortFn: sortFn_basic,
          meta: { width: 98 },
        }),
      ]
    : []),
  helper.accessor('name', {
    header: 'Name',
    cell: ({ getValue }) => <PlayerName name={getValue()} />,
    sortFn: sortFn_text,
    meta: { width: 168, grow: true, sticky: true },
  }),
];

const whoColumn = (combined: boolean) =>
  helper.accessor('name', {
    header: 'Name',
    cell: ({ row: { original } }) => <Who row={original} combined={combined} />,
    sortFn: sortFn_text,
    // The line beneath holds the kingdom as well where there are several.
    meta: { width: combined ? 184 : 150, grow: true, sticky: true },
  });

const Who = ({ row, combined }: { row: ResultRow; combined: boolean }) => (
  <>
    <PlayerName name={row.name} />
    <span className={styles.under}>
      {row.tag !== '' && (
        <>
          <PlayerName name={row.tag} /> ·{' '}
        </>
      )}
      {combined && `${row.kingdom} · `}
      {row.id}
    </span>
  </>
);

/** The columns of the results table in the specification's order (section 2, Order results). */
export const resultColumns = (game: Game, { combined, digits, narrow }: Choices): ColumnDef<Features, ResultRow>[] =>
  helper.columns([
    ...(narrow ? [whoColumn(combined)] : identityColumns(game, combined)),
    figureColumn('power', 'Power', 'Power', digits, (row) => row.power),
    figureColumn('score', game.score, game.score, digits, (row) => row.score, digits ? 150 : 100),
    figureColumn('hall', game.hall.short, game.hall.title, digits, (row) => row.hall, 64),
    figureColumn('deads', 'Deads', 'Deads', digits, (row) => row.deads),
    ...[0, 1, 2, 3, 4].map((tier) =>
      figureColumn(`t${tier + 1}`, `T${tier + 1}`, `T${tier + 1} kills`, digits, (row) => row.tiers[tier]),
    ),
  ]);
