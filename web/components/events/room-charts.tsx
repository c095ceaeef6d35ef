import { GAME_NAMES } from '../../../domain/games/game-names.ts';
import type { EventMeta, EventRoom } from '../../api/events.ts';
import { nameOr } from '../../format.ts';
import { useTextMemo } from '../../ui/use-locale.ts';
import { FighterCharts } from './fighter-charts.tsx';
import { Fights } from './fights.tsx';

/** Charts of a kingdom: its line, and its governors as points. */
export function RoomCharts({ meta, room, rival }: { meta: EventMeta; room: EventRoom; rival: string | undefined }) {
  const { tiers, deads } = GAME_NAMES[meta.game].roles;
  const fighters = useTextMemo(
    () =>
      room.governors.map(({ name, governor_id, power, dkp, gains, doubted }) => {
        const sure = (key: string) => (doubted.includes(key) ? null : (gains[key] ?? null));
        const [t4, t5] = [sure(tiers[3]), sure(tiers[4])];
        return {
          name: nameOr(name, String(governor_id)),
          power,
          dkp,
          kills: t4 === null || t5 === null ? null : t4 + t5,
          deads: sure(deads),
        };
      }),
    [room.governors, tiers, deads],
  );
  return (
    <>
      <Fights meta={meta} room={room} rival={rival} />
      <FighterCharts fighters={fighters} goals={meta.goals} />
    </>
  );
}
