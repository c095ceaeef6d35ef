import type * as z from 'zod';
import { dollars } from '../../../domain/money/money.ts';
import type { adminFigures } from '../../../domain/service/admin.ts';
import type { Db } from '../../db/open.ts';
import { countUnsent } from '../../models/messages/outbox.ts';
import { serviceFigures } from '../../models/service/overview.ts';

/** Returns the service's figures for admins. */
export async function showFigures(db: Db): Promise<z.infer<typeof adminFigures>> {
  const [{ balances_cents, charged_last_day_cents, ...figures }, mails] = await Promise.all([
    serviceFigures(db),
    countUnsent(db),
  ]);
  return {
    ...figures,
    balances: dollars(balances_cents),
    charged_last_day: dollars(charged_last_day_cents),
    mails,
  };
}
