import { useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import type { GameId } from '../../domain/games/game-names.ts';
import { nameOr } from '../format.ts';
import { isPlainClick } from '../ui/plain-click.ts';
import { PlayerName } from '../ui/player-name.tsx';
import { useSignedIn } from './signed-in.tsx';

/**
 * Links of names, tags and numbers, shared by all pages and tables. Visitors see plain text, because the targets
 * require signing in.
 */

const inGame = (path: string, game: GameId): string => (game === 'rok' ? path : `${path}?game=${game}`);

export const governorPath = (game: GameId, id: number | string): string => inGame(`/players/${id}`, game);

export const alliancePath = (game: GameId, kingdom: number | string, tag: string): string =>
  inGame(`/alliances/${kingdom}/${encodeURIComponent(tag)}`, game);

export const kingdomPath = (game: GameId, id: number | string): string => inGame(`/kingdoms/${id}`, game);

/**
 * A lightweight link. The router's `Link` subscribes to navigation, preloads, and takes tenths of a millisecond to
 * render; a scrolling table renders a hundred links between two frames.
 */
export function Lead({ to, className, children }: { to: string; className?: string; children: ReactNode }) {
  const router = useRouter();
  if (!useSignedIn()) return children;
  const follow = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    router.history.push(to);
  };
  return (
    <a href={to} onClick={follow} className={className}>
      {children}
    </a>
  );
}

/** Links a governor's name, or the id if the name has no visible characters. */
export const GovernorLink = ({ game, id, name }: { game: GameId; id: number; name: string }) => (
  <Lead to={governorPath(game, id)}>
    <PlayerName name={nameOr(name, String(id))} />
  </Lead>
);

/** Links an alliance's tag; renders nothing for governors without an alliance. */
export const AllianceLink = ({ game, kingdom, tag }: { game: GameId; kingdom: number | string; tag: string }) =>
  tag === '' ? null : (
    <Lead to={alliancePath(game, kingdom, tag)}>
      <PlayerName name={tag} />
    </Lead>
  );

/** Links a kingdom's number, or the given children. */
export const KingdomLink = ({ game, id, children }: { game: GameId; id: number | string; children?: ReactNode }) => (
  <Lead to={kingdomPath(game, id)}>{children ?? id}</Lead>
);
