import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { type BoardId, boardOf, metricTitle } from '../../../domain/boards/leaderboard.ts';
import { GAME_IDS, GAMES, type GameId } from '../../../domain/games/games.ts';
import { listed, message, t, words } from '../../../domain/language/text.ts';
import { type Boards, boardsQuery, publishBoards } from '../../api/admin.ts';
import { textOf } from '../../components/entry-page.tsx';
import { FormCard } from '../../components/form-card.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Nothing, Panel } from '../../components/panel.tsx';
import { capital, counted, date, exact } from '../../format.ts';
import { game, searchReader } from '../../search-params.ts';
import type { Column } from '../../table/column.ts';
import { Table, Under } from '../../table/table.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import tabs from '../../ui/tabs.module.css';
import { Time } from '../../ui/time.tsx';
import { Act } from './-act.tsx';

const boardsSearch = searchReader({ game });

export const Route = createFileRoute('/admin/boards')({
  validateSearch: boardsSearch,
  loader: ({ context }) => {
    void context.client.prefetchQuery(boardsQuery);
  },
  component: BoardsDesk,
});

type PublishedDay = Boards['days'][number];

/** A board of a day, for a row of the table. */
interface BoardRow {
  day: PublishedDay;
  board: BoardId;
  total: number;
  bytes: number | undefined;
  /** Whether it is the first of its day, which shows what is about the whole day. */
  first: boolean;
}

const rowsOf = (days: readonly PublishedDay[]): BoardRow[] =>
  days.flatMap((day) =>
    (Object.entries(day.boards) as [BoardId, { total: number; bytes?: number | undefined }][]).map(
      ([board, { total, bytes }], index) => ({ day, board, total, bytes, first: index === 0 }),
    ),
  );

const COLUMNS: readonly Column<BoardRow>[] = [
  {
    id: 'day',
    title: message('Day'),
    sticky: true,
    cell: ({ day, first }) => first && date(day.day),
  },
  {
    id: 'board',
    title: message('Board'),
    grow: true,
    wraps: true,
    cell: ({ day, board }) => {
      const { kind, metric } = boardOf(board);
      return t('{kind} by {metric}', {
        kind: words(capital(GAMES[day.game][kind].many)),
        metric: metricTitle(day.game, metric),
      });
    },
  },
  { id: 'rows', title: message('Rows'), figures: true, cell: ({ total }) => exact(total) },
  {
    id: 'bytes',
    title: message('kB'),
    about: message('Stored size, compressed'),
    figures: true,
    cell: ({ bytes }) => (bytes === undefined ? '?' : exact(Math.ceil(bytes / 1000))),
    hint: ({ bytes }) => (bytes === undefined ? t('Published by an earlier release.') : exact(bytes)),
  },
  {
    id: 'built',
    title: message('Built'),
    cell: ({ day, first }) =>
      first && (
        <>
          <Time at={day.published_at} />
          {day.built_ms !== undefined && (
            <Under>{t('in {seconds} s', { seconds: exact(Math.ceil(day.built_ms / 1000)) })}</Under>
          )}
          {day.stale && <Under>{t('A scan came in later: the night builds it again.')}</Under>}
        </>
      ),
  },
  {
    id: 'acts',
    title: '',
    cell: ({ day, first }) => first && <Again day={day} />,
  },
];

const publishedText = ({ game: of, day, counts }: Awaited<ReturnType<typeof publishBoards>>): string =>
  t('{game}, {day}: {governors} of {kingdoms} ranked.', {
    game: GAMES[of].name,
    day: date(day),
    governors: counted(counts.governors, GAMES[of].governor.one),
    kingdoms: counted(counts.kingdoms, GAMES[of].kingdom.one),
  });

const AGAIN = message(
  'Builds all five boards of a game and day from the scans known by now. The present boards stay until the new ones are complete.',
);

const Again = ({ day: { game: of, day } }: { day: PublishedDay }) => (
  <Act
    label={t('Publish again')}
    title={t('Publish again: {game}, {day}', { game: GAMES[of].name, day: date(day) })}
    about={t(AGAIN)}
    reason={false}
    act={async () => {
      await publishBoards(of, day);
      // The row shows when it was built.
      return null;
    }}
  />
);

/** Publishes any day, also one that is not in the list. */
function AnyDay({ from, to }: { from: string; to: string }) {
  const client = useQueryClient();
  const publishing = useMutation({
    mutationFn: (form: FormData) => publishBoards(textOf(form, 'game') as GameId, textOf(form, 'day')),
    onSuccess: () => client.invalidateQueries({ queryKey: boardsQuery.queryKey }),
  });
  return (
    <FormCard
      title={t("Publish a day's boards again")}
      about={t(AGAIN)}
      action={t('Publish again')}
      sending={publishing}
      done={publishing.data && publishedText(publishing.data)}
      onSubmit={publishing.mutate}
    >
      <SelectField label={t('Game')} name="game" options={GAME_IDS} shown={(id) => GAMES[id].name} />
      <TextField label={t('Day')} name="day" type="date" required min={from} max={to} defaultValue={to} />
    </FormCard>
  );
}

function BoardsDesk() {
  const boards = useQuery(boardsQuery);
  const { game: shown = 'rok' } = Route.useSearch();
  return (
    <>
      <title>{t('Boards · Muster')}</title>
      <nav className={tabs.tabs} aria-label={t('Games')}>
        {GAME_IDS.map((id) => (
          <Link
            key={id}
            to="/admin/boards"
            search={id === 'rok' ? {} : { game: id }}
            className={tabs.tab}
            data-on={id === shown || undefined}
            aria-current={id === shown ? 'page' : undefined}
          >
            {GAMES[id].name}
          </Link>
        ))}
      </nav>
      <Loaded query={boards} what={t('the boards')} heights={['20rem']}>
        {({ days, missing, rebuildable }) => (
          <>
            <Missing days={missing.filter(({ game: of }) => of === shown).map(({ day }) => day)} />
            <Panel
              title={t('Published boards')}
              about={t('Governors and alliances are shown to the public after seven days.')}
            >
              <Published days={days.filter(({ game: of }) => of === shown)} />
            </Panel>
            <AnyDay {...rebuildable} />
          </>
        )}
      </Loaded>
    </>
  );
}

const Published = ({ days }: { days: readonly PublishedDay[] }) =>
  days.length === 0 ? (
    <Nothing>{t('Nothing is published yet: the first board comes the night after the first scan.')}</Nothing>
  ) : (
    <Table
      label={t('Published boards')}
      columns={COLUMNS}
      rows={rowsOf(days)}
      rowId={({ day, board }) => `${day.day}/${board}`}
    />
  );

const Missing = ({ days }: { days: readonly string[] }) =>
  days.length > 0 && (
    <Notice>
      {t('The night has still to build {days, plural, one {# day} other {# days}}: {first}.', {
        days: days.length,
        first: listed(days.slice(0, 5).map(date)),
      })}
    </Notice>
  );
