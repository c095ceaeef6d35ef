import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { GAMES } from '../../../../domain/games/games.ts';
import { nearGovernorsQuery } from '../../../api/pages.ts';
import { gameSearch } from '../../../components/game-search.ts';
import { NotFoundPage } from '../../../components/not-found.tsx';
import { PlayerName } from '../../../ui/player-name.tsx';

/** An id that nobody has: the not-found page, with those who are near. */
export function UnknownGovernor({ id, message }: { id: string; message: string }) {
  const near = useQuery({ ...nearGovernorsQuery(id), enabled: /^[1-9]\d{0,14}$/.test(id) });
  return (
    <NotFoundPage>
      <p>{message}</p>
      {near.data && near.data.length > 0 && (
        <>
          <h2>Known ids near it</h2>
          <ul>
            {near.data.map(({ game, governor_id, name, kingdom_id }) => (
              <li key={`${game} ${governor_id}`}>
                <Link to="/players/$id" params={{ id: String(governor_id) }} search={gameSearch(game)}>
                  {governor_id} <PlayerName name={name} />
                </Link>{' '}
                of {GAMES[game].kingdom.one} {kingdom_id}, {GAMES[game].name}
              </li>
            ))}
          </ul>
        </>
      )}
    </NotFoundPage>
  );
}
