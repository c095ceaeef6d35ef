import { type AnyRouter, useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import { isRemovedId, type Profiled, profilePath, REMOVED_NAME } from '../../domain/boards/profile.ts';
import { type GameId, inGame } from '../../domain/games/game-names.ts';
import { locale } from '../../domain/language/current.ts';
import { addressIn } from '../../domain/language/public-paths.ts';
import { t, words } from '../../domain/language/text.ts';
import { nameOr } from '../format.ts';
import { useSettings } from '../page-settings.ts';
import { isPlainClick } from '../ui/plain-click.ts';
import { PlayerName } from '../ui/player-name.tsx';
import { isEmbedded } from './embedded.ts';
import { useSignedIn } from './signed-in.tsx';

/**
 * Links of names, tags and numbers, shared by all pages and tables. Users get the pages of the newest scans, and
 * visitors the public profiles, or plain text if there are none.
 */

export const governorPath = (game: GameId, id: number | string): string => inGame(`/players/${id}`, game);

export const alliancePath = (game: GameId, kingdom: number | string, tag: string): string =>
  inGame(`/alliances/${kingdom}/${encodeURIComponent(tag)}`, game);

export const kingdomPath = (game: GameId, id: number | string): string => inGame(`/kingdoms/${id}`, game);

/** Returns the path of a governor's, kingdom's or alliance's page for signed-in users. */
export function pathOf(game: GameId, one: Profiled): string {
  if (one.kind === 'alliance') return alliancePath(game, one.kingdom, one.tag);
  return one.kind === 'governor' ? governorPath(game, one.id) : kingdomPath(game, one.id);
}

/**
 * Returns a lightweight link. The router's `Link` subscribes to navigation, preloads, and takes tenths of a millisecond
 * to render; a scrolling table renders a hundred links between two frames.
 */
function plainLink(router: AnyRouter, to: string, children: ReactNode, className?: string): ReactNode {
  // Read without a subscription: a page is embedded or not for as long as it is open.
  const target = isEmbedded(router.state.location) ? '_blank' : undefined;
  const address = addressIn(locale(), to);
  const follow = (event: MouseEvent) => {
    if (target || !isPlainClick(event)) return;
    event.preventDefault();
    router.history.push(address);
  };
  return (
    <a href={address} onClick={follow} className={className} target={target}>
      {children}
    </a>
  );
}

/** A link for users; visitors see plain text, because the target requires signing in. */
export function Lead({ to, className, children }: { to: string; className?: string; children: ReactNode }) {
  const router = useRouter();
  return useSignedIn() ? plainLink(router, to, children, className) : children;
}

/** True if names are links for the reader. */
export const useLinked = (): boolean => {
  const { profiles } = useSettings();
  return useSignedIn() || profiles;
};

/** On public pages, `open` leads everybody to the public profile, where users find the other page. */
interface Openly {
  open?: true | undefined;
}

function ProfileLink({ game, one, open, children }: { game: GameId; one: Profiled; children: ReactNode } & Openly) {
  const { profiles } = useSettings();
  const router = useRouter();
  const signedIn = useSignedIn();
  if (profiles && (open || !signedIn)) return plainLink(router, profilePath(game, one), children);
  return signedIn ? plainLink(router, pathOf(game, one), children) : children;
}

/** Replaces the name of a player who asked not to be shown. */
export const RemovedName = () => <span title={t('This player asked not to be shown.')}>{words(REMOVED_NAME)}</span>;

/** Links a governor's name, or the id if the name has no visible characters. */
export const GovernorLink = ({ game, id, name, open }: { game: GameId; id: number; name: string } & Openly) =>
  isRemovedId(id) ? (
    <RemovedName />
  ) : (
    <ProfileLink game={game} one={{ kind: 'governor', id }} open={open}>
      <PlayerName name={nameOr(name, String(id))} />
    </ProfileLink>
  );

/** Links an alliance's tag; renders nothing for governors without an alliance. */
export const AllianceLink = ({
  game,
  kingdom,
  tag,
  open,
}: { game: GameId; kingdom: number | string; tag: string } & Openly) =>
  tag === '' ? null : (
    <ProfileLink game={game} one={{ kind: 'alliance', kingdom: Number(kingdom), tag }} open={open}>
      <PlayerName name={tag} />
    </ProfileLink>
  );

/** Links a kingdom's number, or the given children. */
export const KingdomLink = ({
  game,
  id,
  open,
  children,
}: { game: GameId; id: number | string; children?: ReactNode } & Openly) => (
  <ProfileLink game={game} one={{ kind: 'kingdom', id: Number(id) }} open={open}>
    {children ?? id}
  </ProfileLink>
);
