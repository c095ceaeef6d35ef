import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { dayStart } from '../../domain/days.ts';
import { monthDay } from '../../domain/figures.ts';
import { GAMES } from '../../domain/games/games.ts';
import { grouped } from '../../domain/language/formats.ts';
import { message, t, words } from '../../domain/language/text.ts';
import { type Trends, trendsQuery } from '../api/admin.ts';
import { Bars } from '../chart/bars.tsx';
import { compact, date, exact, usd } from '../format.ts';
import type { Column } from '../table/column.ts';
import { Table } from '../table/table.tsx';
import { Progress } from '../ui/progress.tsx';
import { T } from '../ui/text.tsx';
import { Time } from '../ui/time.tsx';
import { Loaded } from './loaded.tsx';
import { Nothing, Panel, Panels } from './panel.tsx';
import styles from './service-trends.module.css';

type Day = Trends['days'][number];
type Kingdom = Trends['kingdoms'][number];

const CHARTS: readonly { of: Exclude<keyof Day, 'day'>; label: string; exact: (value: number) => string }[] = [
  { of: 'users', label: message('New users'), exact },
  { of: 'orders', label: message('Orders'), exact },
  { of: 'governors', label: message('Governors scanned'), exact },
  { of: 'revenue', label: message('Net revenue'), exact: usd },
];

const TICK_EVERY = 10;

function DayChart({ days, of, label, exact: show }: { days: readonly Day[] } & (typeof CHARTS)[number]) {
  const total = days.reduce((sum, day) => sum + day[of], 0);
  const short = of === 'revenue' ? show : compact;
  return (
    <Bars
      framed
      label={words(label)}
      nameOf={[t('Day'), words(label)]}
      // Sums of dollars carry fractions of a cent.
      reading={t('{total} in 30 days', { total: short(Math.round(total * 100) / 100) })}
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
    title: message('Kingdom'),
    cell: ({ game, kingdom_id }) => (
      <Link to="/admin/orders" search={{ game, kingdom: kingdom_id }}>
        {GAMES[game].name} · {kingdom_id}
      </Link>
    ),
  },
  { id: 'items', title: message('Items'), figures: true, cell: ({ items }) => exact(items) },
  { id: 'revenue', title: message('Net revenue'), figures: true, grow: true, cell: ({ revenue }) => usd(revenue) },
];

const GB = 1_000_000_000;
const size = (bytes: number): string =>
  bytes >= GB ? `${grouped((bytes / GB).toFixed(1))} GB` : `${grouped((bytes / 1e6).toFixed(1))} MB`;

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
          label={t('Database')}
          used={database_bytes}
          limit={database_limit}
          note={t('{size} of at most {limit}', { size: size(database_bytes), limit: size(database_limit) })}
        />
        <Used
          label={t('Rows written this month, estimated')}
          used={rows}
          limit={rows_included}
          note={t('{used} of {limit} included', { used: exact(rows), limit: exact(rows_included) })}
        />
        {objects && (
          <Used
            label={t('Objects in the bucket')}
            used={objects.bytes}
            limit={objects_included}
            note={t('{count}, {used} of {limit} included', {
              count: exact(objects.count),
              used: size(objects.bytes),
              limit: size(objects_included),
            })}
          />
        )}
      </dl>
      <p>
        <T
          of="This month will cost about {cost} with {rows} rows written. Visits to pages are not in it."
          cost={<strong>{usd(platform.month_cost)}</strong>}
          rows={exact(month_rows)}
        />{' '}
        {objects ? (
          <T of="Objects were counted by the backup of {time}." time={<Time at={Date.parse(objects.at)} />} />
        ) : (
          t('Objects are counted by the first backup.')
        )}
      </p>
    </>
  );
}

/** Charts of the last 30 days, the kingdoms ordered most, and what the platform is used for. */
export function TrendsPanels() {
  const trends = useQuery(trendsQuery);
  return (
    <Loaded query={trends} what={t('the last 30 days')} heights={['20rem', '16rem']}>
      {({ days, kingdoms, platform }) => (
        <>
          <Panels>
            {CHARTS.map((chart) => (
              <DayChart key={chart.of} days={days} {...chart} />
            ))}
          </Panels>
          <Panels>
            <Panel title={t('Top kingdoms')} about={t('By items ordered in the last 30 days.')}>
              {kingdoms.length === 0 ? (
                <Nothing>{t('Nothing was ordered.')}</Nothing>
              ) : (
                <Table
                  label={t('Top kingdoms')}
                  columns={COLUMNS}
                  rows={kingdoms}
                  rowId={({ game, kingdom_id }) => `${game} ${kingdom_id}`}
                />
              )}
            </Panel>
            <div id="platform">
              <Panel title={t('Platform')} about={t('Estimates from docs/costs.md.')}>
                <Platform platform={platform} />
              </Panel>
            </div>
          </Panels>
        </>
      )}
    </Loaded>
  );
}
