import { NO_TERMS, type Sale, type Terms } from '../../../domain/orders/sale.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import type { AuditEntry } from '../service/audit.ts';
import { readSetting, readSettings, type Setting, writeSetting } from '../service/settings.ts';

const PREFIX = 'product:';

/** Returns what admins set for products, by product id; nothing for the others. */
export const allTerms = (db: Db): Promise<Record<string, Setting<Terms>>> => readSettings(db, PREFIX, NO_TERMS);

/** Returns what admins set for a product. */
export const termsOf = (db: Db, product: string): Promise<Setting<Terms>> =>
  readSetting(db, PREFIX + product, NO_TERMS);

/** Returns what is for sale now. */
export async function readSale(db: Db, { READY_PRODUCTS }: Pick<Env, 'READY_PRODUCTS'>): Promise<Sale> {
  const terms = Object.entries(await allTerms(db));
  return { configured: READY_PRODUCTS, terms: Object.fromEntries(terms.map(([id, { value }]) => [id, value])) };
}

/** Stores what admins set for a product, unless it is no longer at this version. Returns false then. */
export const writeTerms = (
  db: Db,
  product: string,
  { value, version }: Setting<Terms>,
  entry: AuditEntry,
): Promise<boolean> => writeSetting(db, { name: PREFIX + product, value, version }, entry);
