import type * as z from 'zod';
import { DAY_MS } from '../../../domain/days.ts';
import { sentence } from '../../../domain/language/text.ts';
import { dollars } from '../../../domain/money/money.ts';
import type { inviteMade, inviteOffer, teamList, wholeTeam } from '../../../domain/teams/answers.ts';
import type { inviteCreate, memberEdit, teamEdit, teamTransfer } from '../../../domain/teams/contract.ts';
import { MAX_INVITES, MAX_MEMBERS, MAX_TEAMS } from '../../../domain/teams/roles.ts';
import type { Db } from '../../db/open.ts';
import { notFound, Refusal } from '../../errors.ts';
import { transferToTeam } from '../../models/money/team-money.ts';
import {
  acceptInvite,
  changeRole,
  createInvite,
  endMembership,
  membersOf,
  offerOf,
  openInvites,
  revokeInvite,
} from '../../models/teams/members.ts';
import {
  type Actor,
  changeTeam,
  closeTeam,
  createTeam,
  handOver,
  type TeamHead,
  teamOf,
  teamsOf,
} from '../../models/teams/teams.ts';

/** Teams: what members see, and what their owner can do. */

/** Returns what the user may order from the team's balance now. */
function spendableOf({ role, balance_cents, monthly_limit_cents, spent_cents }: TeamHead) {
  if (role === 'owner') return balance_cents;
  return role === 'leader' ? Math.max(0, Math.min(balance_cents, monthly_limit_cents - spent_cents)) : 0;
}

const shownHead = (team: TeamHead) => ({
  team_id: team.team_id,
  name: team.name,
  role: team.role,
  balance: dollars(team.balance_cents),
  spendable: dollars(spendableOf(team)),
  monthly_limit: dollars(team.monthly_limit_cents),
  spent: dollars(team.spent_cents),
});

/** Returns the user's teams. */
export async function showTeams(db: Db, userId: string, now = Date.now()): Promise<z.infer<typeof teamList>> {
  const teams = await teamsOf(db, userId, now);
  return { teams: teams.map((team) => ({ ...shownHead(team), owner: team.owner, members: team.members })) };
}

/** Returns an open team that the user is a member of. @throws Refusal not_found. */
export async function findTeam(db: Db, userId: string, teamId: string, now = Date.now()): Promise<TeamHead> {
  const team = await teamOf(db, userId, teamId, now);
  if (!team) throw notFound('team');
  return team;
}

const invitePath = (id: string): string => `/teams/invites/${id}`;

/** Returns a team with its members and, for the owner, its open invites. @throws Refusal not_found. */
export async function showTeam(
  db: Db,
  userId: string,
  teamId: string,
  now = Date.now(),
): Promise<z.infer<typeof wholeTeam>> {
  const [team, members, invites] = await Promise.all([
    teamOf(db, userId, teamId, now),
    membersOf(db, teamId),
    openInvites(db, teamId, now),
  ]);
  if (!team) throw notFound('team');
  return {
    ...shownHead(team),
    members: members.map((member) => ({ ...member, you: member.user_id === userId })),
    invites: team.role === 'owner' ? invites.map((invite) => ({ ...invite, path: invitePath(invite.invite_id) })) : [],
  };
}

/** Returns why a write that only the owner may make changed nothing: not a member, not the owner, or `otherwise`. */
async function refusedTo(db: Db, actor: Actor, teamId: string, otherwise: Refusal): Promise<Refusal> {
  const { role, name } = await findTeam(db, actor.userId, teamId);
  return role === 'owner'
    ? otherwise
    : new Refusal('forbidden', sentence('Only the owner of {name} can do this.', { name }));
}

/** Creates a team. @throws Refusal conflict if the user owns as many as allowed. */
export async function makeTeam(db: Db, actor: Actor, name: string): Promise<string> {
  const id = await createTeam(db, actor, name);
  if (id) return id;
  throw new Refusal(
    'conflict',
    sentence('You can own {count} teams: close one or hand it over first.', { count: MAX_TEAMS }),
  );
}

/** Changes the name or the limit. @throws Refusal not_found or forbidden. */
export async function editTeam(
  db: Db,
  actor: Actor,
  teamId: string,
  { name, monthly_limit: limit }: z.output<typeof teamEdit>,
): Promise<void> {
  if (!(await changeTeam(db, actor, teamId, { name, limit })))
    throw await refusedTo(db, actor, teamId, notFound('team'));
}

/** Closes a team and returns what went back to its owner. @throws Refusal not_found or forbidden. */
export async function endTeam(db: Db, actor: Actor, teamId: string): Promise<number> {
  const returned = await closeTeam(db, actor, teamId);
  if (returned === null) throw await refusedTo(db, actor, teamId, notFound('team'));
  return dollars(returned);
}

/** Creates an invite link. @throws Refusal not_found, forbidden, or conflict if there are as many as allowed. */
export async function makeInvite(
  db: Db,
  actor: Actor,
  teamId: string,
  { role, days }: z.output<typeof inviteCreate>,
  now = Date.now(),
): Promise<z.infer<typeof inviteMade>> {
  const expires_at = now + days * DAY_MS;
  const id = await createInvite(db, actor, { teamId, role, expiresAt: expires_at }, now);
  if (id) return { invite_id: id, path: invitePath(id), expires_at };
  const full = new Refusal(
    'conflict',
    sentence('A team can have {count} open invites: revoke one first.', { count: MAX_INVITES }),
  );
  throw await refusedTo(db, actor, teamId, full);
}

/** Revokes an invite. @throws Refusal not_found or forbidden. */
export async function endInvite(db: Db, actor: Actor, teamId: string, inviteId: string): Promise<void> {
  if (!(await revokeInvite(db, actor, { teamId, inviteId })))
    throw await refusedTo(db, actor, teamId, notFound('invite'));
}

const deadInvite = () =>
  new Refusal('not_found', 'This invite was used, revoked or has expired. Ask the owner of the team for another.');

async function findOffer(db: Db, userId: string, token: string, now: number) {
  const offer = await offerOf(db, userId, token, now);
  if (!offer) throw deadInvite();
  return offer;
}

/** Returns what an invite offers. @throws Refusal not_found. */
export async function showInvite(
  db: Db,
  userId: string,
  token: string,
  now = Date.now(),
): Promise<z.infer<typeof inviteOffer>> {
  const offer = await findOffer(db, userId, token, now);
  return { ...offer, joined: offer.joined === 1 };
}

/** Accepts an invite and returns the team's id; a member stays one. @throws Refusal not_found, or conflict if full. */
export async function joinTeam(db: Db, actor: Actor, token: string, now = Date.now()): Promise<string> {
  const offer = await findOffer(db, actor.userId, token, now);
  if (offer.joined || (await acceptInvite(db, actor, offer, token, now))) return offer.team_id;
  const latest = await findOffer(db, actor.userId, token, now);
  if (latest.joined) return latest.team_id;
  throw new Refusal(
    'conflict',
    sentence('{name} has {count} members, which is the most. Ask its owner.', {
      name: latest.name,
      count: MAX_MEMBERS,
    }),
  );
}

/** Changes a member's role or hands the team over to them. @throws Refusal not_found, forbidden or conflict. */
export async function editMember(
  db: Db,
  actor: Actor,
  { teamId, userId }: { teamId: string; userId: string },
  { role }: z.output<typeof memberEdit>,
): Promise<void> {
  if (role !== 'owner') {
    if (await changeRole(db, actor, { teamId, userId, role })) return;
    throw await refusedTo(db, actor, teamId, ownerStays(actor, userId) ?? notFound('member'));
  }
  if (await handOver(db, actor, teamId, userId)) return;
  const isMember = (await membersOf(db, teamId)).some((member) => member.user_id === userId);
  const blocked = new Refusal(
    'conflict',
    'The team cannot be handed over: money of yours was taken back, or they own as many teams as allowed.',
  );
  throw await refusedTo(db, actor, teamId, isMember ? blocked : notFound('member'));
}

const ownerStays = ({ userId }: Actor, member: string): Refusal | null =>
  userId === member ? new Refusal('conflict', 'You own this team: hand it over to another member, or close it.') : null;

/** Removes a member, or lets one leave. @throws Refusal not_found, forbidden or conflict. */
export async function endMember(
  db: Db,
  actor: Actor,
  { teamId, userId }: { teamId: string; userId: string },
): Promise<void> {
  if (await endMembership(db, actor, { teamId, userId })) return;
  throw await refusedTo(db, actor, teamId, ownerStays(actor, userId) ?? notFound('member'));
}

/** Moves money from the owner's balance to the team's. Returns false for a repeat. @throws Refusal. */
export async function topUpTeam(
  db: Db,
  { userId, address }: Actor,
  teamId: string,
  { amount, key }: z.output<typeof teamTransfer> & { key: string },
): Promise<boolean> {
  const outcome = await transferToTeam(db, { userId, teamId, amount, key });
  if (outcome === 'transferred' || outcome === 'repeated') return outcome === 'transferred';
  if (outcome === 'uncovered') throw new Refusal('unpaid', 'amount: your own balance does not cover this.');
  if (outcome === 'key_reused')
    throw new Refusal('conflict', 'Idempotency-Key: was used for another transfer. Use a new one.');
  throw await refusedTo(db, { userId, address }, teamId, notFound('team'));
}
