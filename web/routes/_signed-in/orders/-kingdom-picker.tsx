import { useQuery } from '@tanstack/react-query';
import { GAMES, type GameId } from '../../../../domain/games/games.ts';
import { words } from '../../../../domain/language/text.ts';
import { listOf } from '../../../../domain/orders/pricing.ts';
import { monitoredQuery } from '../../../api/monitored.ts';
import { ordersQuery } from '../../../api/orders.ts';
import { T } from '../../../ui/text.tsx';
import styles from './-kingdom-picker.module.css';

/** Maximum number of kingdoms offered. */
const OFFERED = 16;

/** The user's kingdoms of a game: monitored ones first, then those of recent orders. */
function useOwnKingdoms(game: GameId): string[] {
  const monitored = useQuery(monitoredQuery);
  const orders = useQuery(ordersQuery());
  // Show all at once, so that nothing shifts while the user taps.
  if (monitored.isPending || orders.isPending) return [];
  const ids = [
    ...(monitored.data ?? []),
    ...(orders.data?.orders.flatMap(({ items }) => items.slice(0, OFFERED)) ?? []),
  ]
    .filter((each) => each.game === game)
    .map(({ kingdom_id }) => String(kingdom_id));
  return [...new Set(ids)].slice(0, OFFERED);
}

/** Buttons that add the user's kingdoms to the field or remove them. Renders nothing if there are none. */
export function KingdomPicker({
  game,
  value,
  change,
}: {
  game: GameId;
  value: string;
  change: (value: string) => void;
}) {
  const own = useOwnKingdoms(game);
  const chosen = new Set(listOf(value));
  if (own.length === 0) return null;
  const press = (kingdom: string) => {
    if (!chosen.delete(kingdom)) chosen.add(kingdom);
    change([...chosen].join(', '));
  };
  return (
    <fieldset className={styles.own}>
      <legend>
        <T of="Your {many}" many={words(GAMES[game].kingdom.many)} />
      </legend>
      {own.map((kingdom) => (
        <button
          key={kingdom}
          type="button"
          className={styles.kingdom}
          aria-pressed={chosen.has(kingdom)}
          onClick={() => press(kingdom)}
        >
          {kingdom}
        </button>
      ))}
    </fieldset>
  );
}
