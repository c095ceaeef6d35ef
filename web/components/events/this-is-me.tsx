import type { GameId } from '../../../domain/games/game-names.ts';
import { messageOf } from '../../api/client.ts';
import { useOwn } from '../../api/own-governors.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Says that a governor is the user's own, or is not any more: his row stands above the others at once. */
export function ThisIsMe({ game, governor }: { game: GameId; governor: number }) {
  const { own, saving, isOwn, toggle } = useOwn();
  if (!own.data) return null;
  return (
    <>
      <Button busy={saving.isPending} onClick={() => toggle(game, governor)}>
        {isOwn(game, governor) ? 'This is not me' : 'This is me'}
      </Button>
      {saving.isError && <Notice tone="danger">{messageOf(saving.error)}</Notice>}
    </>
  );
}
