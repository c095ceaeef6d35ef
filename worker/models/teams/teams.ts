import type { Cents } from '../../../domain/money/money.ts';
import { TEAM_CLOSED } from '../../../domain/money/notes.ts';
import { MAX_TEAMS, type TeamStanding } from '../../../domain/teams/roles.ts';
import type { Db } from '../../db/open.ts';
import { auditIfChanged } from '../service/audit.ts';

/** Teams as one of their members sees them (docs/decisions/teams.md). */

export interface TeamHead {
  team_id: string;
  name: string;
  role: TeamStanding;
  balance_cents: Cents;
  monthly_limit_cents: Cents;
  /** What leaders other than the owner spent this month, less this month's refunds. */
  spent_cents: Cents;
}

/** SQL of what counts against the limit of `teams` in the month of the time `?1`, as the ledger's trigger counts it. */
const SPENT = `max(0, -(SELECT coalesce(sum(amount_cents), 0) FROM ledger_entries
  WHERE ledger_entries.team_id = teams.id AND ledger_entries.user_id <> owner_id AND kind IN ('charge', 'return')
    AND ledger_entries.created_at >= unixepoch(?1 / 1000, 'unixepoch', 'start of month') * 1000))`;

const HEAD = `teams.id AS team_id, teams.name, balance_cents, monthly_limit_cents, ${SPENT} AS spent_cents,
  CASE WHEN own.user_id = owner_id THEN 'owner' ELSE own.role END AS role`;

/** Returns the user's open teams by name. */
export async function teamsOf(
  db: Db,
  userId: string,
  now: number,
): Promise<(TeamHead & { owner: string; members: number })[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT ${HEAD}, (SELECT username FROM users WHERE id = owner_id) AS owner,
         (SELECT count(*) FROM team_members WHERE team_id = teams.id) AS members
       FROM team_members own JOIN teams ON teams.id = own.team_id
       WHERE own.user_id = ?2 AND closed_at IS NULL ORDER BY teams.name, teams.id`,
    )
    .bind(now, userId)
    .all<TeamHead & { owner: string; members: number }>();
  return results;
}

/** Returns an open team with the user's role in it, or null if they are not a member. */
export const teamOf = (db: Db, userId: string, teamId: string, now: number): Promise<TeamHead | null> =>
  db.$client
    .prepare(
      `SELECT ${HEAD} FROM team_members own JOIN teams ON teams.id = own.team_id
       WHERE own.user_id = ?2 AND own.team_id = ?3 AND closed_at IS NULL`,
    )
    .bind(now, userId, teamId)
    .first<TeamHead>();

/** Who acts, and from where, for the log. */
export interface Actor {
  userId: string;
  address: string;
}

/** Returns the log entry of a member's act. */
export const teamAct = ({ userId, address }: Actor, action: string, teamId: string, detail = {}) => ({
  userId,
  actor: 'user',
  action: `team.${action}`,
  subject: teamId,
  detail,
  address,
});

/** Creates a team that the user owns. Returns its id, or null if they own as many as allowed. */
export async function createTeam(db: Db, actor: Actor, name: string, now = Date.now()): Promise<string | null> {
  const id = crypto.randomUUID();
  const [made] = await db.$client.batch<{ id: string }>([
    db.$client
      .prepare(
        `INSERT INTO teams (id, name, owner_id, created_at) SELECT ?1, ?2, ?3, ?4
         WHERE (SELECT count(*) FROM teams WHERE owner_id = ?3 AND closed_at IS NULL) < ${MAX_TEAMS} RETURNING id`,
      )
      .bind(id, name, actor.userId, now),
    auditIfChanged(db, teamAct(actor, 'created', id), now),
    db.$client
      .prepare(
        `INSERT INTO team_members (team_id, user_id, role, joined_at)
         SELECT id, owner_id, 'leader', created_at FROM teams WHERE id = ?`,
      )
      .bind(id),
  ]);
  return made?.results.length ? id : null;
}

/** Changes the name or the limit of a team that the user owns. Returns false if they own no such team. */
export async function changeTeam(
  db: Db,
  actor: Actor,
  teamId: string,
  { name, limit }: { name: string | undefined; limit: Cents | undefined },
  now = Date.now(),
): Promise<boolean> {
  const [changed] = await db.$client.batch<{ id: string }>([
    db.$client
      .prepare(
        `UPDATE teams SET name = coalesce(?3, name), monthly_limit_cents = coalesce(?4, monthly_limit_cents)
         WHERE id = ?1 AND owner_id = ?2 AND closed_at IS NULL RETURNING id`,
      )
      .bind(teamId, actor.userId, name ?? null, limit ?? null),
    auditIfChanged(db, teamAct(actor, 'changed', teamId, { name, limit }), now),
  ]);
  return (changed?.results.length ?? 0) > 0;
}

/**
 * Closes a team that the user owns: the balance returns to them, and members and invites are deleted. Returns the
 * amount, or null if they own no such open team.
 */
export async function closeTeam(db: Db, actor: Actor, teamId: string, now = Date.now()): Promise<Cents | null> {
  const reference = `transfer:close:${teamId}`;
  const closedNow = `EXISTS (SELECT 1 FROM teams WHERE id = ?1 AND owner_id = ?2 AND closed_at = ?3)`;
  const [, , closed] = await db.$client.batch<{ id: string }>([
    db.$client
      .prepare(
        `INSERT INTO ledger_entries (user_id, team_id, amount_cents, kind, reference, note, created_at)
         SELECT owner_id, id, -balance_cents, 'transfer', ?3 || ':out', '${TEAM_CLOSED}', ?4
         FROM teams WHERE id = ?1 AND owner_id = ?2 AND closed_at IS NULL AND balance_cents > 0`,
      )
      .bind(teamId, actor.userId, reference, now),
    db.$client
      .prepare(
        // The team's balance is zero by now, so the amount is in the entry above.
        `INSERT INTO ledger_entries (user_id, amount_cents, kind, reference, note, created_at)
         SELECT user_id, -amount_cents, 'transfer', ?2 || ':in', 'From the closed team ' || teams.name, ?3
         FROM ledger_entries out JOIN teams ON teams.id = out.team_id
         WHERE out.reference = ?2 || ':out' AND teams.id = ?1 AND closed_at IS NULL`,
      )
      .bind(teamId, reference, now),
    db.$client
      .prepare(`UPDATE teams SET closed_at = ?3 WHERE id = ?1 AND owner_id = ?2 AND closed_at IS NULL RETURNING id`)
      .bind(teamId, actor.userId, now),
    auditIfChanged(db, teamAct(actor, 'closed', teamId), now),
    ...['team_members', 'team_invites'].map((table) =>
      db.$client.prepare(`DELETE FROM ${table} WHERE team_id = ?1 AND ${closedNow}`).bind(teamId, actor.userId, now),
    ),
  ]);
  if (!closed?.results.length) return null;
  const returned = await db.$client
    .prepare(`SELECT amount_cents FROM ledger_entries WHERE reference = ?`)
    .bind(`${reference}:in`)
    .first<{ amount_cents: Cents }>();
  return returned?.amount_cents ?? 0;
}

/**
 * Hands a team over to one of its members; the former owner stays as a leader. Returns false if the user does not own
 * it, owes money that was taken back, or the other is not in it or owns as many teams as allowed.
 */
export async function handOver(db: Db, actor: Actor, teamId: string, to: string, now = Date.now()): Promise<boolean> {
  const [handed] = await db.$client.batch<{ id: string }>([
    db.$client
      .prepare(
        `UPDATE teams SET owner_id = ?3
         WHERE id = ?1 AND owner_id = ?2 AND closed_at IS NULL
           AND EXISTS (SELECT 1 FROM team_members WHERE team_id = ?1 AND user_id = ?3)
           AND NOT EXISTS (SELECT 1 FROM reversals WHERE user_id = ?2 AND covered_cents < amount_cents)
           AND (SELECT count(*) FROM teams own WHERE own.owner_id = ?3 AND own.closed_at IS NULL) < ${MAX_TEAMS}
         RETURNING id`,
      )
      .bind(teamId, actor.userId, to),
    auditIfChanged(db, teamAct(actor, 'handed_over', teamId, { to }), now),
  ]);
  return (handed?.results.length ?? 0) > 0;
}
