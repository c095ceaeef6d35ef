import { lazy, Suspense, useCallback, useMemo } from 'react';
import { isRemovedId } from '../../../domain/boards/profile.ts';
import type { RosterEntry } from '../../../domain/compare/roster-rules.ts';
import { goalOf } from '../../../domain/difference/scoring.ts';
import { GAME_NAMES } from '../../../domain/games/game-names.ts';
import { message, t, words } from '../../../domain/language/text.ts';
import type { EventMeta, EventRoom } from '../../api/events.ts';
import { capital, countedOf, nameOr } from '../../format.ts';
import type { Column, Sort } from '../../table/column.ts';
import { Pager } from '../../table/pager.tsx';
import { RowIndex } from '../../table/row-index.ts';
import { Table, Under } from '../../table/table.tsx';
import { useIndexedPage } from '../../table/use-indexed-page.ts';
import { Button } from '../../ui/button.tsx';
import { PlayerName } from '../../ui/player-name.tsx';
import { SearchInput, useQueryText } from '../../ui/search-input.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { T } from '../../ui/text.tsx';
import { useTextMemo } from '../../ui/use-locale.ts';
import { DEFAULT_SIZE, PAGE_SIZES } from '../difference/difference-search.ts';
import { figureTitles } from '../difference/figure-titles.ts';
import { Gain, percent, Standing } from '../difference/gain.tsx';
import { AllianceLink, GovernorLink, RemovedName } from '../links.tsx';
import listing from '../listing.module.css';
import { GovernorGain } from './governor-gain.tsx';
import styles from './room-page.module.css';
import { type ChangeRoom, ROOM_WHO, type RoomSearch } from './room-search.ts';
import { isFighting, isIdle } from './with-roster.ts';

const WhyThisScore = lazy(async () => ({ default: (await import('./why-this-score.tsx')).WhyThisScore }));

type Governor = EventRoom['governors'][number];

const WHO_TITLE: Readonly<Record<(typeof ROOM_WHO)[number], string>> = {
  fighting: message('Fighting'),
  below: message('Below goal'),
  idle: message('Did not fight'),
  doubted: message('Unverified'),
  moved: message('Moved away'),
};

const WHO_HOLDS: Readonly<Record<(typeof ROOM_WHO)[number], (governor: Governor) => boolean>> = {
  fighting: isFighting,
  below: ({ below_goal }) => below_goal,
  idle: isIdle,
  doubted: ({ doubt }) => doubt !== null,
  moved: ({ moved_to }) => moved_to !== null,
};

const BY_DKP: Sort = { id: 'dkp', ascending: false };

/** What the columns sort by; gains come by their keys. */
const figureOf = (id: string, row: Governor): number | null => {
  if (id === 'dkp' || id === 'since' || id === 'goal' || id === 'power' || id === 'efficiency' || id === 'percentile')
    return row[id];
  if (id === 'rank') return row.rank;
  return row.doubted.includes(id) ? null : (row.gains[id] ?? null);
};

/** The kingdom's governors: who fights, who is below the goal, who does not fight. */
export function RoomGovernors({
  id,
  meta,
  room,
  roster,
  search,
  change,
}: {
  id: string;
  meta: EventMeta;
  room: EventRoom;
  /** The reader's own, which the room counts by. */
  roster: readonly RosterEntry[];
  search: RoomSearch;
  change: ChangeRoom;
}) {
  const { governors } = room;
  const { governor } = GAME_NAMES[meta.game];
  const [query, setQuery] = useQueryText(search.q ?? '', (q) => change({ q, page: undefined }));
  const index = useTextMemo(
    () =>
      new RowIndex(
        governors.length,
        (row) => {
          const { name, tag, governor_id, renamed_from } = governors[row] as Governor;
          return `${name} ${tag ?? ''} ${governor_id} ${renamed_from ?? ''}`;
        },
        { name: (row) => governors[row]?.name ?? '' },
      ),
    [governors],
  );
  const { only: who, alliance } = search;
  const rows = useMemo(
    () =>
      index.all.filter((row) => {
        const one = governors[row] as Governor;
        return (who === undefined || WHO_HOLDS[who](one)) && (alliance === undefined || one.tag === alliance);
      }),
    [index, governors, who, alliance],
  );
  const values = useCallback(
    (by: string) => index.values(by, (row) => figureOf(by, governors[row] as Governor)),
    [index, governors],
  );
  const { order, shown, sort, onSort, sortHref, pager } = useIndexedPage({
    index,
    rows,
    values,
    query,
    search,
    change,
    usual: BY_DKP,
    usualSize: DEFAULT_SIZE,
  });
  const columns = useTextMemo(
    () => columnsOf(meta, room, standingsIn(room, roster), { open: search.open, change }),
    [meta, room, roster, search.open, change],
  );
  return (
    <div className={listing.listing}>
      <div className={listing.toolbar}>
        <SearchInput
          label={t('Search {many}', { many: words(governor.many) })}
          placeholder={t('Name, id or tag')}
          value={query}
          onChange={setQuery}
        />
        <Select
          aria-label={t('Who')}
          value={who ?? ''}
          data-set={who !== undefined || undefined}
          onChange={({ target }) => change({ only: ROOM_WHO.find((each) => each === target.value), page: undefined })}
        >
          <option value="">{t('Everybody')}</option>
          {ROOM_WHO.map((each) => (
            <option key={each} value={each}>
              {words(WHO_TITLE[each])}
            </option>
          ))}
        </Select>
        {alliance !== undefined && (
          <Button onClick={() => change({ alliance: undefined, page: undefined })}>
            <T of="{bdi}: show all" bdi={<bdi>{alliance}</bdi>} />
          </Button>
        )}
        <p className={listing.count} role="status">
          {countedOf(order.length, governors.length, governor)}
        </p>
        <Pager label={t('Pages')} {...pager} sizes={PAGE_SIZES} />
      </div>
      {order.length === 0 ? (
        <div className={listing.nothing}>
          <p>{t('Nobody here matches.')}</p>
          <Button onClick={() => change({ q: undefined, only: undefined, alliance: undefined, page: undefined })}>
            {t('Show everybody')}
          </Button>
        </div>
      ) : (
        <Table
          label={words(capital(governor.many))}
          columns={columns}
          rows={shown}
          rowId={(row) => governors[row]?.governor_id ?? row}
          sort={sort}
          onSort={onSort}
          sortHref={sortHref}
          detail={(row) =>
            governors[row]?.governor_id === search.open &&
            search.open !== undefined && (
              <Suspense fallback={<Skeleton height="8rem" />}>
                <WhyThisScore id={id} meta={meta} range={room.range} governor={search.open} weights={meta.weights} />
              </Suspense>
            )
          }
        />
      )}
    </div>
  );
}

/** Says what governors are in a roster, by id. */
function standingsIn({ governors }: EventRoom, roster: readonly RosterEntry[]): ReadonlyMap<number, string> {
  if (roster.length === 0) return new Map();
  const names = new Map(governors.map(({ governor_id, name }) => [governor_id, nameOr(name, String(governor_id))]));
  return new Map(
    roster.map(({ governor_id, role, main_id, note }) => {
      const standing =
        main_id === null
          ? t('{role, select, main {main} farm {farm} left {left} other {exempt}}', { role })
          : t('farm of {main}', { main: names.get(main_id) ?? String(main_id) });
      return [governor_id, note === '' ? standing : `${standing} (${note})`];
    }),
  );
}

function columnsOf(
  meta: EventMeta,
  room: EventRoom,
  standings: ReadonlyMap<number, string>,
  { open, change }: { open: number | undefined; change: ChangeRoom },
): Column<number>[] {
  const of = (row: number) => room.governors[row] as Governor;
  const titles = figureTitles(meta.game);
  const { roles } = GAME_NAMES[meta.game];
  const home = room.kingdom.split('-', 1)[0] ?? room.kingdom;
  const plain = (id: 'since' | 'power' | 'efficiency', title: string, about: string): Column<number> => ({
    id,
    title,
    about,
    figures: true,
    cell: (row) => (id === 'since' ? <Gain value={of(row).since} /> : <Standing value={of(row)[id]} />),
  });
  return [
    {
      id: 'rank',
      title: '#',
      about: t('Rank by DKP in the kingdom'),
      figures: true,
      ascending: true,
      cell: (row) => of(row).rank ?? '–',
    },
    {
      id: 'name',
      title: t('Name'),
      grow: true,
      sticky: true,
      ascending: true,
      cell: (row) => {
        const one = of(row);
        if (isRemovedId(one.governor_id)) return <RemovedName />;
        const isOpen = open === one.governor_id;
        return (
          <span className={styles.who}>
            <button
              type="button"
              className={styles.name}
              aria-expanded={isOpen}
              title={t('Why this score')}
              onClick={() => change({ open: isOpen ? undefined : one.governor_id })}
            >
              <PlayerName name={nameOr(one.name, String(one.governor_id))} />
            </button>
            <Under>
              {one.tag && (
                <>
                  <AllianceLink game={meta.game} kingdom={home} tag={one.tag} /> ·{' '}
                </>
              )}
              <GovernorLink game={meta.game} id={one.governor_id} name={String(one.governor_id)} />
              {one.renamed_from && <T of=" · was {name}" name={<PlayerName name={one.renamed_from} />} />}
              {one.moved_to && t(' · now in {moved_to}', { moved_to: one.moved_to })}
              {standings.has(one.governor_id) && ` · ${standings.get(one.governor_id)}`}
            </Under>
          </span>
        );
      },
    },
    {
      id: 'dkp',
      title: t('DKP'),
      about: t('Without unverified figures'),
      figures: true,
      cell: (row) => (
        <strong>
          <Gain value={of(row).dkp} raw={of(row).dkp_raw} doubt={of(row).doubt} />
        </strong>
      ),
    },
    ...(meta.goals.length > 0
      ? [
          {
            id: 'goal',
            title: t('Goal'),
            about: t('Percent of the DKP that this power is expected to reach'),
            figures: true,
            cell: (row: number) => goalCell(meta, of(row)),
          },
        ]
      : []),
    ...(room.since === null ? [] : [plain('since', t('Recent'), t('DKP since the scan that changes count from'))]),
    {
      id: 'percentile',
      title: t('Percentile'),
      about: t('Percent of the kingdom’s other governors who have less DKP'),
      figures: true,
      cell: (row) => (of(row).percentile === null ? '–' : percent(of(row).percentile)),
    },
    ...[...roles.tiers.slice(3), roles.deads].map(
      (key): Column<number> => ({
        id: key,
        title: titles[key] ?? key,
        about: t('Gained between the two scans'),
        figures: true,
        cell: (row) => <GovernorGain of={of(row)} figure={key} />,
      }),
    ),
    plain('efficiency', t('Per million'), t('DKP per million of power at the start')),
    plain('power', t('Power'), t('At the start')),
  ];
}

function goalCell({ goals }: EventMeta, { exempt, goal, power }: Governor) {
  if (exempt) return <span title={t('Has no goals')}>{t('exempt')}</span>;
  if (goal !== null) return percent(goal);
  const expected = power === null ? null : goalOf(goals, power)?.dkp;
  return (
    <span title={expected ? t('The score is unknown or unverified') : t('No goal is set for this power')}>
      {expected ? '?' : '–'}
    </span>
  );
}
