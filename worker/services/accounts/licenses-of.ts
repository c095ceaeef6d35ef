import { MAX_KEYS } from '../../../domain/accounts/account.ts';
import type { LicensesAnswer } from '../../../domain/accounts/answers.ts';
import { DAY_MS } from '../../../domain/days.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { listed, t, words } from '../../../domain/language/text.ts';
import { PRODUCTS } from '../../../domain/orders/catalogue.ts';
import { isReady } from '../../../domain/orders/sale.ts';
import { HISTORY_DAYS } from '../../../domain/scans/history.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { listKeys } from '../../models/accounts/api-keys.ts';
import { currentLicence } from '../../models/accounts/licence-versions.ts';
import type { User } from '../../models/accounts/user.ts';
import { heldHistories } from '../../models/kingdoms/governors.ts';
import { readSale } from '../../models/orders/sale.ts';
import { limitsOf } from '../library/limits.ts';

/** Returns what an account may use, how much of it is used and until when, with sentences in the reader's language. */
export async function licensesOf(env: Env, db: Db, user: User, now = Date.now()): Promise<LicensesAnswer> {
  const [keys, histories, own, sale, licence] = await Promise.all([
    listKeys(db, user.id),
    heldHistories(db, user.id, now),
    limitsOf(env, db, user.id),
    readSale(db, env),
    currentLicence(db, now),
  ]);
  const ready = PRODUCTS.filter((product) => isReady(product, sale, now));
  const accepted = user.eula_version >= licence;
  return {
    licenses: [
      {
        id: 'orders',
        name: t('Scans and results'),
        text: accepted
          ? t('You can order: {products}. The results stay yours.', {
              products:
                listed(
                  ready.map(({ game, name }) => t('{name} ({note})', { name: words(name), note: GAMES[game].name })),
                ) || t('nothing at the moment'),
            })
          : t('Accept the licence to order scans.'),
        held: accepted,
        until: null,
        limits: [],
      },
      {
        id: 'own-scans',
        name: t('Your own scans'),
        text: t('Import scan files and compare them, without paying. What you save stays for {days} days.', {
          days: own.days,
        }),
        held: true,
        until: null,
        limits: [
          { name: t('Files'), limit: own.files_per_day, used: own.files_today, per: t('a day') },
          { name: t('Rows'), limit: own.rows, used: own.rows_kept, per: t('kept') },
        ],
      },
      {
        id: 'api',
        name: 'API',
        text: t('Read your results and place orders from your own programs, with keys from My Account.'),
        held: accepted,
        until: null,
        limits: [{ name: t('Keys'), limit: MAX_KEYS, used: keys.length, per: '' }],
      },
      ...histories.map(({ game, kingdom_id, bought_at }) => ({
        id: `history-${game}-${kingdom_id}`,
        name: t('History of {game, select, cod {server} other {kingdom}} {id}', { game, id: String(kingdom_id) }),
        text: t(
          '{game, select, cod {Lords of server {id}} other {Governors of kingdom {id}}}, day by day over {days} days.',
          { game, id: String(kingdom_id), days: HISTORY_DAYS },
        ),
        held: true,
        until: bought_at + HISTORY_DAYS * DAY_MS,
        limits: [],
      })),
    ],
  };
}
