import { isRemovedId } from '../../../domain/boards/profile.ts';
import { GAME_NAMES, type GameId } from '../../../domain/games/game-names.ts';
import { t, words } from '../../../domain/language/text.ts';
import type { EventMeta, EventRoom } from '../../api/events.ts';
import { capital, exact, nameOr } from '../../format.ts';
import type { Column } from '../../table/column.ts';
import { Table } from '../../table/table.tsx';
import { T } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { CampMark } from '../difference/camp-mark.tsx';
import { Gain, Standing } from '../difference/gain.tsx';
import { Nothing, Panel, Panels } from '../panel.tsx';
import { RoomLink } from './room-link.tsx';
import styles from './room-page.module.css';
import type { ChangeRoom } from './room-search.ts';

const BY_DKP = { id: 'dkp', ascending: false };

type Alliance = EventRoom['alliances'][number];

export function Alliances({ room, game, change }: { room: EventRoom; game: GameId; change: ChangeRoom }) {
  const { alliance, governor } = GAME_NAMES[game];
  const columns: Column<Alliance>[] = [
    {
      id: 'tag',
      title: capital(alliance.one),
      grow: true,
      sticky: true,
      ascending: true,
      text: ({ tag }) => tag ?? '',
      cell: ({ tag }) =>
        tag ? (
          <button type="button" className={styles.name} onClick={() => change({ alliance: tag, page: undefined })}>
            <bdi>{nameOr(tag, '?')}</bdi>
          </button>
        ) : (
          t('No alliance')
        ),
    },
    dkpColumn(),
    countColumn('governors', capital(governor.many), ({ governors }) => governors),
    countColumn('left_out', t('Unverified'), ({ left_out }) => left_out),
    powerColumn(),
    efficiencyColumn(),
  ];
  return (
    <Panel title={words(capital(alliance.many))}>
      <Table
        label={words(capital(alliance.many))}
        columns={columns}
        rows={room.alliances}
        rowId={({ tag }) => tag ?? ''}
        sort={BY_DKP}
      />
    </Panel>
  );
}

const dkpColumn = <Row extends { dkp: number | null }>(): Column<Row> => ({
  id: 'dkp',
  title: t('DKP'),
  about: t('Without unverified figures'),
  figures: true,
  value: ({ dkp }) => dkp,
  cell: ({ dkp }) => (
    <strong>
      <Gain value={dkp} />
    </strong>
  ),
});
const powerColumn = <Row extends { power: number | null }>(): Column<Row> => ({
  id: 'power',
  title: t('Power'),
  about: t('At the start'),
  figures: true,
  value: ({ power }) => power,
  cell: ({ power }) => <Standing value={power} />,
});
const efficiencyColumn = <Row extends { efficiency: number | null }>(): Column<Row> => ({
  id: 'efficiency',
  title: t('Per million'),
  about: t('DKP per million of power at the start'),
  figures: true,
  value: ({ efficiency }) => efficiency,
  cell: ({ efficiency }) => <Standing value={efficiency} />,
});
const countColumn = <Row,>(id: string, title: string, value: (row: Row) => number): Column<Row> => ({
  id,
  title,
  figures: true,
  value,
  cell: (row) => exact(value(row)),
});

type Rival = EventRoom['standings'][number];

/** All kingdoms of the event against this one. */
export function Rivals({ meta, room }: { meta: EventMeta; room: EventRoom }) {
  const { kingdom } = GAME_NAMES[meta.game];
  const ahead = ({ dkp }: Rival) => (dkp === null || room.dkp === null ? null : room.dkp - dkp);
  const columns: Column<Rival>[] = [
    {
      id: 'rank',
      title: '#',
      figures: true,
      ascending: true,
      value: ({ rank }) => rank,
      cell: ({ rank }) => rank ?? '–',
    },
    {
      id: 'kingdom',
      title: capital(kingdom.one),
      grow: true,
      sticky: true,
      ascending: true,
      text: (row) => row.kingdom,
      cell: (row) => (
        <>
          {row.kingdom === room.kingdom ? (
            <strong>{row.kingdom}</strong>
          ) : (
            <RoomLink meta={meta} kingdom={row.kingdom} />
          )}{' '}
          <CampMark name={row.camp} />
        </>
      ),
    },
    dkpColumn(),
    {
      id: 'ahead',
      title: t('{kingdom} is ahead by', { kingdom: room.kingdom }),
      figures: true,
      value: ahead,
      cell: (row) => (row.kingdom === room.kingdom ? '–' : <Gain value={ahead(row)} />),
    },
    efficiencyColumn(),
    powerColumn(),
    countColumn('left_out', t('Unverified'), ({ left_out }) => left_out),
  ];
  return (
    <Panel title={t('Against other {many}', { many: words(kingdom.many) })}>
      <Table
        label={t('Against other {many}', { many: words(kingdom.many) })}
        columns={columns}
        rows={room.standings}
        rowId={(row) => row.kingdom}
        sort={{ id: 'rank', ascending: true }}
      />
    </Panel>
  );
}

type Passer = EventRoom['joined_governors'][number];

export function Passing({ meta, room }: { meta: EventMeta; room: EventRoom }) {
  const lists = [
    [
      t('New'),
      t('Only in the later scan: {count}', { count: exact(room.joined_governors.length) }),
      room.joined_governors,
    ],
    [
      t('Gone'),
      t('Only in the earlier scan: {count}', { count: exact(room.gone_governors.length) }),
      room.gone_governors,
    ],
  ] as const;
  const columns: Column<Passer>[] = [
    {
      id: 'name',
      title: capital(GAME_NAMES[meta.game].governor.one),
      grow: true,
      sticky: true,
      ascending: true,
      text: ({ name }) => name,
      cell: ({ name, tag, governor_id }) => (
        <span className={styles.who}>
          <bdi>{nameOr(name, String(governor_id))}</bdi>
          {!isRemovedId(governor_id) && (
            <small>
              {tag && (
                <>
                  <bdi>{tag}</bdi>
                  {' · '}
                </>
              )}
              {governor_id}
            </small>
          )}
        </span>
      ),
    },
    powerColumn(),
  ];
  return (
    <Panels>
      {lists.map(([title, about, rows]) => (
        <Panel key={title} title={title} about={about}>
          {rows.length === 0 ? (
            <Nothing>{t('Nobody.')}</Nothing>
          ) : (
            <Table label={title} columns={columns} rows={rows.slice(0, 50)} rowId={({ governor_id }) => governor_id} />
          )}
          {rows.length > 50 && <p>{t('The strongest 50 are shown.')}</p>}
        </Panel>
      ))}
      <p>
        <T of="Newest scan: {time}" time={<Time at={room.range.end} />} />
      </p>
    </Panels>
  );
}
