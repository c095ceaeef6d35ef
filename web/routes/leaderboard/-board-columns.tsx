import type { ReactNode } from 'react';
import { type BoardKind, type Metric, metricTitle, typeOf } from '../../../domain/boards/leaderboard.ts';
import {
  type AllianceRow,
  type BoardRow,
  type GovernorRow,
  type KingdomRow,
  metricIn,
} from '../../../domain/boards/rows.ts';
import { GAME_NAMES, type GameId } from '../../../domain/games/game-names.ts';
import { message, t, words } from '../../../domain/language/text.ts';
import { KINGDOM_METRICS } from '../../../domain/scans/kingdom-metrics.ts';
import { large, WRITTEN } from '../../components/kingdom-figures.ts';
import { AllianceLink, GovernorLink, KingdomLink } from '../../components/links.tsx';
import { capital, compact, counted, exact, inUnit, nameOr } from '../../format.ts';
import type { Column } from '../../table/column.ts';
import { RowIndex } from '../../table/row-index.ts';
import { Under } from '../../table/table.tsx';
import { PlayerName } from '../../ui/player-name.tsx';
import { exactUnless, Short } from '../../ui/short.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './-board.module.css';
import { Gained, Moved, type Opening, Opens } from './-board-cells.tsx';
import { type Sum, sumText } from './-board-totals.ts';

type BoardColumn = Column<BoardRow>;

type Show = (value: number) => string;

const figure = (
  id: string,
  title: string,
  about: string,
  value: (row: BoardRow) => number | null | undefined,
  show: Show = compact,
  why: (row: BoardRow) => string = notRead,
  sum: Sum | null = null,
): BoardColumn => ({
  id,
  title,
  about,
  figures: true,
  value: (row) => value(row) ?? null,
  // Known figures are plain text without an element, because a board has hundreds of them.
  cell: (row) => {
    const number = value(row) ?? null;
    if (number === null) return <Short value={null} unknown={why(row)} className={styles.unknown} />;
    const from = sumText(row, sum);
    if (from === null) return show(number);
    return (
      <span className={styles.guarded} title={t('{number} from {about}', { number: exact(number), about: from })}>
        {show(number)}
      </span>
    );
  },
  hint: (row) => {
    const number = value(row) ?? null;
    return number === null || sumText(row, sum) !== null ? undefined : exactUnless(show(number), number);
  },
});

const notRead = (): string => t('Not read.');

const gainedColumn = (title: string): BoardColumn => ({
  id: 'gained',
  title: t('Change'),
  about: t('{title} gained since the day before', { title }),
  figures: true,
  value: (row) => row.gained ?? null,
  cell: (row) => <Gained row={row} />,
});

const rank: BoardColumn = {
  id: 'rank',
  title: '#',
  about: message('Rank, and places won or lost since the day before'),
  ascending: true,
  value: (row) => row.rank,
  cell: (row) => (
    <span className={styles.rank}>
      {row.rank}
      <Moved moved={row.moved} />
    </span>
  ),
};

/**
 * The columns of rows in another order than by rank: the first one has their positions, with the ranks beside. Another
 * column would move all others when a page is sorted.
 */
export const withPlaces = (columns: BoardColumn[], from: number): BoardColumn[] =>
  columns.map((column) =>
    column.id === rank.id
      ? {
          ...column,
          about: t('Position in this order, and rank'),
          cell: (row, index) => (
            <span className={styles.rank}>
              {exact(from + index + 1)}
              <span className={styles.ranked} title={t('Rank {rank}', { rank: exact(row.rank) })}>
                #{exact(row.rank)}
              </span>
            </span>
          ),
        }
      : column,
  );

const kingdomLink = (game: GameId, { kingdom_id }: BoardRow) => <KingdomLink game={game} id={kingdom_id} open />;

const kingdomColumn = (game: GameId): BoardColumn => ({
  id: 'kingdom_id',
  title: capital(GAME_NAMES[game].kingdom.one),
  figures: true,
  ascending: true,
  value: (row) => row.kingdom_id,
  cell: (row) => kingdomLink(game, row),
});

/** Links the alliance of a row, or the alliance that the row is. */
const tagLink = (game: GameId, row: BoardRow) => (
  <AllianceLink game={game} kingdom={row.kingdom_id} tag={(row as GovernorRow).alliance_tag} open />
);

const tagColumn = (game: GameId): BoardColumn => ({
  id: 'alliance_tag',
  title: t('Alliance'),
  ascending: true,
  cell: (row) => tagLink(game, row),
});

const of = (key: string) => (row: BoardRow) => (row as unknown as Record<string, number | null | undefined>)[key];

const playerLink = (game: GameId, row: GovernorRow, opening: Opening) => (
  <Opens
    row={row}
    name={row.governor_id ? nameOr(row.name, String(row.governor_id)) : t('rank {rank}', { rank: String(row.rank) })}
    opening={opening}
  >
    <GovernorLink game={game} id={row.governor_id} name={row.name} open />
  </Opens>
);

/** Identity columns of a governor. On phones the name's second line replaces the others, to leave room for figures. */
const governorIdentity = ({ game, opening }: Looks): BoardColumn[] => [
  {
    id: 'name',
    title: t('Name'),
    sticky: true,
    grow: true,
    ascending: true,
    cell: (row) => {
      const { alliance_tag, kingdom_id } = row as GovernorRow;
      return (
        <>
          {playerLink(game, row as GovernorRow, opening)}
          <Under narrow>
            <KingdomLink game={game} id={kingdom_id} open />
            {alliance_tag && <> · {tagLink(game, row)}</>}
          </Under>
        </>
      );
    },
  },
  { ...tagColumn(game), wide: true },
  { ...kingdomColumn(game), wide: true },
];

/** Column of a ranked figure. */
const metricColumn = (game: GameId, metric: Metric, about: string, show?: Show): BoardColumn => {
  const key = typeOf(game, metric);
  return figure(key, metricTitle(game, metric), about, (row) => metricIn(row, metric), show, notRead, { key, game });
};

/** Adds a column of changes after the ranked one. */
const withGain = (columns: readonly BoardColumn[], ranked: string): BoardColumn[] =>
  columns.flatMap((column) =>
    column.id === ranked ? [column, gainedColumn(words(column.about ?? column.title))] : [column],
  );

const governorColumns = (looks: Looks): BoardColumn[] => {
  const { game } = looks;
  return [
    rank,
    ...governorIdentity(looks),
    metricColumn(game, 'power', t('Power')),
    metricColumn(game, 'score', GAME_NAMES[game].score),
    figure('cityhall', GAME_NAMES[game].hall.short, GAME_NAMES[game].hall.title, of('cityhall')),
    figure('deads', t('Deads'), t('Deads'), of('deads')),
    ...GAME_NAMES[game].roles.tiers.map((key, index) => {
      const title = `T${index + 1}`;
      return figure(key, title, t('{tier} kills', { tier: title }), of(key));
    }),
    {
      id: 'governor_id',
      title: t('ID'),
      figures: true,
      ascending: true,
      value: (row) => (row as GovernorRow).governor_id,
      cell: (row) => (row as GovernorRow).governor_id || '–',
    },
  ];
};

const billions: Show = (value) => inUnit(value, 'B');

/** Identity columns of an alliance, on phones like a governor's. */
function allianceIdentity({ game, opening }: Looks): BoardColumn[] {
  const kingdom = kingdomColumn(game);
  return [
    {
      ...tagColumn(game),
      sticky: true,
      grow: 'narrow',
      cell: (row) => {
        const { alliance_tag, alliance_name } = row as AllianceRow;
        return (
          <>
            <Opens row={row} name={alliance_tag} opening={opening}>
              {tagLink(game, row)}
            </Opens>
            <Under narrow>
              {kingdomLink(game, row)}
              {alliance_name && (
                <>
                  {' '}
                  · <PlayerName name={alliance_name} />
                </>
              )}
            </Under>
          </>
        );
      },
    },
    {
      id: 'alliance_name',
      title: t('Name'),
      grow: true,
      wide: true,
      ascending: true,
      cell: (row) => <PlayerName name={(row as AllianceRow).alliance_name} />,
    },
    { ...kingdom, wide: true },
  ];
}

const allianceColumns = (looks: Looks): BoardColumn[] => [
  rank,
  ...allianceIdentity(looks),
  metricColumn(looks.game, 'power', t('Power of all members'), billions),
  metricColumn(
    looks.game,
    'score',
    t('{game, select, cod {Merits of all members} other {Killpoints of all members}}', { game: looks.game }),
    billions,
  ),
  figure('member_count', t('Members'), t('Members seen in scans'), of('member_count'), exact),
];

/** Explains a missing sum: fewer governors were scanned than the sum needs. */
const tooFew =
  (game: GameId, most: number) =>
  (row: BoardRow): string => {
    const { player_count } = row as KingdomRow;
    return player_count < most
      ? t('Its scan read {governors}.', {
          governors: counted(player_count, GAME_NAMES[game].governor.one, GAME_NAMES[game].governor.many),
        })
      : notRead();
  };

const kingdomColumns = ({ game, opening }: Looks): BoardColumn[] => {
  const { score, roles, hall } = GAME_NAMES[game];
  const depths = [
    ['total', message('Total {key, select, deads {deads} killpoints {killpoints} merits {merits} other {power}}'), 0],
    [
      'top300',
      message('Top 300 {key, select, deads {deads} killpoints {killpoints} merits {merits} other {power}}'),
      300,
    ],
    [
      'top600',
      message('Top 600 {key, select, deads {deads} killpoints {killpoints} merits {merits} other {power}}'),
      600,
    ],
  ] as const;
  const sums = (key: string, title: string) =>
    depths.map(([depth, sum, most]) => {
      const about = t(sum, { key });
      const short = depth === 'total' ? title : about;
      const covers = depth === 'total' ? { key: `total_${key}`, game } : null;
      return figure(`${depth}_${key}`, short, about, of(`${depth}_${key}`), large, tooFew(game, most), covers);
    });
  const kingdom = kingdomColumn(game);
  return [
    rank,
    {
      ...kingdom,
      figures: false,
      sticky: true,
      cell: (row) => (
        <Opens
          row={row}
          name={t('{game, select, cod {server} other {kingdom}} {id}', { game, id: String(row.kingdom_id) })}
          opening={opening}
        >
          {kingdomLink(game, row)}
        </Opens>
      ),
    },
    ...sums('power', t('Power')),
    ...sums(roles.score, words(score)),
    ...sums('deads', t('Deads')),
    figure(
      'player_count',
      t('Players'),
      t('{game, select, cod {Lords scanned} other {Governors scanned}}', { game }),
      of('player_count'),
      exact,
    ),
    figure(
      'ch25_count',
      `${words(hall.short)}25`,
      t('{game, select, cod {Lords at City Level 25} other {Governors at City Hall 25}}', { game }),
      of('ch25_count'),
      exact,
    ),
    figure('inactive_player_count', t('Inactive'), t('No change for a week'), of('inactive_player_count'), exact),
    ...KINGDOM_METRICS.map(({ row, short, title, unit }) =>
      figure(row, short, title, of(row), WRITTEN[unit], notRead, { key: row, game }),
    ),
    {
      id: 'timestamp',
      title: t('Scanned'),
      figures: true,
      value: (row) => (row as KingdomRow).timestamp,
      cell: (row) => <Time at={(row as KingdomRow).timestamp} />,
    },
  ];
};

interface Looks {
  game: GameId;
  metric: Metric;
  opening: Opening;
}

/** Columns of a board, in the specification's order. Each sorts by the field that its id names. */
export const boardColumns = (kind: BoardKind, looks: Looks): BoardColumn[] =>
  withGain(
    { governor: governorColumns, alliance: allianceColumns, kingdom: kingdomColumns }[kind](looks),
    `${kind === 'kingdom' ? 'total_' : ''}${typeOf(looks.game, looks.metric)}`,
  ).filter(({ id }) => !GAME_NAMES[looks.game].unscanned.includes(id));

const tagOf = (row: BoardRow) => (row as GovernorRow).alliance_tag;

/** Text columns by kind of board. */
const WORDS: Readonly<Record<BoardKind, Readonly<Record<string, (row: BoardRow) => string>>>> = {
  governor: { name: (row) => (row as GovernorRow).name, alliance_tag: tagOf },
  alliance: { alliance_tag: tagOf, alliance_name: (row) => (row as AllianceRow).alliance_name },
  kingdom: {},
};

/** Text of a row that the search matches. */
const searchedText = (row: BoardRow): string =>
  'governor_id' in row
    ? `${row.name} ${row.governor_id} ${row.alliance_tag} ${row.kingdom_id}`
    : 'alliance_tag' in row
      ? `${row.alliance_tag} ${row.alliance_name} ${row.kingdom_id}`
      : String(row.kingdom_id);

/** Builds the search and sort index of a board. */
export function boardIndex(kind: BoardKind, rows: readonly BoardRow[]): RowIndex {
  const at = (row: number) => rows[row] as BoardRow;
  const texts = Object.entries(WORDS[kind]).map(([id, word]) => [id, (row: number) => word(at(row))] as const);
  return new RowIndex(rows.length, (row) => searchedText(at(row)), Object.fromEntries(texts));
}

/** Known figures of a row outside a table: title and content, as in its board's columns. */
export const rowFigures = (kind: BoardKind, game: GameId, row: BoardRow): [string, ReactNode][] =>
  boardColumns(kind, { game, metric: 'power', opening: CLOSED })
    .filter(({ id, figures, value }) => figures && !NO_FIGURES.includes(id) && value?.(row) !== null)
    .map(({ id, title, about, cell, hint }) => [
      words(about ?? title),
      <span key={id} title={hint?.(row)}>
        {cell(row, 0)}
      </span>,
    ]);

const CLOSED: Opening = { open: undefined, toggle: () => undefined, visitor: false };
const NO_FIGURES = ['kingdom_id', 'governor_id', 'gained'];
