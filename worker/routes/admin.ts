import { type Context, Hono } from 'hono';
import * as z from 'zod';
import { newAccessCode, signOut } from '../../domain/accounts/account.ts';
import { rebuildable } from '../../domain/boards/leaderboard.ts';
import { GAME_IDS, GAMES } from '../../domain/games/games.ts';
import { dollars } from '../../domain/money/money.ts';
import { folderSeen } from '../../domain/scans/file-report.ts';
import { answer } from '../answer.ts';
import { notFound, Refusal } from '../errors.ts';
import { folderReport as seenFolder } from '../gateways/folder-reports.ts';
import { admin } from '../middleware/admin.ts';
import { answers } from '../middleware/answers.ts';
import { addressOf } from '../middleware/limits.ts';
import type { UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { createAccessCode, listAccessCodes, revokeAccessCode } from '../models/accounts/access-codes.ts';
import { userByName } from '../models/accounts/accounts.ts';
import { endSessionsAsAdmin } from '../models/accounts/sessions.ts';
import { countUnsent, listMails, MAILS_PER_PAGE } from '../models/messages/outbox.ts';
import {
  ADMIN_ORDERS_PER_PAGE,
  isOnline,
  type ListedBot,
  listAllOrders,
  listBots,
  serviceFigures,
} from '../models/service/overview.ts';
import { beginsByItself, listSetbacks, tryAgainNow } from '../models/service/setbacks.ts';
import { publishDayAgain } from '../services/boards/publish-boards.ts';

const rowId = z.coerce.number('must be a number').int().positive().max(Number.MAX_SAFE_INTEGER);
const boardsAgain = z.strictObject({
  game: z.enum(GAME_IDS, `must be one of ${GAME_IDS.join(', ')}`),
  day: z.iso.date('must be a day such as 2026-03-01'),
});
const setbackNamed = z.strictObject({ job: z.string().min(1).max(100), subject: z.string().max(200) });
const pageQuery = z.object({ before: rowId.optional() });

/** A bot as the specification's section 3 has it; `last_connected` (epoch seconds) is null where it is offline. */
const botAnswer = (bot: ListedBot, now: number) => ({
  bot_id: bot.bot_id,
  group: bot.group,
  account_game: bot.account_game,
  kingdom_id: bot.kingdom_id,
  account_ip: bot.account_ip,
  governor_id: bot.governor_id,
  packets_count: bot.packets_count,
  tasking_count: bot.tasking_count,
  tasking_count_failed: bot.tasking_count_failed,
  kingdom_titles: bot.kingdom_titles,
  discord_titles: bot.discord_titles,
  last_connected: isOnline(bot, now) ? Math.floor(bot.last_connected_at / 1000) : null,
  error: bot.error,
});

type BotAnswer = ReturnType<typeof botAnswer>;

/** By group; those that are offline stand together under the key 'null', as in the specification. */
const grouped = (rows: readonly BotAnswer[]): Record<string, BotAnswer[]> =>
  Object.fromEntries(Map.groupBy(rows, (bot) => (bot.last_connected === null ? 'null' : bot.group)));

const countsByAddress = (rows: readonly BotAnswer[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(rows, ({ account_ip }) => account_ip || 'unknown')].map(([address, all]) => [address, all.length]),
  );

const adminOf = (context: Context<UserEnv>) => ({ id: context.get('user').id, address: addressOf(context) });

export const adminArea = new Hono<UserEnv>({ strict: false })
  .use(admin)
  .get('/bots', async (context) => {
    const now = Date.now();
    const bots = grouped((await listBots(context.get('db'))).map((bot) => botAnswer(bot, now)));
    const summary = Object.fromEntries(Object.entries(bots).map(([key, rows]) => [key, countsByAddress(rows)]));
    return answer(context, { bots, summary });
  })
  .get('/bots/:bot_id', async (context) => {
    const now = Date.now();
    const rows = (await listBots(context.get('db'), context.req.param('bot_id'))).map((bot) => botAnswer(bot, now));
    if (rows.length === 0) throw notFound('bot');
    return answer(context, Object.fromEntries(Map.groupBy(rows, ({ group }) => group)) as Record<string, BotAnswer[]>);
  })
  .get('/bots/:bot_id/files', answers(folderSeen), async (context) => {
    const [bot] = await listBots(context.get('db'), context.req.param('bot_id'));
    if (!bot) throw notFound('bot');
    return answer(context, await seenFolder(context.env.STORE, bot.group_id, bot.bot_id));
  })
  .get('/orders', validate('query', pageQuery), async (context) => {
    const page = await listAllOrders(context.get('db'), context.req.valid('query').before);
    return answer(context, {
      orders: page.map(({ total_cents, returned_cents, ...order }) => ({
        ...order,
        total: dollars(total_cents),
        returned: dollars(returned_cents),
      })),
      next: page.length === ADMIN_ORDERS_PER_PAGE ? (page.at(-1)?.order_id ?? null) : null,
    });
  })
  .get('/figures', async (context) => {
    const db = context.get('db');
    const { balances_cents, charged_last_day_cents, ...figures } = await serviceFigures(db);
    return answer(context, {
      ...figures,
      balances: dollars(balances_cents),
      charged_last_day: dollars(charged_last_day_cents),
      mails: await countUnsent(db),
    });
  })
  .get('/setbacks', async (context) => {
    const { count, setbacks } = await listSetbacks(context.get('db'));
    return answer(context, {
      count,
      setbacks: setbacks.map((setback) => ({ ...setback, by_itself: beginsByItself(setback.job) })),
    });
  })
  .post('/setbacks/try', validate('json', setbackNamed), async (context) => {
    if (!(await tryAgainNow(context.get('db'), context.req.valid('json'), adminOf(context), Date.now())))
      throw new Refusal('conflict', 'This is no longer put aside, or is being tried again by itself.');
    return answer(context, {});
  })
  .get('/outbox', validate('query', pageQuery), async (context) => {
    const page = await listMails(context.get('db'), context.req.valid('query').before);
    return answer(context, {
      mails: page.map(({ id, channel, recipient, subject, text, created_at, attempts, sent_at, error }) => ({
        id,
        channel,
        recipient,
        subject,
        text,
        created_at,
        attempts,
        sent_at,
        error,
      })),
      next: page.length === MAILS_PER_PAGE ? (page.at(-1)?.id ?? null) : null,
    });
  })
  .post('/sign-out', validate('json', signOut), async (context) => {
    const { username } = context.req.valid('json');
    const db = context.get('db');
    const user = username === null ? null : await userByName(db, username);
    if (username !== null && !user) throw notFound('user');
    return answer(context, { ended: await endSessionsAsAdmin(db, user?.id ?? null, adminOf(context)) });
  })
  .post('/boards/publish', validate('json', boardsAgain), async (context) => {
    const { game, day } = context.req.valid('json');
    const { from, to } = rebuildable(Date.now());
    if (day < from || day > to) throw new Refusal('invalid', `day: must be from ${from} to ${to}.`);
    const { id, address } = adminOf(context);
    const again = { game, day, actor: `admin:${id}`, address };
    const published = await publishDayAgain(context.get('db'), context.env.STORE, again);
    if (!published) throw new Refusal('not_found', `Nothing of ${GAMES[game].name} had been scanned by ${day}.`);
    return answer(context, { game, day, ...published });
  })
  .get('/access-codes', async (context) => answer(context, await listAccessCodes(context.get('db'))))
  .post('/access-codes', validate('json', newAccessCode), async (context) => {
    const body = context.req.valid('json');
    if (body.expires_at && body.expires_at <= Date.now()) throw new Refusal('invalid', 'expires_at: lies in the past.');
    const code = await createAccessCode(context.get('db'), body, adminOf(context));
    if (!code) throw new Refusal('conflict', 'code: is there already.');
    return answer(context, { code });
  })
  .delete('/access-codes/:code_id', validate('param', z.object({ code_id: rowId })), async (context) => {
    const { code_id } = context.req.valid('param');
    if (!(await revokeAccessCode(context.get('db'), code_id, adminOf(context)))) throw notFound('access code');
    return answer(context, {});
  });
