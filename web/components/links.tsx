import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import type { GameId } from '../../domain/games/game-names.ts';
import { isSignedIn } from '../api/account.ts';
import { nameOr } from '../format.ts';
import { PlayerName } from '../ui/player-name.tsx';

/**
 * Where names, tags and numbers lead, on every page and in every table alike. A visitor gets them as plain text: behind
 * them are pages of users, and what is public of a row opens where it stands.
 */

const inGame = (path: string, game: GameId): string => (game === 'rok' ? path : `${path}?game=${game}`);

export const governorPath = (game: GameId, id: number | string): string => inGame(`/players/${id}`, game);

export const alliancePath = (game: GameId, kingdom: number | string, tag: string): string =>
  inGame(`/alliances/${kingdom}/${encodeURIComponent(tag)}`, game);

export const kingdomPath = (game: GameId, id: number | string): string => inGame(`/kingdoms/${id}`, game);

/**
 * A light link. The router's own listens to every change of the address, looks ahead at what is pointed at, and is
 * measured in tenths of a millisecond; a table in motion draws a hundred of these between two frames.
 */
export function Lead({ to, className, children }: { to: string; className?: string; children: ReactNode }) {
  const router = useRouter();
  const client = useQueryClient();
  if (!isSignedIn(client)) return children;
  const follow = (event: MouseEvent) => {
    // Every other click is the browser's: another tab, another window, a download.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    router.history.push(to);
  };
  return (
    <a href={to} onClick={follow} className={className}>
      {children}
    </a>
  );
}

/** A governor's name, or the id where the name has nothing to see, leading to the governor's page. */
export const GovernorLink = ({ game, id, name }: { game: GameId; id: number; name: string }) => (
  <Lead to={governorPath(game, id)}>
    <PlayerName name={nameOr(name, String(id))} />
  </Lead>
);

/** An alliance's tag, leading to the alliance's page; nothing for who is in none. */
export const AllianceLink = ({ game, kingdom, tag }: { game: GameId; kingdom: number | string; tag: string }) =>
  tag === '' ? null : (
    <Lead to={alliancePath(game, kingdom, tag)}>
      <PlayerName name={tag} />
    </Lead>
  );

/** A kingdom's number, or other words for it, leading to the kingdom's page. */
export const KingdomLink = ({ game, id, children }: { game: GameId; id: number | string; children?: ReactNode }) => (
  <Lead to={kingdomPath(game, id)}>{children ?? id}</Lead>
);
