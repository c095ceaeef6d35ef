import { labelled, t, words } from '../../../domain/language/text.ts';
import { isBad, QUALITY_TEXT } from '../../../domain/scans/quality.ts';
import type { Row } from '../../../domain/scans/rows.ts';
import { compact, exact } from '../../format.ts';
import { type Column, placeColumn } from '../../table/column.ts';
import { isSquare } from '../../table/fits.ts';
import { Under } from '../../table/table.tsx';
import { PlayerName } from '../../ui/player-name.tsx';
import { AllianceLink, GovernorLink, KingdomLink } from '../links.tsx';
import { FlawMark } from './flaws.tsx';
import styles from './result-columns.module.css';
import { cellIn, gameOf, isUnverified, qualityOf, type ResultColumn, type Results } from './results.ts';

interface Looks {
  /** Value of a cell. */
  cell: Results['cell'];
  /** Show exact figures instead of short ones. */
  digits: boolean;
  /** Phone layout: identity in one two-line column, so that figures are visible. */
  narrow: boolean;
  /** Opens the explanation of a marked row. */
  ask: (row: Row) => void;
}

/** Columns with identifying numbers, which are not shortened. */
const NAMES: readonly string[] = ['id', 'kingdom', 'hall', 'rank', 'alliance_id', 'map_id', 'domain'];
const WIDTHS: Readonly<Record<string, number>> = { id: 108, tag: 88, kingdom: 98, hall: 64, rank: 64, day: 124 };
/** Width of a header title plus its padding, in px. */
const widthOfTitle = (title: string): number =>
  Math.ceil([...words(title)].reduce((sum, letter) => sum + (isSquare(letter) ? 13 : 7.2), 0)) + 34;

/** Power and kills have up to ten digits, lifetime sums such as kill points up to twelve. */
const NARROWER: readonly string[] = ['power', 'deads', 't1', 't2', 't3', 't4', 't5'];
const widthOfDigits = (id: string): number => (NARROWER.includes(id) ? 130 : 156);

/** Columns that link to a page. */
const LEADING: readonly string[] = ['name', 'tag', 'kingdom'];

/** Text as wide as the mark before a name. */
const MARKED = 'WWW';

/** Columns that identify a governor. On phones the name column shows the others below the name. */
const WHO: readonly string[] = ['name', 'tag', 'kingdom', 'id'];

/** Links a cell's text according to its column. */
function Leading({ row, id }: { row: Row; id: string }) {
  const [governor, kingdom] = [cellIn(row, 'id'), cellIn(row, 'kingdom')];
  const text = String(cellIn(row, id) ?? '');
  const game = gameOf(row).id;
  if (id === 'name' && governor !== null) return <GovernorLink game={game} id={Number(governor)} name={text} />;
  if (id === 'tag' && kingdom !== null) return <AllianceLink game={game} kingdom={kingdom} tag={text} />;
  if (id === 'kingdom' && kingdom !== null) return <KingdomLink game={game} id={kingdom} />;
  return <PlayerName name={text} />;
}

/** Puts the positions first, on phones behind the names, which stay in sight. */
export const placed = (columns: Column<Row>[], narrow: boolean, from = 0): Column<Row>[] =>
  narrow ? [...columns.slice(0, 1), placeColumn(from), ...columns.slice(1)] : [placeColumn(from), ...columns];

/** Builds the table columns in their order for the current screen. */
export function tableColumns(columns: readonly ResultColumn[], looks: Looks): Column<Row>[] {
  const shown = looks.narrow ? columns.filter(({ id }) => id === 'name' || !WHO.includes(id)) : columns;
  const beneath = looks.narrow ? WHO.filter((id) => id !== 'name' && columns.some((column) => column.id === id)) : [];
  const ordered = looks.narrow ? shown.toSorted((a, b) => Number(b.id === 'name') - Number(a.id === 'name')) : shown;
  return ordered.map((column) => columnFor(column, beneath, looks));
}

/** Builds the columns of the first rows. Their styles show the details below the name on phones. */
export const firstColumns = (
  columns: readonly ResultColumn[],
  looks: Pick<Looks, 'cell' | 'digits'>,
): Column<Row>[] => {
  const beneath = WHO.filter((id) => id !== 'name' && columns.some((column) => column.id === id));
  const ofAllWidths = { ...looks, narrow: false, ask: () => undefined };
  return tableColumns(columns, ofAllWidths).map((column): Column<Row> => {
    if (column.id !== 'name') return { ...column, wide: beneath.includes(column.id), unsorted: true };
    return {
      ...column,
      cell: (row) => (
        <>
          <Leading row={row} id="name" />
          <Under narrow>
            <Details row={row} ids={beneath} />
          </Under>
        </>
      ),
    };
  });
};

function columnFor(column: ResultColumn, beneath: readonly string[], looks: Looks): Column<Row> {
  if (column.id === 'name') return nameColumn(column, beneath, looks);
  return LEADING.includes(column.id) || column.type === 'text' ? wordsColumn(column) : valueColumn(column, looks);
}

const wordsColumn = ({ id, title, about }: ResultColumn): Column<Row> => ({
  id,
  title,
  about,
  words: true,
  text: (row) => String(cellIn(row, id) ?? ''),
  ascending: true,
  width: WIDTHS[id] ?? Math.max(110, widthOfTitle(title)),
  cell: (row) => <Leading row={row} id={id} />,
});

const nameColumn = ({ id, title }: ResultColumn, beneath: readonly string[], { narrow, ask }: Looks): Column<Row> => ({
  id,
  title,
  words: true,
  ascending: true,
  grow: true,
  sticky: true,
  width: narrow ? 130 + 18 * beneath.length : 168,
  // Names with a mark have less room; two-line names are not measured.
  ...(beneath.length === 0 && {
    text: (row) => (isBad(qualityOf(row)) ? MARKED : '') + String(cellIn(row, 'name') ?? ''),
  }),
  cell: (row) => <Who row={row} beneath={beneath} ask={ask} />,
});

function Who({ row, beneath, ask }: { row: Row; beneath: readonly string[]; ask: (row: Row) => void }) {
  const quality = qualityOf(row);
  return (
    <>
      {isBad(quality) && <FlawMark quality={quality} ask={() => ask(row)} />}
      <Leading row={row} id="name" />
      {beneath.some((id) => cellIn(row, id) !== null) && (
        <span className={styles.under}>
          <Details row={row} ids={beneath} />
        </span>
      )}
    </>
  );
}

/** The known ones of some cells, in one line. */
const Details = ({ row, ids }: { row: Row; ids: readonly string[] }) =>
  ids
    .filter((id) => cellIn(row, id) !== null)
    .map((id, index) => (
      <span key={id}>
        {index > 0 && ' · '}
        <Leading row={row} id={id} />
      </span>
    ));

function valueColumn({ id, title, about }: ResultColumn, { digits, cell }: Looks): Column<Row> {
  const names = NAMES.includes(id);
  const written = (value: number) => (names ? String(value) : digits ? exact(value) : compact(value));
  return {
    id,
    title,
    about,
    figures: id !== 'id',
    // Ranks sort from the best.
    ascending: id === 'rank',
    width: WIDTHS[id] ?? Math.max(digits ? widthOfDigits(id) : 92, widthOfTitle(title)),
    cell: (row) => {
      const value = cell(row, id);
      if (value === null) return '?';
      const text = written(Number(value));
      return isUnverified(row, id) ? <span className={styles.doubted}>{text}</span> : text;
    },
    hint: (row) => {
      const value = cell(row, id);
      if (value === null)
        return id === 'rank' ? t('Not ranked: the power is unverified.') : t('Not read in this scan.');
      if (isUnverified(row, id)) return labelled(exact(Number(value)), words(QUALITY_TEXT[qualityOf(row)]));
      return names || digits ? undefined : exact(Number(value));
    },
  };
}
