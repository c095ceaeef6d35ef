import { isBad, QUALITY_TEXT } from '../../../domain/scans/quality.ts';
import type { Row } from '../../../domain/scans/rows.ts';
import { compact, exact } from '../../format.ts';
import type { TableColumn } from '../../table/features.ts';
import { PlayerName } from '../../ui/player-name.tsx';
import { AllianceLink, GovernorLink, KingdomLink } from '../links.tsx';
import { FlawMark } from './flaws.tsx';
import styles from './result-columns.module.css';
import { cellIn, gameOf, isDoubted, qualityOf, type ResultColumn, type Results } from './results.ts';

interface Looks {
  /** What stands in a cell. */
  cell: Results['cell'];
  /** Every digit in place of three and a unit. */
  digits: boolean;
  /** A phone's table: who a row is stands in one column of two lines, so that the figures come into sight. */
  narrow: boolean;
  /** Asks why a row is marked. */
  ask: (row: Row) => void;
}

/** Columns whose figures name something: no unit makes them shorter. */
const NAMES: readonly string[] = ['id', 'kingdom', 'hall', 'rank', 'alliance_id', 'map_id', 'domain'];
const WIDTHS: Readonly<Record<string, number>> = { id: 108, tag: 88, kingdom: 98, hall: 64, rank: 64, day: 124 };
/** Room for the title in the size of a header, and for what surrounds it. */
const widthOfTitle = (title: string): number => Math.ceil(title.length * 7.2) + 34;

/** Power and kills have ten digits, sums over a life such as kill points and resources twelve. */
const NARROWER: readonly string[] = ['power', 'deads', 't1', 't2', 't3', 't4', 't5'];
const widthOfDigits = (id: string): number => (NARROWER.includes(id) ? 130 : 156);

/** Columns whose words lead somewhere. */
const LEADING: readonly string[] = ['name', 'tag', 'kingdom'];

/** As wide as a mark before a name. */
const MARKED = 'WWW';

/** What names a governor; on a phone the name's column holds the others beneath it. */
export const WHO: readonly string[] = ['name', 'tag', 'kingdom', 'id'];

/** Where the words of a cell lead, by the part that its column plays. */
function Leading({ row, id }: { row: Row; id: string }) {
  const [governor, kingdom] = [cellIn(row, 'id'), cellIn(row, 'kingdom')];
  const text = String(cellIn(row, id) ?? '');
  const game = gameOf(row).id;
  if (id === 'name' && governor !== null) return <GovernorLink game={game} id={Number(governor)} name={text} />;
  if (id === 'tag' && kingdom !== null) return <AllianceLink game={game} kingdom={kingdom} tag={text} />;
  if (id === 'kingdom' && kingdom !== null) return <KingdomLink game={game} id={kingdom} />;
  return <PlayerName name={text} />;
}

/** The columns of the results table in their order, as they look on this screen. */
export function tableColumns(columns: readonly ResultColumn[], looks: Looks): TableColumn<Row>[] {
  const shown = looks.narrow ? columns.filter(({ id }) => id === 'name' || !WHO.includes(id)) : columns;
  const beneath = looks.narrow ? WHO.filter((id) => id !== 'name' && columns.some((column) => column.id === id)) : [];
  const ordered = looks.narrow ? shown.toSorted((a, b) => Number(b.id === 'name') - Number(a.id === 'name')) : shown;
  return ordered.map((column) => columnFor(column, beneath, looks));
}

function columnFor(column: ResultColumn, beneath: readonly string[], looks: Looks): TableColumn<Row> {
  if (column.id === 'name') return nameColumn(column, beneath, looks);
  return LEADING.includes(column.id) || column.type === 'text' ? wordsColumn(column) : valueColumn(column, looks);
}

const wordsColumn = ({ id, title, about }: ResultColumn): TableColumn<Row> => ({
  id,
  title,
  about,
  words: true,
  text: (row) => String(cellIn(row, id) ?? ''),
  ascending: true,
  width: WIDTHS[id] ?? Math.max(110, widthOfTitle(title)),
  show: (row) => <Leading row={row} id={id} />,
});

const nameColumn = (
  { id, title }: ResultColumn,
  beneath: readonly string[],
  { narrow, ask }: Looks,
): TableColumn<Row> => ({
  id,
  title,
  words: true,
  ascending: true,
  grow: true,
  sticky: true,
  width: narrow ? 130 + 18 * beneath.length : 168,
  // Who has a mark beside his name, or others beneath it, has no more room for it.
  ...(beneath.length === 0 && {
    text: (row) => (isBad(qualityOf(row)) ? MARKED : '') + String(cellIn(row, 'name') ?? ''),
  }),
  show: (row) => <Who row={row} beneath={beneath} ask={ask} />,
});

function Who({ row, beneath, ask }: { row: Row; beneath: readonly string[]; ask: (row: Row) => void }) {
  const quality = qualityOf(row);
  const details = beneath.filter((id) => cellIn(row, id) !== null);
  return (
    <>
      {isBad(quality) && <FlawMark quality={quality} ask={() => ask(row)} />}
      <Leading row={row} id="name" />
      {details.length > 0 && (
        <span className={styles.under}>
          {details.map((id, index) => (
            <span key={id}>
              {index > 0 && ' · '}
              <Leading row={row} id={id} />
            </span>
          ))}
        </span>
      )}
    </>
  );
}

function valueColumn({ id, title, about }: ResultColumn, { digits, cell }: Looks): TableColumn<Row> {
  const names = NAMES.includes(id);
  const written = (value: number) => (names ? String(value) : digits ? exact(value) : compact(value));
  return {
    id,
    title,
    about,
    figures: id !== 'id',
    // Of ranks the first is the one that is looked for.
    ascending: id === 'rank',
    width: WIDTHS[id] ?? Math.max(digits ? widthOfDigits(id) : 92, widthOfTitle(title)),
    show: (row) => {
      const value = cell(row, id);
      if (value === null) return '?';
      const text = written(Number(value));
      return isDoubted(row, id) ? <span className={styles.doubted}>{text}</span> : text;
    },
    hint: (row) => {
      const value = cell(row, id);
      if (value === null) return id === 'rank' ? 'Not ranked: its power is doubtful.' : 'Not read in this scan.';
      if (isDoubted(row, id)) return `${exact(Number(value))}. ${QUALITY_TEXT[qualityOf(row)]}`;
      return names || digits ? undefined : exact(Number(value));
    },
  };
}
