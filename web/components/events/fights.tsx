import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { GAME_NAMES } from '../../../domain/games/game-names.ts';
import { t, words } from '../../../domain/language/text.ts';
import { type EventLines, type EventMeta, type EventRoom, eventLinesQuery } from '../../api/events.ts';
import { LineChart } from '../../chart/line-chart.tsx';
import { capital, numbered } from '../../format.ts';
import type { Column } from '../../table/column.ts';
import { Table } from '../../table/table.tsx';
import { Skeletons } from '../../ui/skeleton.tsx';
import { useTextMemo } from '../../ui/use-locale.ts';
import { Gain, percent } from '../difference/gain.tsx';
import { useLinkTarget } from '../embedded.ts';
import { Failure } from '../failure.tsx';
import { Panel } from '../panel.tsx';
import { labelledMoments } from './event-words.ts';
import type { RoomSearch } from './room-search.ts';

/** A part of an event, between two of its key dates. */
interface Fight {
  name: string;
  start: number;
  end: number;
}

/** Splits a range at the event's key dates. */
export function fightsIn(meta: EventMeta, { start, end }: { start: number; end: number }): Fight[] {
  const labels = new Map(labelledMoments(meta).map(({ ts, label }) => [ts, label]));
  const cuts = [...new Set([start, ...[...labels.keys()].filter((ts) => ts > start && ts < end), end])];
  return cuts.slice(1).map((until, index) => {
    const from = cuts[index] as number;
    return {
      name: t('{from} to {until}', {
        from: labels.get(from) ?? t('Start'),
        until: labels.get(until) ?? (until === meta.snapshots.at(-1)?.ts ? t('newest scan') : t('end')),
      }),
      start: from,
      end: until,
    };
  });
}

/** Returns the labels of the key dates in a line's snapshots, by ISO 8601 time. */
export const marksOf = (meta: EventMeta): Record<string, string> =>
  Object.fromEntries(labelledMoments(meta).map(({ ts, label }) => [new Date(ts).toISOString(), label]));

/** What a kingdom gained in a fight, and its rank by that. */
interface Result extends Fight {
  dkp: number | null;
  rank: number | null;
  /** Percent of its camp's gain. */
  share: number | null;
}

/** The gain of a line between two of its snapshots. */
function gainIn({ ts }: EventLines, values: readonly (number | null)[] | undefined, { start, end }: Fight) {
  const [before, after] = [values?.[ts.indexOf(start)], values?.[ts.indexOf(end)]];
  return before == null || after == null ? null : after - before;
}

export function resultOf(meta: EventMeta, lines: EventLines, kingdom: string, fight: Fight): Result {
  const gain = (group: EventLines['camps'][string] | undefined) => gainIn(lines, group?.gained.dkp, fight);
  const own = gain(lines.kingdoms[kingdom]);
  const camp = gain(lines.camps[meta.kingdoms_to_camps[kingdom] ?? '']);
  const known = meta.kingdoms.flatMap((each) => gain(lines.kingdoms[each]) ?? []);
  return {
    ...fight,
    dkp: own,
    rank: own === null ? null : known.filter((other) => other > own).length + 1,
    share: own === null || camp === null || camp <= 0 ? null : (100 * own) / camp,
  };
}

/** What a kingdom gained between the event's key dates, and its line beside a rival's. */
export function Fights({ meta, room, rival }: { meta: EventMeta; room: EventRoom; rival: string | undefined }) {
  const { kingdom, range } = room;
  const lines = useQuery({
    ...eventLinesQuery(String(meta.dashboard_id), range, ['dkp']),
    enabled: range.start !== range.end,
  });
  const target = useLinkTarget();
  const { data } = lines;
  const drawn = useTextMemo(
    () =>
      data && {
        days: data.ts.map((ts) => new Date(ts).toISOString()),
        lines: [kingdom, ...(rival === undefined ? [] : [rival])].map((name) => ({
          label: name,
          values: (data.kingdoms[name] ?? data.camps[name])?.gained.dkp ?? [],
        })),
        marks: marksOf(meta),
      },
    [data, meta, kingdom, rival],
  );
  if (range.start === range.end) return null;
  if (lines.error) return <Failure error={lines.error} retry={() => void lines.refetch()} busy={lines.isFetching} />;
  if (!data || !drawn) return <Skeletons what={t('the fights')} heights={['20rem']} />;
  const results = fightsIn(meta, range).map((fight) => resultOf(meta, data, kingdom, fight));
  const columns: Column<Result>[] = [
    {
      id: 'name',
      title: t('Fight'),
      grow: true,
      sticky: true,
      cell: ({ name, start, end }) => (
        <Link
          to="."
          search={(before: RoomSearch) => ({ ...before, start, end, since: undefined, page: undefined })}
          {...target}
        >
          {name}
        </Link>
      ),
    },
    { id: 'dkp', title: t('DKP'), figures: true, cell: ({ dkp }) => <Gain value={dkp} /> },
    { id: 'rank', title: t('Rank'), figures: true, cell: ({ rank }) => (rank === null ? '–' : numbered(rank)) },
    { id: 'share', title: t('Share of the camp'), figures: true, cell: ({ share }) => percent(share) },
  ];
  return (
    <>
      {results.length > 1 && (
        <Panel
          title={t('Fights')}
          about={t('What the {one} gained between key dates', { one: words(GAME_NAMES[meta.game].kingdom.one) })}
        >
          <Table label={t('Fights')} columns={columns} rows={results} rowId={({ start }) => start} />
        </Panel>
      )}
      <LineChart
        label={t('DKP of {one} {kingdom}', { one: words(capital(GAME_NAMES[meta.game].kingdom.one)), kingdom })}
        {...drawn}
        opens
      />
    </>
  );
}
