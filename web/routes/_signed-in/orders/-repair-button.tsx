import { useMutation, useQueryClient } from '@tanstack/react-query';
import { t, words } from '../../../../domain/language/text.ts';
import { messageOf } from '../../../api/client.ts';
import { repair } from '../../../api/order-actions.ts';
import { Button } from '../../../ui/button.tsx';
import styles from './-order-actions.module.css';

/** Delay before the list is refetched after a repair, in ms (specification, section 9). */
const REPAIR_REFETCH = 2_000;

/**
 * Starts a repair of an item or an order and shows the answer. `what` names it for screen readers; `refusal` says why
 * the button is disabled.
 */
export function RepairButton({ id, what, refusal }: { id: string; what: string; refusal: string | null }) {
  const client = useQueryClient();
  const repairing = useMutation({
    mutationFn: () => repair(id),
    onSuccess: () => {
      for (const queryKey of [['orders'], ['item']])
        setTimeout(() => void client.invalidateQueries({ queryKey }), REPAIR_REFETCH);
    },
  });
  return (
    <>
      <Button
        look="plain"
        busy={repairing.isPending}
        disabled={refusal !== null}
        title={refusal === null ? undefined : words(refusal)}
        onClick={() => repairing.mutate()}
        aria-label={t('Repair {what}', { what })}
      >
        {t('Repair')}
      </Button>
      <span className={styles.answer} role="status" data-bad={repairing.isError || undefined}>
        {repairing.isError ? messageOf(repairing.error) : repairing.data?.msg}
      </span>
    </>
  );
}
