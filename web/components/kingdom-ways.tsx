import { Link } from '@tanstack/react-router';
import { GAME_NAMES, type GameId } from '../../domain/games/game-names.ts';
import { t, words } from '../../domain/language/text.ts';
import { PRODUCTS } from '../../domain/orders/catalogue.ts';
import { buttonClass } from '../ui/button.tsx';
import { T } from '../ui/text.tsx';

/** Actions on a kingdom, used by several pages. */

/** Links to a kingdom's scans in the library, where two are chosen for comparison. `to` preselects one. */
export const CompareScans = ({ game, kingdom, to }: { game: GameId; kingdom: number; to?: string }) => (
  <Link to="/scans" search={{ game, of: kingdom, to }} className={buttonClass()}>
    <T
      of="Compare<span> scans of {kingdom}</span>"
      kingdom={String(kingdom)}
      span={(text) => <span className="visually-hidden">{text}</span>}
    />
  </Link>
);

/** Links to the order form with the kingdom filled in. */
export function ScanKingdom({ game, kingdom }: { game: GameId; kingdom: number }) {
  const product = PRODUCTS.find(({ kind, game: of }) => kind === 'scan' && of === game);
  return (
    <Link
      to="/orders/new"
      search={{ product: product?.id, kingdoms: String(kingdom) }}
      className={buttonClass('primary')}
    >
      <T of="Scan this {one}" one={words(GAME_NAMES[game].kingdom.one)} />
    </Link>
  );
}

/** Links to the user's own orders of a kingdom. */
export const OwnOrders = ({ game, kingdom }: { game: GameId; kingdom: number }) => (
  <Link to="/orders" search={{ game, kingdom }} className={buttonClass()}>
    {t('Your results')}
  </Link>
);
