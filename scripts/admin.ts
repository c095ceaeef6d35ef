import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DAY_MS, type Day, isDay } from '../domain/days.ts';
import { GAME_IDS, type GameId, isGameId } from '../domain/games/game-names.ts';
import { backupTimes, readManifest } from '../worker/gateways/backup-store.ts';
import { userByName } from '../worker/models/accounts/accounts.ts';
import { sealedByKey } from '../worker/models/accounts/sealed.ts';
import { unpack } from '../worker/models/kingdoms/directory.ts';
import { copyDirectory, dropDirectory, lackingTable, placesOf } from '../worker/models/service/move-directory.ts';
import {
  addGroup,
  firstCode,
  noteCopy,
  resetTwoFactor,
  revokeGroup,
  rotateGroup,
  setRole,
} from '../worker/models/service/operator.ts';
import { soldBy } from '../worker/models/service/recall.ts';
import { rebuildHistories } from '../worker/services/histories/pack-histories.ts';
import { sampleBackup } from '../worker/services/service/back-up.ts';
import { recallSold } from '../worker/services/service/recall-sold.ts';
import { checkHistories } from '../worker/services/service/verify-histories.ts';
import { verifyState } from '../worker/services/service/verify-state.ts';
import { fetchBackup, takeBackup } from './admin/backup.ts';
import { CONFIG, openPlatform, type Platform } from './admin/platform.ts';
import { restoreBackup } from './admin/restore.ts';
import { copyScans } from './admin/snapshots.ts';
import { Problem, runCommand, settingsOf } from './settings.ts';

const USAGE = `Usage: npm run admin -- <command> [--remote] [--env staging]

  first-code [--uses 1] [--days 7]     an access code, to register with
  promote <user>                       makes a user an admin
  demote <user>                        removes admin rights and ends the user's sessions
  reset-2fa <user> --proof "<how>"     removes a lost second factor; --proof says how the user proved their identity
  group add <id> [<name>]              adds a group of bots and prints its token, once
  group rotate <id>                    replaces the token; the old one is refused from then on
  group revoke <id>                    refuses the group
  keys                                 counts the secrets sealed with each key of SESSION_KEYS
  backup <folder>                      copies database and bucket into a new folder; close the service first (CLOSED)
  restore <folder>                     fills an empty, migrated database and an empty bucket from it
  verify                               reads everything and reports inconsistencies
  verify-history [<game> <kingdom>]    compares every day of the packed histories with the stored scans; interrupted, it goes
                                       on behind the kingdom that is named
  backups                              lists the service's automatic backups and reads a sample of each
  fetch-backup <folder> [<time>]       writes one of them (by default the newest) into a new folder, to restore from;
                                       interrupted, it goes on where it was
  rebuild-history [<game> <kingdom>]   packs the histories that are not packed yet, or with --all every one again, from the
                                       stored scans, and compares them with the tables; interrupted, it goes on where it was
  snapshots --out <folder>             copies the Parquet files of scans for DuckDB or Spark (docs/scale.md); --from and --to
                                       name the first and last day (2026-11-20), --game one of the games, --kingdoms some
                                       of its kingdoms (1001-1040,1050); interrupted, it goes on where it was
  move-directory <game>                copies the game's directory of governors into the database that is bound for it, or with
                                       --back out of it again; repeated, it adds what changed meanwhile; with --yes, only
                                       deletes it at the old place (docs/operating.md)
  recall <group/bot> --since <time>    what was sold with rows of a bot (or group) since then, such as 2026-11-20;
                                       with --yes, takes it back and has it read again, free of charge

Without --remote it works on the local copy in STATE_DIR (.state), which must not run meanwhile; with it on the account that wrangler is signed in to.
--config <file> stands in for wrangler.toml.`;

interface Flags {
  uses: string;
  days: string;
  proof?: string | undefined;
  since?: string | undefined;
  yes: boolean;
  all: boolean;
  back: boolean;
  out?: string | undefined;
  game?: string | undefined;
  kingdoms?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

type Command = (platform: Platform, words: string[], flags: Flags) => Promise<void>;

const operator = () => ({ name: userInfo().username });
const say = (text: string): void => console.log(text);

function wholeNumber(name: string, text: string, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new Problem(`--${name} must be a whole number from 1 to ${most}, not '${text}'.`);
}

function dayFlag(text: string | undefined): Day | undefined {
  if (text !== undefined && !isDay(text)) throw new Problem(`Name a day as 2026-11-20, not '${text}'.`);
  return text;
}

/** Reads kingdoms and ranges of them ('1001-1040,1050'). */
function kingdomsFlag(text: string): number[] {
  const kingdoms = text.split(',').flatMap((part) => {
    const [first = '', last = first, ...rest] = part.split('-');
    const from = wholeNumber('kingdoms', first, MAX_KINGDOM);
    const to = wholeNumber('kingdoms', last, MAX_KINGDOM);
    if (rest.length > 0 || to < from) throw new Problem(`Name kingdoms as 1001-1040,1050, not '${part}'.`);
    if (to - from >= MOST_KINGDOMS) throw new Problem(`'${part}' names more than ${MOST_KINGDOMS} kingdoms.`);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
  return [...new Set(kingdoms)];
}

function word(words: string[], what: string): string {
  const [first] = words;
  if (!first) throw new Problem(`Name ${what}.\n\n${USAGE}`);
  return first;
}

async function userNamed({ db, name }: Platform, words: string[]) {
  const asked = word(words, 'the user');
  const user = await userByName(db, asked);
  if (!user) throw new Problem(`${name} has no user '${asked}'.`);
  return user;
}

const role =
  (to: 'admin' | 'user'): Command =>
  async (platform, words) => {
    const user = await userNamed(platform, words);
    if (to === 'admin' && user.verified_at === null)
      throw new Problem(`${user.username} has not proved his e-mail address yet.`);
    const changed = await setRole(platform.db, operator(), user.id, to);
    const is = to === 'admin' ? 'an admin' : 'no admin';
    say(changed ? `${user.username} is ${is} now.` : `${user.username} is ${is} already.`);
    if (to === 'admin')
      say('The admin pages open with two-factor sign-in, which is set up under My Account, Security.');
  };

const MAX_DAYS = 365;
/** Files of each kind that are read back as a sample of a backup. */
const SAMPLED = 100;
/** Largest number of a kingdom that commands accept. */
const MAX_KINGDOM = 1_000_000;
/** Largest range of kingdoms that commands accept. */
const MOST_KINGDOMS = 10_000;

const COMMANDS: Record<string, Command> = {
  async 'first-code'({ db }, _, flags) {
    const uses = wholeNumber('uses', flags.uses, 1000);
    const expires_at = Date.now() + wholeNumber('days', flags.days, MAX_DAYS) * DAY_MS;
    const code = await firstCode(db, operator(), { uses, expires_at });
    say(`Access code: ${code}`);
    say(`Good for ${uses === 1 ? 'one account' : `${uses} accounts`} until ${new Date(expires_at).toISOString()}.`);
  },
  promote: role('admin'),
  demote: role('user'),
  async 'reset-2fa'(platform, words, { proof }) {
    const user = await userNamed(platform, words);
    if (!proof || proof.trim().length < 10)
      throw new Problem('Say with --proof how the user proved who he is, in at least 10 characters: the log keeps it.');
    const { id: userId, email } = user;
    if (!(await resetTwoFactor(platform.db, operator(), { userId, email, proof })))
      throw new Problem(`${user.username} has no second factor.`);
    say(`${user.username} signs in with his password alone now. His sessions have ended, and he gets a mail.`);
  },
  async group({ db, name }, [verb, ...words]) {
    const id = word(words, 'the group');
    const none = new Problem(`${name} has no such group '${id}'.`);
    if (verb === 'revoke') {
      if (!(await revokeGroup(db, operator(), id))) throw new Problem(`${name} has no open group '${id}'.`);
      return say(`The group ${id} is refused; what was let in already within ten seconds.`);
    }
    if (verb !== 'add' && verb !== 'rotate') throw new Problem(`group add, group rotate or group revoke.\n\n${USAGE}`);
    if (!/^[\w.-]{1,64}$/.test(id)) throw new Problem('A group is named by up to 64 letters, digits and . - _');
    const token =
      verb === 'add'
        ? await addGroup(db, operator(), { id, name: words[1] ?? id })
        : await rotateGroup(db, operator(), id);
    if (!token) throw verb === 'add' ? new Problem(`The group ${id} is there already: rotate it.`) : none;
    say(`FLEET_TOKEN=${token}`);
    say('It is not shown again.');
  },
  async keys({ db, name }) {
    const counts = await sealedByKey(db);
    for (const [id, count] of counts) say(`The key '${id}' has sealed ${count} secrets of ${name}: it is needed.`);
    say(
      counts.size === 0
        ? `Nothing is sealed in ${name}.`
        : 'A key that is not named here opens only sessions, links in mails, and long addresses of shared results and reports.',
    );
  },
  async backup(platform, words) {
    const folder = resolve(here(), word(words, 'a new folder'));
    const { tables, objects } = await takeBackup(platform, folder);
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
    await noteCopy(platform.db, operator(), 'backup.taken', { rows, objects: objects.length });
    say(`${rows} rows of ${Object.keys(tables).length} tables and ${objects.length} objects of ${platform.name}.`);
  },
  async backups({ backup, name }) {
    const bucket = backup as unknown as Parameters<typeof sampleBackup>[0];
    const times = await backupTimes(bucket);
    for (const time of times) {
      const manifest = await readManifest(bucket, time);
      const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
      say(`${time}: ${rows} rows, and ${await sampleBackup(bucket, manifest, SAMPLED)} files read again as they were.`);
    }
    if (times.length === 0) throw new Problem(`${name} has no backup yet.`);
  },
  async 'fetch-backup'(platform, words) {
    const folder = resolve(here(), word(words, 'a new folder'));
    const { taken_at, tables, objects } = await fetchBackup(platform, folder, words[1]);
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
    say(
      `The backup of ${taken_at}: ${rows} rows of ${Object.keys(tables).length} tables and ${objects.length} objects.`,
    );
  },
  async restore(platform, words) {
    const folder = resolve(here(), word(words, 'the folder of a backup'));
    const { rows, orphans, objects, anew } = await restoreBackup(platform, folder, operator());
    if (orphans > 0)
      say(`${orphans} rows were left out, because what they refer to was written only after its table was backed up.`);
    say(`${rows} rows and ${objects} objects are in ${platform.name}. ${anew} scans that were under way begin anew.`);
  },
  async verify({ db, store, name }) {
    const { flaws, snapshots, objects, boards } = await verifyState(db, store);
    say(`${snapshots} snapshots, ${objects} objects and ${boards} boards of ${name} were read.`);
    if (flaws.length > 0) throw new Problem(`This does not fit:\n${flaws.join('\n')}`);
    say('Everything fits.');
  },
  async 'verify-history'({ db, store, name }, [game, kingdom]) {
    const after =
      game === undefined
        ? undefined
        : { game: gameNamed(game), kingdom_id: wholeNumber('kingdom', kingdom ?? '', MAX_KINGDOM) };
    let count = 0;
    for await (const { asked, scans, ...found } of checkHistories(db, store, { after, all: true }, Date.now())) {
      const flaws = [...found.flaws, ...found.unread.map((key) => `${key} cannot be read.`)];
      say(`${asked.game} ${asked.kingdom_id}: ${flaws.length === 0 ? `all ${scans} scans fit` : flaws.join(' ')}`);
      count += flaws.length;
    }
    if (count > 0) throw new Problem(`${count} findings in the histories of ${name}.`);
  },
  async 'rebuild-history'({ db, store, name }, [game, kingdom], { all }) {
    if (game !== undefined) {
      await unpack(db, [{ game: gameNamed(game), kingdom_id: wholeNumber('kingdom', kingdom ?? '', MAX_KINGDOM) }]);
    } else if (all) await unpack(db, 'all');
    const { differing, packed } = await rebuildHistories(db, store, ({ game: of, kingdom_id }, told) => {
      say(`${of} ${kingdom_id}: ${told.compared} governors, ${told.differing} differ from the directory.`);
    });
    if (differing > 0)
      throw new Problem(`${packed} histories of ${name} were packed, and ${differing} governors differ.`);
    say(`${packed} histories of ${name} were packed.`);
  },
  async snapshots(platform, _, { out, game, kingdoms, from, to }) {
    if (!out) throw new Problem(`Name the folder with --out.\n\n${USAGE}`);
    const folder = resolve(here(), out);
    const { scans, copied } = await copyScans(platform, folder, {
      game: game === undefined ? undefined : gameNamed(game),
      kingdoms: kingdoms === undefined ? undefined : kingdomsFlag(kingdoms),
      from: dayFlag(from),
      to: dayFlag(to),
    });
    say(`${folder} has ${scans} scans of ${platform.name}, ${copied} of them new.`);
  },
  async 'move-directory'({ db, name }, words, { back, yes }) {
    const game = gameNamed(word(words, 'the game'));
    const places = placesOf(db, game, back);
    if (!places) throw new Problem(`${name} has no database that is bound as DIRECTORY_${game.toUpperCase()}.`);
    if (!yes) {
      const rows = Object.entries(await copyDirectory(places, game)).map(([table, count]) => `${count} ${table}`);
      say(`The new place of ${game} has ${rows.join(', ')}.`);
      return say(
        back
          ? 'Keep a copy of wrangler.toml with the binding and deploy the service without it. Then repeat this with --config <copy>, and once more with --yes.'
          : 'Deploy the service with the binding, then repeat this, and once more with --yes.',
      );
    }
    // Nothing is copied here, because what the new place has deleted since would come back.
    const lacking = await lackingTable(places, game);
    if (lacking)
      throw new Problem(
        `The new place lacks rows of ${lacking}, so nothing was deleted: repeat this without --yes first.`,
      );
    await dropDirectory(places, game);
    say(`The directory of ${game} is deleted at the old place.`);
  },
  async recall({ db, store, name }, words, { since, yes }) {
    const bot = word(words, 'the bot, as group/bot, or its group');
    const from = Date.parse(since ?? '');
    if (Number.isNaN(from))
      throw new Problem('Say with --since from when on, such as 2026-11-20 or 2026-11-20T14:00Z.');
    const items = await soldBy(db, bot, from);
    for (const { finished_at, order_id, username, game, kingdom_id, item_id, parts } of items)
      say(
        `${new Date(finished_at).toISOString()} order #${order_id} of ${username}: ${game} ${kingdom_id}, ${parts} hundreds (${item_id})`,
      );
    if (!yes) return say(`${items.length} items of ${name}. Revoke the group first, then run this again with --yes.`);
    const { recalled, resumed } = await recallSold(db, store, operator(), { bot, items });
    if (resumed > 0) say(`${resumed} recalls of ${name} that were cut short are complete.`);
    say(`${recalled} items of ${name} were taken back and are read again. Publish the boards of these days again.`);
  },
};

function gameNamed(game: string): GameId {
  if (!isGameId(game)) throw new Problem(`Name the game as ${GAME_IDS.join(' or ')}, not '${game}'.`);
  return game;
}

/** The folder in which the command was called; npm changes into the clone. */
const here = (): string => process.env.INIT_CWD ?? process.cwd();

async function main(): Promise<void> {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: {
      remote: { type: 'boolean', default: false },
      env: text,
      config: text,
      uses: { ...text, default: '1' },
      days: { ...text, default: '7' },
      proof: text,
      since: text,
      yes: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      back: { type: 'boolean', default: false },
      out: text,
      game: text,
      kingdoms: text,
      from: text,
      to: text,
    },
  });
  const [name = '', ...words] = positionals;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new Problem(USAGE);
  const { stateDir } = settingsOf(process.env);
  const config = values.config ? resolve(here(), values.config) : CONFIG;
  const platform = await openPlatform({ remote: values.remote, environment: values.env, stateDir, config });
  try {
    await command(platform, words, values);
  } finally {
    await platform.close();
  }
}

await runCommand(main);
