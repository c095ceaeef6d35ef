import { useQuery } from '@tanstack/react-query';
import type { BoardKind } from '../../../domain/boards/leaderboard.ts';
import type { Day } from '../../../domain/days.ts';
import type { GameId } from '../../../domain/games/game-names.ts';
import { t } from '../../../domain/language/text.ts';
import { rowDaysQuery } from '../../api/boards.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Lines } from './-row-days.tsx';

/** History of a profile on the board by power. */
export default function ProfileDays({
  game,
  kind,
  rank,
  day,
}: {
  game: GameId;
  kind: BoardKind;
  rank: number;
  day: Day;
}) {
  const days = useQuery(rowDaysQuery({ kind, game, metric: 'power' }, rank, day));
  return (
    <Loaded query={days} what={t('the days before')} heights={['18rem']}>
      {(known) => <Lines days={known} kind={kind} game={game} metric="power" />}
    </Loaded>
  );
}
