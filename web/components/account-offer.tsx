import { Link } from '@tanstack/react-router';
import type { Profiled } from '../../domain/boards/profile.ts';
import { GAME_NAMES, type GameId } from '../../domain/games/game-names.ts';
import { words } from '../../domain/language/text.ts';
import { buttonClass } from '../ui/button.tsx';
import { T } from '../ui/text.tsx';
import { Lead, pathOf } from './links.tsx';
import { useSignedIn } from './signed-in.tsx';

/** Links users to everything known about a governor, kingdom or alliance, and visitors to registration. */
export function AccountOffer({
  game,
  one,
  className,
}: {
  game: GameId;
  one: Profiled;
  className?: string | undefined;
}) {
  const noun = words(GAME_NAMES[game][one.kind].one);
  const path = pathOf(game, one);
  if (useSignedIn())
    return (
      <p className={className}>
        <Lead to={path} className={buttonClass()}>
          <T of="Everything known about this {noun}" noun={noun} />
        </Lead>
      </p>
    );
  return (
    <p className={className}>
      <T
        of="With an account you see everything known about this {noun}, as of its last scan.<link>Create account</link><link2>Login</link2>"
        noun={noun}
        link={(text) => (
          <Link to="/register" className={buttonClass('primary')}>
            {text}
          </Link>
        )}
        link2={(text) => (
          <Link to="/login" search={{ from: path }} className={buttonClass()}>
            {text}
          </Link>
        )}
      />
    </p>
  );
}
