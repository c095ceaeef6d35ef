import type { GameId } from '../../../domain/games/game-names.ts';
import { t } from '../../../domain/language/text.ts';
import { messageOf } from '../../api/client.ts';
import { useOwn } from '../../api/own-governors.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useSignedIn } from '../signed-in.tsx';

/** Marks or unmarks a governor as the user's own, which pins the row to the top. */
export function ThisIsMe({ game, governor }: { game: GameId; governor: number }) {
  const { own, saving, isOwn, toggle } = useOwn(useSignedIn());
  if (!own.data) return null;
  return (
    <>
      <Button busy={saving.isPending} onClick={() => toggle(game, governor)}>
        {isOwn(game, governor) ? t('This is not me') : t('This is me')}
      </Button>
      {saving.isError && <Notice tone="danger">{messageOf(saving.error)}</Notice>}
    </>
  );
}
