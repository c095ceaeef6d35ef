import { MAX_INVITES, MAX_MEMBERS, type TeamRole, type TeamStanding } from '../../../domain/teams/roles.ts';
import type { Db } from '../../db/open.ts';
import { auditIfChanged } from '../service/audit.ts';
import { type Actor, teamAct } from './teams.ts';

/** Members of teams and the invite links that let them in. */

interface Member {
  user_id: string;
  username: string;
  role: TeamStanding;
  joined_at: number;
}

/** Returns a team's members: the owner first, then by username. */
export async function membersOf(db: Db, teamId: string): Promise<Member[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT member.user_id, users.username, joined_at,
         CASE WHEN member.user_id = owner_id THEN 'owner' ELSE member.role END AS role
       FROM team_members member JOIN teams ON teams.id = member.team_id JOIN users ON users.id = member.user_id
       WHERE member.team_id = ? ORDER BY member.user_id <> owner_id, users.username_key LIMIT ${MAX_MEMBERS}`,
    )
    .bind(teamId)
    .all<Member>();
  return results;
}

interface Membership {
  team_id: string;
  name: string;
  role: TeamStanding;
  joined_at: number;
}

/** Returns the teams that a user is a member of, for their copy of their data and for admins. */
export async function membershipsOf(db: Db, userId: string): Promise<Membership[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT member.team_id, teams.name, CASE WHEN owner_id = ?1 THEN 'owner' ELSE member.role END AS role, joined_at
       FROM team_members member JOIN teams ON teams.id = member.team_id WHERE member.user_id = ?1
       ORDER BY joined_at, member.team_id`,
    )
    .bind(userId)
    .all<Membership>();
  return results;
}

const isOwner = `EXISTS (SELECT 1 FROM teams WHERE id = ?1 AND owner_id = ?2 AND closed_at IS NULL)`;

/** Changes a member's role, for the owner. Returns false if the caller does not own the team or it lacks the member. */
export async function changeRole(
  db: Db,
  actor: Actor,
  { teamId, userId, role }: { teamId: string; userId: string; role: TeamRole },
  now = Date.now(),
): Promise<boolean> {
  const [changed] = await db.$client.batch<{ user_id: string }>([
    db.$client
      .prepare(
        `UPDATE team_members SET role = ?4 WHERE team_id = ?1 AND user_id = ?3 AND user_id <> ?2 AND ${isOwner}
         RETURNING user_id`,
      )
      .bind(teamId, actor.userId, userId, role),
    auditIfChanged(db, teamAct(actor, 'role_changed', teamId, { user: userId, role }), now),
  ]);
  return (changed?.results.length ?? 0) > 0;
}

/**
 * Ends a membership: the owner removes a member, or a member leaves. The owner's own never ends. Returns false if
 * nothing ended.
 */
export async function endMembership(
  db: Db,
  actor: Actor,
  { teamId, userId }: { teamId: string; userId: string },
  now = Date.now(),
): Promise<boolean> {
  const [ended] = await db.$client.batch<{ user_id: string }>([
    db.$client
      .prepare(
        `DELETE FROM team_members WHERE team_id = ?1 AND user_id = ?3 AND (?3 = ?2 OR ${isOwner})
           AND user_id <> (SELECT owner_id FROM teams WHERE id = ?1)
         RETURNING user_id`,
      )
      .bind(teamId, actor.userId, userId),
    auditIfChanged(db, teamAct(actor, 'member_left', teamId, { user: userId }), now),
  ]);
  return (ended?.results.length ?? 0) > 0;
}

interface Invite {
  invite_id: string;
  role: TeamRole;
  created_at: number;
  expires_at: number;
}

/** Returns a team's open invites, newest first. */
export async function openInvites(db: Db, teamId: string, now: number): Promise<Invite[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT id AS invite_id, role, created_at, expires_at FROM team_invites
       WHERE team_id = ?1 AND user_id IS NULL AND expires_at > ?2 ORDER BY created_at DESC, id LIMIT ${MAX_INVITES}`,
    )
    .bind(teamId, now)
    .all<Invite>();
  return results;
}

/** Creates an invite, for the owner. Returns null if the caller does not own the team or it has as many as allowed. */
export async function createInvite(
  db: Db,
  actor: Actor,
  { teamId, role, expiresAt }: { teamId: string; role: TeamRole; expiresAt: number },
  now = Date.now(),
): Promise<string | null> {
  const [made] = await db.$client.batch<{ id: string }>([
    db.$client
      .prepare(
        `INSERT INTO team_invites (id, team_id, role, created_at, expires_at) SELECT ?3, ?1, ?4, ?5, ?6
         WHERE ${isOwner} AND (SELECT count(*) FROM team_invites
           WHERE team_id = ?1 AND user_id IS NULL AND expires_at > ?5) < ${MAX_INVITES}
         RETURNING id`,
      )
      .bind(teamId, actor.userId, crypto.randomUUID(), role, now, expiresAt),
    auditIfChanged(db, teamAct(actor, 'invited', teamId, { role }), now),
  ]);
  return made?.results[0]?.id ?? null;
}

/** Revokes an open invite, for the owner. Returns false if there is none. */
export async function revokeInvite(
  db: Db,
  actor: Actor,
  { teamId, inviteId }: { teamId: string; inviteId: string },
  now = Date.now(),
): Promise<boolean> {
  const [gone] = await db.$client.batch<{ id: string }>([
    db.$client
      .prepare(
        `DELETE FROM team_invites WHERE id = ?3 AND team_id = ?1 AND user_id IS NULL AND ${isOwner} RETURNING id`,
      )
      .bind(teamId, actor.userId, inviteId),
    auditIfChanged(db, teamAct(actor, 'invite_revoked', teamId), now),
  ]);
  return (gone?.results.length ?? 0) > 0;
}

interface Offer {
  team_id: string;
  name: string;
  owner: string;
  role: TeamRole;
  members: number;
  expires_at: number;
  joined: 0 | 1;
}

/**
 * Returns what an invite offers to a user: null if it is unknown, revoked, expired or accepted by somebody else. Who
 * accepted it still sees it.
 */
export const offerOf = (db: Db, userId: string, inviteId: string, now: number): Promise<Offer | null> =>
  db.$client
    .prepare(
      `SELECT team_id, teams.name, users.username AS owner, invite.role, invite.expires_at,
         (SELECT count(*) FROM team_members WHERE team_id = teams.id) AS members,
         EXISTS (SELECT 1 FROM team_members WHERE team_id = teams.id AND user_id = ?2) AS joined
       FROM team_invites invite JOIN teams ON teams.id = invite.team_id JOIN users ON users.id = owner_id
       WHERE invite.id = ?1 AND closed_at IS NULL AND invite.expires_at > ?3
         AND (invite.user_id IS NULL OR (invite.user_id = ?2 AND joined))`,
    )
    .bind(inviteId, userId, now)
    .first<Offer>();

/** Makes the user a member by an open invite. Returns false if it does not work or the team is full. */
export async function acceptInvite(db: Db, actor: Actor, offer: Offer, inviteId: string, now = Date.now()) {
  const { team_id: teamId } = offer;
  const [joined] = await db.$client.batch<{ user_id: string }>([
    db.$client
      .prepare(
        `INSERT INTO team_members (team_id, user_id, role, joined_at)
         SELECT team_id, ?2, invite.role, ?3 FROM team_invites invite JOIN teams ON teams.id = invite.team_id
         WHERE invite.id = ?1 AND closed_at IS NULL AND invite.user_id IS NULL AND invite.expires_at > ?3
           AND (SELECT count(*) FROM team_members present WHERE present.team_id = teams.id) < ${MAX_MEMBERS}
         ON CONFLICT DO NOTHING RETURNING user_id`,
      )
      .bind(inviteId, actor.userId, now),
    auditIfChanged(db, teamAct(actor, 'joined', teamId), now),
    db.$client
      .prepare(`UPDATE team_invites SET user_id = ? WHERE id = ? AND changes() > 0`)
      .bind(actor.userId, inviteId),
  ]);
  return (joined?.results.length ?? 0) > 0;
}

/** Deletes invites that have expired. */
export async function dropEndedInvites(db: Db, now: number): Promise<void> {
  await db.$client.prepare(`DELETE FROM team_invites WHERE expires_at < ?`).bind(now).run();
}
