import type { GameId } from '../games/game-names.ts';
import { message, t, words } from '../language/text.ts';

/** Titles of columns of comparisons, as files have them in English. */
export const FILE_TITLES = {
  rank: message('Rank'),
  name: message('Name'),
  alliance: message('Alliance'),
  power: message('Power'),
  power_at_start: message('Power at the Start'),
  dkp: message('DKP'),
  dkp_raw: message('DKP Raw'),
  verified_t4: message('Verified T4 Deads'),
  verified_t5: message('Verified T5 Deads'),
  doubt: message('Doubt'),
  apart: message('Counted Apart'),
  camp: message('Camp'),
  counts_for: message('Counts for'),
  left_out: message('Left Out as Doubtful'),
  common: message('In Both'),
  joined: message('Joined'),
  gone: message('Gone'),
} as const;

/** Returns the game that has this word for a governor or kingdom. */
const gameOf = (word: string): GameId => (word === 'Lord' || word === 'Server' ? 'cod' : 'rok');

/** Returns a column's title in the current language. */
export function titleInWords(title: string): string {
  const [, gained] = /^(.+) Gained$/.exec(title) ?? [];
  if (gained) return t('{figure} Gained', { figure: words(gained) });
  const [, target] = /^Goal (.+) Reached %$/.exec(title) ?? [];
  if (target) return t('Goal {target} Reached %', { target: words(target) });
  const [, person] = /^(Governor|Lord) ID$/.exec(title) ?? [];
  if (person) return t('{game, select, cod {Lord ID} other {Governor ID}}', { game: gameOf(person) });
  const [, place] = /^(Kingdom|Server) Now$/.exec(title) ?? [];
  return place ? t('{game, select, cod {Server Now} other {Kingdom Now}}', { game: gameOf(place) }) : words(title);
}
