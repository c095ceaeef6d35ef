import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { GameId } from '../../domain/games/game-names.ts';
import { nameOr } from '../format.ts';
import { buttonClass } from '../ui/button.tsx';
import { PlayerName } from '../ui/player-name.tsx';
import { gameSearch } from './game-search.ts';

/** Where names, tags and numbers lead, on every page alike. */

/** A governor's name, or the id where the name has nothing to see, leading to the governor's page. */
export const GovernorLink = ({ game, id, name }: { game: GameId; id: number; name: string }) => (
  <Link to="/players/$id" params={{ id: String(id) }} search={gameSearch(game)}>
    <PlayerName name={nameOr(name, String(id))} />
  </Link>
);

/** An alliance's tag, leading to the alliance's page; nothing for who is in none. */
export const AllianceLink = ({ game, kingdom, tag }: { game: GameId; kingdom: number; tag: string }) =>
  tag === '' ? null : (
    <Link to="/alliances/$kingdomId/$tag" params={{ kingdomId: String(kingdom), tag }} search={gameSearch(game)}>
      <PlayerName name={tag} />
    </Link>
  );

/** A kingdom's number, or other words for it, leading to the kingdom's page. */
export const KingdomLink = ({ game, id, children }: { game: GameId; id: number | string; children?: ReactNode }) => (
  <Link to="/kingdoms/$kingdomId" params={{ kingdomId: String(id) }} search={gameSearch(game)}>
    {children ?? id}
  </Link>
);

/** The way to a kingdom's scans in one's library, where two of them are chosen to be compared. */
export const CompareScans = ({ game, kingdom }: { game: GameId; kingdom: number }) => (
  <Link to="/scans" search={{ game, of: kingdom }} className={buttonClass()}>
    Compare<span className="visually-hidden"> scans of {kingdom}</span>
  </Link>
);
