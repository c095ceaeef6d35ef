import type * as z from 'zod';
import type { AccountsQuery, accountList, wholeAccount } from '../../../domain/accounts/admin-contract.ts';
import { dollars } from '../../../domain/money/money.ts';
import type { Db } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { type AccountHead, accountWhole, listAccounts } from '../../models/accounts/all-accounts.ts';
import { currentLicence } from '../../models/accounts/licence-versions.ts';
import { hasTwoFactor } from '../../models/accounts/two-factor.ts';
import { statementOf } from '../../models/money/ledger.ts';
import { showTeams } from '../teams/manage-team.ts';

const shownHead = ({ balance_cents, ...head }: AccountHead) => ({ ...head, balance: dollars(balance_cents) });

/** Returns a page of all accounts. */
export async function showAccounts(db: Db, wanted: AccountsQuery): Promise<z.infer<typeof accountList>> {
  const { accounts, next } = await listAccounts(db, wanted);
  return { accounts: accounts.map(shownHead), next };
}

const LINES = 50;

/** Returns one account with what belongs to it. @throws Refusal not_found. */
export async function showAccount(db: Db, userId: string, now = Date.now()): Promise<z.infer<typeof wholeAccount>> {
  const [whole, lines, { teams }] = await Promise.all([
    accountWhole(db, userId, now),
    statementOf(db, userId, {}, LINES),
    showTeams(db, userId, now),
  ]);
  if (!whole) throw notFound('account');
  const { account, orders, sessions, ...rest } = whole;
  const { has_factor, uncovered, ...head } = account;
  return {
    ...shownHead(head),
    full_name: account.full_name,
    eula_version: account.eula_version,
    locked_reason: account.locked_reason,
    ...rest,
    teams,
    two_factor: has_factor === 1,
    uncovered: dollars(uncovered),
    statement: lines.map(({ amount_cents, balance_cents, payment_id: _, ...line }) => ({
      ...line,
      amount: dollars(amount_cents),
      balance: dollars(balance_cents),
    })),
    orders: orders.map(({ total_cents, ...order }) => ({ ...order, total: dollars(total_cents) })),
    sessions: sessions.map(({ two_factor, ...session }) => ({ ...session, two_factor: Boolean(two_factor) })),
  };
}

/** Returns whether a user has a second factor, and the version of the licence that holds. */
export async function accountState(db: Db, userId: string): Promise<{ two_factor: boolean; licence: number }> {
  const [two_factor, licence] = await Promise.all([hasTwoFactor(db, userId), currentLicence(db)]);
  return { two_factor, licence };
}
