import { openDb } from '../worker/db/open.ts';
import type { Env } from '../worker/env.ts';
import { CURRENT_EULA, createUser, type NewUser, userByName } from '../worker/models/accounts.ts';
import { createGroup } from '../worker/models/fleet.ts';
import { post } from '../worker/models/ledger.ts';
import type { Secrets } from './secrets.ts';

/** The sign-ins of a local copy. This file is no part of the Worker, so production cannot have them. */
export const DEMO = { username: 'demo', password: 'demo-muster', email: 'demo@muster.example' };
export const ADMIN = { username: 'admin', password: 'admin-muster', email: 'admin@muster.example' };

type Db = ReturnType<typeof openDb>;

async function ensureUser(db: Db, user: NewUser): Promise<string> {
  const known = await userByName(db, user.username);
  return known?.id ?? createUser(db, { ...user, eula_version: CURRENT_EULA, verified_at: Date.now() });
}

/** Fills a local copy's empty database. Each step looks for its own result, so a seed half done is completed. */
export async function seed({ DB }: Pick<Env, 'DB' | 'STORE'>, { FLEET_TOKEN }: Secrets): Promise<void> {
  const db = openDb(DB);
  const demo = await ensureUser(db, { ...DEMO, full_name: 'Demo' });
  await ensureUser(db, { ...ADMIN, full_name: 'Admin', role: 'admin' });
  await post(db, { userId: demo, amount: 100_00, kind: 'top_up', reference: 'seed:demo' });
  await createGroup(db, 'reference', 'Reference agent', FLEET_TOKEN);
}
