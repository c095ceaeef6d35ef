import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { GAMES, type GameId } from '../../../../domain/games/games.ts';
import { t, words } from '../../../../domain/language/text.ts';
import { nearGovernorsQuery } from '../../../api/pages.ts';
import { gameSearch } from '../../../components/game-search.ts';
import { More } from '../../../components/more.tsx';
import { NotFoundPage } from '../../../components/not-found.tsx';
import { OwnReadings, useOwnReadings } from '../../../components/own-scans.tsx';
import { Page } from '../../../components/page.tsx';
import { nameOr } from '../../../format.ts';
import { PlayerName } from '../../../ui/player-name.tsx';
import { Skeletons } from '../../../ui/skeleton.tsx';
import { T } from '../../../ui/text.tsx';

/** Page of an id unknown to the service: the user's own readings, or the not-found page with ids near it. */
export function UnknownGovernor({ id, game, message }: { id: string; game: GameId; message: string }) {
  const near = useQuery({ ...nearGovernorsQuery(id), enabled: /^[1-9]\d{0,14}$/.test(id) });
  const { line, readings } = useOwnReadings(game, id);
  if (readings === null)
    return (
      <Page title={t('Player {id}', { id })}>
        <Skeletons what={t('the player')} heights={['18rem']} />
      </Page>
    );
  const [newest] = readings;
  if (newest)
    return (
      <Page
        title={nameOr(newest.name, id)}
        about={
          <p>
            <T of="ID {id}. Only your own scans include this player." id={id} />
          </p>
        }
      >
        <OwnReadings game={game} readings={readings} />
        <More of={line}>{t('Older scans')}</More>
      </Page>
    );
  return (
    <NotFoundPage>
      <p>{message}</p>
      {near.data && near.data.length > 0 && (
        <>
          <h2>{t('Known ids nearby')}</h2>
          <ul>
            {near.data.map(({ game, governor_id, name, kingdom_id }) => (
              <li key={`${game} ${governor_id}`}>
                <T
                  of="{link} of {one} {kingdom_id}, {name}"
                  link={
                    <Link to="/players/$id" params={{ id: String(governor_id) }} search={gameSearch(game)}>
                      {governor_id} <PlayerName name={name} />
                    </Link>
                  }
                  one={words(GAMES[game].kingdom.one)}
                  kingdom_id={String(kingdom_id)}
                  name={GAMES[game].name}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </NotFoundPage>
  );
}
