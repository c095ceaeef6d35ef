import * as z from 'zod';
import { GAME_IDS } from '../games/game-names.ts';
import { ENTRY_KINDS } from '../money/ledger.ts';
import { TEAM_ROLES, TEAM_STANDINGS } from './roles.ts';

/** Answers of the calls about teams: amounts in dollars, times in epoch milliseconds. */

const head = {
  team_id: z.string().describe('Id of the team.'),
  name: z.string(),
  role: z.enum(TEAM_STANDINGS).describe("The caller's."),
  balance: z.number().describe('The shared balance.'),
  spendable: z
    .number()
    .describe("What the caller may order now: the balance, for a leader within the month's limit; 0 for a viewer."),
  monthly_limit: z.number().describe('What leaders other than the owner may spend in a calendar month, together.'),
  spent: z.number().describe("What they have spent this month (UTC), less this month's refunds; 0 at least."),
};

export const teamList = z.object({
  teams: z
    .array(
      z.object({
        ...head,
        owner: z.string().describe("The owner's username."),
        members: z.int().describe('Number of members.'),
      }),
    )
    .describe('Open teams that the caller is a member of, by name.'),
});

export const teamMade = z.object({ team_id: z.string().describe('Id of the team.') });

export const wholeTeam = z.object({
  ...head,
  members: z.array(
    z.object({
      user_id: z.string().describe('Id of the member.'),
      username: z.string(),
      role: z.enum(TEAM_STANDINGS),
      joined_at: z.number().describe('When they joined.'),
      you: z.boolean().describe('True for the caller.'),
    }),
  ),
  invites: z
    .array(
      z.object({
        invite_id: z.string().describe('Id of the invite.'),
        role: z.enum(TEAM_ROLES),
        created_at: z.number(),
        expires_at: z.number(),
        path: z.string().describe('Path of the page that accepts it.'),
      }),
    )
    .describe('Open invites, for the owner on the website; empty for others and for API keys.'),
});

export const inviteMade = z.object({
  invite_id: z.string().describe('Id of the invite.'),
  path: z.string().describe('Path of the page that accepts it.'),
  expires_at: z.number(),
});

/** An invite, as its page shows it. */
export const inviteOffer = z.object({
  team_id: z.string().describe('Id of the team.'),
  name: z.string(),
  owner: z.string().describe("The owner's username."),
  role: z.enum(TEAM_ROLES),
  members: z.int().describe('Number of members.'),
  expires_at: z.number(),
  joined: z.boolean().describe('True if the caller is a member already.'),
});

export const transferred = z.object({
  transferred: z.boolean().describe('False if the key was used before, so that nothing was moved again.'),
});

export const teamLibrary = z.object({
  links: z
    .array(
      z.object({
        link_id: z.string().describe('Id of the link.'),
        kind: z.enum(['results', 'report']),
        game: z.enum(GAME_IDS),
        title: z.string().describe('The report’s name, or whose results it shows.'),
        by: z.string().describe('Username of who shared it.'),
        yours: z.boolean().describe('True if the caller shared it.'),
        created_at: z.number(),
        expires_at: z.number(),
        path: z.string().describe('Path of its page.'),
      }),
    )
    .describe('Working links that members shared, the newest 200.'),
});

export const teamClosed = z.object({ returned: z.number().describe('What went back to the owner.') });

export const teamStatement = z.object({
  lines: z.array(
    z.object({
      entry_id: z.int(),
      created_at: z.number(),
      kind: z.enum(ENTRY_KINDS),
      amount: z.number().describe('Signed.'),
      balance: z.number().describe("The team's balance after this entry."),
      note: z.string(),
      by: z.string().describe('Username of who ordered or transferred.'),
      order_id: z.int().nullable(),
    }),
  ),
  next: z.int().nullable().describe('`before` of the next page; null on the last page.'),
});
