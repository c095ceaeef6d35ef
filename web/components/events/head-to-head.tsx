import { useQuery } from '@tanstack/react-query';
import { GAME_NAMES } from '../../../domain/games/game-names.ts';
import { t, words } from '../../../domain/language/text.ts';
import { type EventMeta, type EventRoom, eventRoomQuery } from '../../api/events.ts';
import { capital, exact } from '../../format.ts';
import type { Column } from '../../table/column.ts';
import { Table } from '../../table/table.tsx';
import { Select } from '../../ui/select.tsx';
import { Gain, Standing } from '../difference/gain.tsx';
import { Panel } from '../panel.tsx';
import type { ChangeRoom, RoomSearch } from './room-search.ts';

/** A figure of both sides. Null if unknown. */
interface Line {
  title: string;
  own: number | null;
  other: number | null;
  /** True for counts, which are shown in full. */
  isCount?: true;
}

const sum = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
};

/** Figures that kingdoms and camps share. */
function sharedLines(room: EventRoom, others: EventRoom['standings']): Line[] {
  const own = room.standings.find(({ kingdom }) => kingdom === room.kingdom);
  const [dkp, power] = [sum(others.map((each) => each.dkp)), sum(others.map((each) => each.power))];
  return [
    { title: t('DKP'), own: room.dkp, other: dkp },
    { title: t('Power at the start'), own: own?.power ?? null, other: power },
    {
      title: t('DKP per million of power'),
      own: room.efficiency,
      other: dkp === null || !power ? null : dkp / (power / 1e6),
    },
    {
      title: t('Unverified, excluded'),
      own: room.left_out,
      other: sum(others.map((each) => each.left_out)),
      isCount: true,
    },
  ];
}

/** Figures that only war rooms have. */
function roomLines(meta: EventMeta, own: EventRoom, other: EventRoom): Line[] {
  const { tiers, deads } = GAME_NAMES[meta.game].roles;
  const gain = (title: string, key: string): Line => ({
    title,
    own: own.gains[key] ?? null,
    other: other.gains[key] ?? null,
  });
  const count = (title: string, of: (room: EventRoom) => number): Line => ({
    title,
    own: of(own),
    other: of(other),
    isCount: true,
  });
  return [
    gain(t('T4 kills'), tiers[3]),
    gain(t('T5 kills'), tiers[4]),
    gain(t('Deads'), deads),
    count(t('Fighting'), ({ counts }) => counts.fighting),
    count(t('Did not fight'), ({ counts }) => counts.idle),
    count(t('Below goal'), ({ counts }) => counts.below_goal),
    count(
      t('{game, select, cod {Lords in both scans} other {Governors in both scans}}', { game: meta.game }),
      ({ common }) => common,
    ),
  ];
}

/** Returns the kingdom or camp that a war room is compared with: the chosen one, otherwise the best of the others. */
export const rivalOf = (room: EventRoom, { against }: RoomSearch): string | undefined =>
  against ?? room.standings.find(({ kingdom }) => kingdom !== room.kingdom)?.kingdom;

/** Compares the kingdom with another one, or with a camp, figure by figure. */
export function HeadToHead({
  meta,
  room,
  search,
  change,
}: {
  meta: EventMeta;
  room: EventRoom;
  search: RoomSearch;
  change: ChangeRoom;
}) {
  const { kingdom: noun } = GAME_NAMES[meta.game];
  const rivals = room.standings.filter(({ kingdom }) => kingdom !== room.kingdom);
  const chosen = rivalOf(room, search) ?? '';
  const isCamp = meta.camps.includes(chosen);
  const others = room.standings.filter(({ kingdom, camp }) => (isCamp ? camp : kingdom) === chosen);
  const other = useQuery({
    ...eventRoomQuery(String(meta.dashboard_id), chosen, room.range),
    enabled: !isCamp && others.length > 0,
  }).data;
  if (rivals.length === 0) return null;
  const lines = [...sharedLines(room, others), ...(other && !isCamp ? roomLines(meta, room, other) : [])];
  const figures = (value: number | null, { isCount }: Line) =>
    isCount && value !== null ? exact(value) : <Standing value={value} />;
  const columns: Column<Line>[] = [
    { id: 'title', title: t('Figure'), grow: true, sticky: true, cell: ({ title }) => title },
    { id: 'own', title: room.kingdom, figures: true, cell: (line) => figures(line.own, line) },
    { id: 'other', title: chosen, figures: true, cell: (line) => figures(line.other, line) },
    {
      id: 'ahead',
      title: t('Difference'),
      figures: true,
      cell: ({ own, other: theirs }) => <Gain value={own === null || theirs === null ? null : own - theirs} />,
    },
  ];
  return (
    <Panel
      title={t('Head to head')}
      about={
        <Select aria-label={t('Against')} value={chosen} onChange={({ target }) => change({ against: target.value })}>
          <optgroup label={words(capital(noun.many))}>
            {rivals.map(({ kingdom }) => (
              <option key={kingdom}>{kingdom}</option>
            ))}
          </optgroup>
          <optgroup label={t('Camps')}>
            {meta.camps.map((camp) => (
              <option key={camp} value={camp}>
                {words(camp)}
              </option>
            ))}
          </optgroup>
        </Select>
      }
    >
      <Table label={t('Head to head')} columns={columns} rows={lines} rowId={({ title }) => title} />
    </Panel>
  );
}
