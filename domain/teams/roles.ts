import { message } from '../language/text.ts';

/** Roles that an invite or the owner gives. Leaders may order from the team's balance; viewers only read. */
export const TEAM_ROLES = ['leader', 'viewer'] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];

/** A member's standing in the team. A team has one owner, who is a leader without limit. */
export const TEAM_STANDINGS = ['owner', ...TEAM_ROLES] as const;
export type TeamStanding = (typeof TEAM_STANDINGS)[number];

/** Describes each role's rights on pages. */
export const ROLE_WORDS: Readonly<Record<TeamStanding, { label: string; help: string }>> = {
  owner: {
    label: message('Owner'),
    help: message('Adds to the balance, sets the limit, invites and removes members.'),
  },
  leader: { label: message('Leader'), help: message('Orders from the shared balance, within the monthly limit.') },
  viewer: {
    label: message('Viewer'),
    help: message('Sees the members, the balance and the results of the team’s orders.'),
  },
};

/** Open teams of one owner, members of one team, and open invites of one team. */
export const MAX_TEAMS = 10;
export const MAX_MEMBERS = 50;
export const MAX_INVITES = 50;
export const MAX_TEAM_NAME = 60;
export const INVITE_DAYS = 7;
