import type * as z from 'zod';
import { capital } from '../../../domain/figures.ts';
import { GAMES } from '../../../domain/games/games.ts';
import type { teamLibrary } from '../../../domain/teams/answers.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { notFound, Refusal } from '../../errors.ts';
import { idOfCode } from '../../http/short-links.ts';
import { addToLibrary, dropFromLibrary, type LibraryLink, libraryOf } from '../../models/teams/library.ts';
import { reportPath } from '../compare/show-report.ts';
import { sharePath } from '../results/shared-link.ts';
import { findTeam } from './manage-team.ts';

const titleOf = ({ name, order_id, game, kingdom_id }: LibraryLink): string => {
  if (name !== null) return name;
  return order_id === null ? `${capital(GAMES[game].kingdom.one)} ${kingdom_id}` : `Order ${order_id}`;
};

/** Returns what members share with their team. @throws Refusal not_found if the user is not a member. */
export async function showLibrary(
  db: Db,
  env: Env,
  userId: string,
  teamId: string,
  now = Date.now(),
): Promise<z.infer<typeof teamLibrary>> {
  const [links] = await Promise.all([libraryOf(db, teamId, now), findTeam(db, userId, teamId, now)]);
  const shown = links.map(async (link) => {
    const { link_id, kind, by, created_at, expires_at, game } = link;
    const path = await (kind === 'report' ? reportPath : sharePath)(env, { id: link_id, expires_at });
    return {
      link_id,
      kind,
      game,
      title: titleOf(link),
      by,
      yours: link.user_id === userId,
      created_at,
      expires_at,
      path,
    };
  });
  return { links: await Promise.all(shown) };
}

/** Last part of a short link's address. */
const CODE = /\/s\/([\w-]+)\/?$/;

/** Shares a link of the user's own with their team, by its short address. @throws Refusal. */
export async function shareWithTeam(db: Db, userId: string, teamId: string, address: string): Promise<void> {
  await findTeam(db, userId, teamId);
  const linkId = idOfCode(CODE.exec(address)?.[1] ?? '');
  if (linkId && (await addToLibrary(db, { userId, teamId, linkId }))) return;
  throw new Refusal(
    'invalid',
    'link: must be the short address of a link of yours that works. Make one with Share on your results or report.',
  );
}

/** Takes a link out of a team's library. @throws Refusal not_found if it is not there or not theirs to take. */
export async function takeFromTeam(db: Db, userId: string, teamId: string, linkId: string): Promise<void> {
  await findTeam(db, userId, teamId);
  if (!(await dropFromLibrary(db, { userId, teamId, linkId }))) throw notFound('link');
}
