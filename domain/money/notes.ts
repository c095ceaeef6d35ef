import { counted, countedOf } from '../figures.ts';
import { GAME_NAMES } from '../games/game-names.ts';
import { kingdomTitle } from '../games/titles.ts';
import { labelled, message, t, words } from '../language/text.ts';

/**
 * Notes of ledger entries. Stored in English, so that each reader gets their own language. Admins write others, which
 * stay as they are.
 */

export const PAID = message('Paid by Stripe');
export const REFUNDED = message('Refunded by Stripe');
export const DISPUTED = message('Disputed at the bank');
export const REFUND_FAILED = message('Refund that failed');
export const DISPUTE_WON = message('Dispute won');
export const TEAM_CLOSED = message('The team was closed');

const numberOf = (digits: string): number => Number(digits.replaceAll(',', ''));

/** Returns the note of a return: 'Kingdom 1042', 'Kingdom 1042: 240 of 300 governors' or '3 items'; null for others. */
function returnText(note: string): string | null {
  const [, items] = /^([\d,]+) items$/.exec(note) ?? [];
  if (items) return counted(numberOf(items), 'item');
  const [, word, id, got, of] = /^(Kingdom|Server) (\d+)(?:: ([\d,]+) of ([\d,]+) \w+)?$/.exec(note) ?? [];
  if (!id) return null;
  const game = word === 'Server' ? 'cod' : 'rok';
  const place = kingdomTitle(game, id);
  return got && of ? labelled(place, countedOf(numberOf(got), numberOf(of), GAME_NAMES[game].governor)) : place;
}

/** Returns the note of a transfer, which names a team; null for others. */
function transferText(note: string): string | null {
  const [, from, name] = /^(To the|From the closed) team (.+)$/s.exec(note) ?? [];
  if (!name) return null;
  return from === 'To the' ? t('To the team {name}', { name }) : t('From the closed team {name}', { name });
}

/** Returns a stored note in the current language. */
export const noteText = (note: string): string => returnText(note) ?? transferText(note) ?? words(note);
