import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { dayStart } from '../../domain/days.ts';
import { monthDay } from '../../domain/figures.ts';
import { GAMES } from '../../domain/games/games.ts';
import { centsOf } from '../../domain/money/money.ts';
import { type Trends, trendsQuery } from '../api/admin.ts';
import { Bars } from '../chart/bars.tsx';
import { compact, date, exact, money } from '../format.ts';
import type { Column } from '../table/column.ts';
import { Table } from '../table/table.tsx';
import { Progress } from '../ui/progress.tsx';
import { Time } from '../ui/time.tsx';
import { Loaded } from './loaded.tsx';
import { Nothing, Panel, Panels } from './panel.tsx';
import styles from './service-trends.module.css';

type Day = Trends['days'][number];
type Kingdom = Trends['kingdoms'][number];

const usd = (dollars: number): string => money(centsOf(dollars) ?? 0);

const CHARTS: readonly { of: Exclude<keyof Day, 'day'>; label: string; exact: (value: number) => string }[] = [
  { of: 'users', label: 'New users', exact },
  { of: 'orders', label: 'Orders', exact },
  { of: 'governors', label: 'Governors scanned', exact },
  { of: 'revenue', label: 'Net revenue', exact: usd },
];

const TICK_EVERY = 10;

function DayChart({ days, of, label, exact: show }: { days: readonly Day[] } & (typeof CHARTS)[number]) {
  const total = days.reduce((sum, day) => sum + day[of], 0);
  const short = of === 'revenue' ? show : compact;
  return (
    <Bars
      framed
      label={label}
      nameOf={['Day', label]}
      // Sums of dollars carry fractions of a cent.
      reading={`${short(Math.round(total * 100) / 100)} in 30 days`}
      bars={days.map((day, index) => ({
        name: date(day.day),
        tick: index % TICK_EVERY === 0 ? monthDay(dayStart(day.day)) : '',
        value: day[of],
      }))}
      show={short}
      exact={show}
    />
  );
}

const COLUMNS: readonly Column<Kingdom>[] = [
  {
    id: 'kingdom',
    title: 'Kingdom',
    cell: ({ game, kingdom_id }) => (
      <Link to="/admin/orders" search={{ game, kingdom: kingdom_id }}>
        {GAMES[game].name}, {kingdom_id}
      </Link>
    ),
  },
  { id: 'items', title: 'Items', figures: true, cell: ({ items }) => exact(items) },
  { id: 'revenue', title: 'Net revenue', figures: true, grow: true, cell: ({ revenue }) => usd(revenue) },
];

const GB = 1_000_000_000;
const size = (bytes: number): string =>
  bytes >= GB ? `${(bytes / GB).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`;

/** A share of a limit. A small one that is not zero is shown as one percent. */
function Used({ label, used, limit, note }: { label: string; used: number; limit: number; note: string }) {
  const percent = Math.min(100, Math.ceil((used * 100) / limit));
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Progress label={label} percent={percent} note={note} />
      </dd>
    </div>
  );
}

function Platform({ platform }: { platform: Trends['platform'] }) {
  const { database_bytes, database_limit, rows, month_rows, rows_included, objects, objects_included } = platform;
  return (
    <>
      <dl className={styles.limits}>
        <Used
          label="Database"
          used={database_bytes}
          limit={database_limit}
          note={`${size(database_bytes)} of at most ${size(database_limit)}`}
        />
        <Used
          label="Rows written this month, estimated"
          used={rows}
          limit={rows_included}
          note={`${compact(rows)} of ${compact(rows_included)} included`}
        />
        {objects && (
          <Used
            label="Objects in the bucket"
            used={objects.bytes}
            limit={objects_included}
            note={`${exact(objects.count)}, ${size(objects.bytes)} of ${size(objects_included)} included`}
          />
        )}
      </dl>
      <p>
        This month will cost about <strong>{usd(platform.month_cost)}</strong> with {compact(month_rows)} rows written.
        Visits to pages are not in it.{' '}
        {objects ? (
          <>
            Objects were counted by the backup of <Time at={Date.parse(objects.at)} />.
          </>
        ) : (
          'Objects are counted by the first backup.'
        )}
      </p>
    </>
  );
}

/** Charts of the last 30 days, the kingdoms ordered most, and what the platform is used for. */
export function TrendsPanels() {
  const trends = useQuery(trendsQuery);
  return (
    <Loaded query={trends} what="the last 30 days" heights={['20rem', '16rem']}>
      {({ days, kingdoms, platform }) => (
        <>
          <Panels>
            {CHARTS.map((chart) => (
              <DayChart key={chart.of} days={days} {...chart} />
            ))}
          </Panels>
          <Panels>
            <Panel title="Top kingdoms" about="By items ordered in the last 30 days.">
              {kingdoms.length === 0 ? (
                <Nothing>Nothing was ordered.</Nothing>
              ) : (
                <Table
                  label="Top kingdoms"
                  columns={COLUMNS}
                  rows={kingdoms}
                  rowId={({ game, kingdom_id }) => `${game} ${kingdom_id}`}
                />
              )}
            </Panel>
            <div id="platform">
              <Panel title="Platform" about="Estimates from docs/costs.md.">
                <Platform platform={platform} />
              </Panel>
            </div>
          </Panels>
        </>
      )}
    </Loaded>
  );
}
