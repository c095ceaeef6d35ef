import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import {
  type BoardKind,
  boardTitle,
  DELAY_DAYS,
  DELAYED_TO,
  GATHERED,
  type Metric,
  metricsOf,
  metricTitle,
  ROWS_PER_PAGE,
  typeOf,
  WINDOW_DAYS,
} from '../../../domain/boards/leaderboard.ts';
import type { BoardInfo } from '../../../domain/boards/rows.ts';
import { DAY_MS, type Day } from '../../../domain/days.ts';
import { GAME_IDS, GAME_NAMES, type GameId } from '../../../domain/games/game-names.ts';
import { listed, t } from '../../../domain/language/text.ts';
import { boardDaysQuery, boardQuery } from '../../api/boards.ts';
import { Failure } from '../../components/failure.tsx';
import { Page } from '../../components/page.tsx';
import { date } from '../../format.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';
import tabs from '../../ui/tabs.module.css';
import { T } from '../../ui/text.tsx';
import { Time, useOwnTime } from '../../ui/time.tsx';
import styles from './-board.module.css';
import { BoardRows } from './-board-rows.tsx';
import { type BoardSearch, boardNeeds, metricFrom } from './-board-search.ts';
import { firstRowsQuery } from './-load-board.ts';

/** A public board: some rows in the order of the address, or all of them once the visitor searches or filters. */
export function Board({ kind, search }: { kind: BoardKind; search: BoardSearch }) {
  const client = useQueryClient();
  const needs = boardNeeds(kind, search);
  const { game, metric } = needs;
  const everything = boardQuery(needs);
  const hasAll = client.getQueryData(everything.queryKey) !== undefined;
  const part = useQuery({ ...firstRowsQuery(client, needs), enabled: !hasAll });
  const total = part.data?.info.total ?? 0;
  const all = useQuery({ ...everything, enabled: total > ROWS_PER_PAGE && needs.all });
  const whole = all.data ?? (part.data?.rankings.length === total ? part.data : undefined);
  const answer = whole ?? part.data;
  return (
    <Page
      title={boardTitle(game, kind)}
      about={<About kind={kind} info={answer?.info} />}
      actions={<Choices kind={kind} search={search} />}
    >
      {part.error && <Failure error={part.error} retry={() => void part.refetch()} busy={part.isFetching} />}
      {all.error && <Failure error={all.error} retry={() => void all.refetch()} busy={all.isFetching} />}
      {answer && answer.info.total === 0 ? (
        <NoBoardYet info={answer.info} kind={kind} game={game} />
      ) : (
        !part.error && (
          <BoardRows
            kind={kind}
            game={game}
            metric={metric}
            search={search}
            answer={answer}
            before={whole ? 0 : (part.data?.before ?? 0)}
            whole={whole !== undefined}
            failed={all.isError}
          />
        )
      )}
    </Page>
  );
}

/**
 * The specification's notices: the publication delay of governor and alliance boards, and the time of the kingdom
 * board.
 */
function About({ kind, info }: { kind: BoardKind; info: BoardInfo | undefined }) {
  const gathered = info?.captured_at ? <Time at={info.captured_at} /> : '…';
  return (
    <p className={styles.about}>
      {kind === 'kingdom' ? (
        <T of={GATHERED} time={gathered} />
      ) : (
        <T of={DELAYED_TO} days={DELAY_DAYS} day={info?.day ? <strong>{date(info.day)}</strong> : '…'} />
      )}
      {info?.by_file_time && ` ${byFileText(info.by_file_time)}`}
    </p>
  );
}

const MOST_NAMED = 6;

function byFileText(kingdoms: readonly number[]): string {
  const named = listed(kingdoms.slice(0, MOST_NAMED));
  const more = kingdoms.length - MOST_NAMED;
  return more > 0
    ? t('(Scans of {named} and {more} more do not say when they were made: the time of the file counts.)', {
        named,
        more: String(more),
      })
    : t('(Scans of {named} do not say when they were made: the time of the file counts.)', { named });
}

interface Young {
  info: BoardInfo;
  kind: BoardKind;
  game: GameId;
}

const NoBoardYet = (young: Young) => <Notice>{youngText(young, useOwnTime())}</Notice>;

/** Publication may be a day late; after this time there was nothing to rank. */
const LATE_MS = 2 * DAY_MS;

function youngText({ info: { since, first_publication }, kind, game }: Young, own: (at: number) => string): string {
  if (!since) return t('No scan of this game has been gathered yet. The board appears once there is one.');
  if (first_publication && first_publication < Date.now() - LATE_MS)
    return t(
      'Boards rank the scans of the last {days} days, and there were none. The next board appears after a new scan.',
      { days: WINDOW_DAYS },
    );
  const values = { kind, game, since: date(since) };
  return first_publication
    ? t(
        'Muster has gathered {kind, select, alliance {alliances} kingdom {{game, select, cod {servers} other {kingdoms}}} other {{game, select, cod {lords} other {governors}}}} since {since}. The first board appears on {time}.',
        { ...values, time: own(first_publication) },
      )
    : t(
        'Muster has gathered {kind, select, alliance {alliances} kingdom {{game, select, cod {servers} other {kingdoms}}} other {{game, select, cod {lords} other {governors}}}} since {since}. The first board appears after the delay.',
        values,
      );
}

function Choices({ kind, search }: { kind: BoardKind; search: BoardSearch }) {
  const { game = 'rok', day } = search;
  const metric = metricFrom(kind, search);
  const metrics = metricsOf(kind);
  const to = `/leaderboard/${kind}` as const;
  const asked = (id: GameId, by: Metric): BoardSearch => ({
    ...(id !== 'rok' && { game: id }),
    ...(by !== 'power' && { type: typeOf(id, by) }),
  });
  const tab = (on: boolean) =>
    ({ className: tabs.tab, 'data-on': on || undefined, 'aria-current': on ? 'page' : undefined }) as const;
  return (
    <div className={layout.wrap}>
      <nav className={tabs.tabs} aria-label={t('Game')}>
        {GAME_IDS.map((id) => (
          <Link key={id} to={to} search={asked(id, metric)} {...tab(id === game)}>
            {GAME_NAMES[id].name}
          </Link>
        ))}
      </nav>
      {metrics.length > 1 && (
        <nav className={tabs.tabs} aria-label={t('Ranked by')}>
          {metrics.map((each) => (
            <Link key={each} to={to} search={{ ...asked(game, each), day }} {...tab(each === metric)}>
              {metricTitle(game, each)}
            </Link>
          ))}
        </nav>
      )}
      <DayOfBoard kind={kind} game={game} day={day} />
    </div>
  );
}

/** Chooses the day. Each day is a new history entry, so Back returns to the previous one. */
function DayOfBoard({ kind, game, day }: { kind: BoardKind; game: GameId; day: Day | undefined }) {
  const navigate = useNavigate();
  const days = useQuery(boardDaysQuery({ kind, game })).data ?? [];
  const [newest] = days;
  return (
    <Select
      aria-label={t('Day')}
      className={styles.day}
      value={day ?? newest}
      disabled={days.length < 2}
      onChange={({ target: { value } }) =>
        void navigate({
          to: '.',
          search: (before: BoardSearch) => ({
            ...before,
            day: value === newest ? undefined : value,
            page: undefined,
          }),
          resetScroll: false,
        })
      }
    >
      {days.map((each) => (
        <option key={each} value={each}>
          {date(each)}
        </option>
      ))}
    </Select>
  );
}
