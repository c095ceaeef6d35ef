import { execFileSync } from 'node:child_process';
import { compareDays, inactiveSince } from '../../domain/history/between.ts';
import { historyBytes, readHistory } from '../../domain/history/file.ts';
import { addScan, dayNumber, emptyHistory, type History } from '../../domain/history/history.ts';
import { entriesOf } from '../../domain/history/line.ts';
import { isInDoubt, presentIn, stateIn } from '../../domain/history/present.ts';
import type { Shown } from '../../domain/history/state.ts';
import { QUICK } from '../quick.ts';
import { judge, median, printTable } from '../report.ts';
import { printCosts } from './costs.ts';
import { daysOf, historyOf, type Pace, profilesOf, scanOn } from './kingdoms.ts';

/**
 * Measures packed histories: their size, adding a scan, and reading a governor's line and a kingdom's comparison, warm
 * and in a new process. The cost of a kingdom is compared at 40 and at 400 kingdoms. Ends with what several loads cost.
 */

const DAYS = QUICK ? 12 : 90;
const GOVERNORS = QUICK ? 100 : 1000;
const ROUNDS = QUICK ? 3 : 25;

/** Processor time of one call in ms: the median of several. */
function processor(act: () => unknown, rounds = ROUNDS): number {
  return median(
    Array.from({ length: rounds }, () => {
      const before = process.cpuUsage();
      const start = performance.now();
      act();
      const { user, system } = process.cpuUsage(before);
      return Math.min(performance.now() - start, (user + system) / 1000);
    }),
  );
}

interface Measured {
  bytesPerDay: number;
  add: number;
  late: number;
  line: number;
  compared: number;
  page: number;
}

const NOBODY: ReadonlySet<number> = new Set();

/** Adds a scan as publishing does: reads the file, adds, counts the inactive governors, writes the file. */
const added = (bytes: Uint8Array, day: number, seen: ReturnType<typeof lastDay>, shown: Shown): Uint8Array => {
  const history = readHistory(bytes) as History;
  const [scan, week] = [scanOn(day), scanOn(day - 7)];
  addScan(history, scan, seen, shown);
  inactiveSince(
    { kingdom_id: scan.kingdom_id, history, departed: NOBODY },
    scan.captured_at,
    dayNumber(week.captured_at),
  );
  return historyBytes(history);
};

function lastDay(pace: Pace, day: number) {
  let seen = [...daysOf(GOVERNORS, 1, pace)][0] ?? [];
  let at = 0;
  for (const each of daysOf(GOVERNORS, day + 1, pace)) if (at++ === day) seen = each;
  return seen;
}

function lineIn(bytes: Uint8Array, governor: number): number {
  const kingdom = { kingdom_id: 1, history: readHistory(bytes) as History, departed: NOBODY };
  const { captured_at } = scanOn(DAYS - 1);
  const own = presentIn(kingdom, { newest: captured_at, standing: captured_at }).find(({ id }) => id === governor);
  if (!own) throw new Error('no such governor');
  return [...entriesOf(own.line)].length + stateIn(kingdom, own).name.length;
}

/** Reads what a kingdom's page needs from the file: present, strongest and inactive governors. */
function pageIn(bytes: Uint8Array): number {
  const kingdom = { kingdom_id: 1, history: readHistory(bytes) as History, departed: NOBODY };
  const { captured_at } = scanOn(DAYS - 1);
  const present = presentIn(kingdom, { newest: captured_at, standing: captured_at });
  const sure = present.filter((known) => !isInDoubt(known, 'power')).length;
  const still = inactiveSince(kingdom, captured_at, dayNumber(scanOn(DAYS - 8).captured_at)).inactive.slice(0, 15);
  return sure + still.length + present.slice(0, 15).map((known) => stateIn(kingdom, known)).length;
}

function comparedIn(bytes: Uint8Array): number {
  const history = readHistory(bytes) as History;
  const days = {
    first: dayNumber(scanOn(DAYS - 8).captured_at),
    last: dayNumber(scanOn(DAYS - 1).captured_at),
    ranks: GOVERNORS,
    shallowThen: false,
    shallowNow: false,
  };
  return compareDays({ kingdom_id: 1, history, departed: NOBODY }, days, NOBODY, true).gained.compared;
}

function measure(pace: Pace, rounds = ROUNDS): Measured {
  const history = historyOf(GOVERNORS, DAYS, pace);
  const bytes = historyBytes(history);
  const seen = lastDay(pace, DAYS);
  const shown = profilesOf(GOVERNORS);
  const [governor = 0] = history.lines.keys();
  return {
    bytesPerDay: bytes.length / DAYS,
    add: processor(() => added(bytes, DAYS, seen, shown), rounds),
    late: processor(() => added(historyBytes(withoutDay(pace, DAYS - 2)), DAYS - 2, lastDay(pace, DAYS - 2), shown), 1),
    line: processor(() => lineIn(bytes, governor), rounds),
    compared: processor(() => comparedIn(bytes), rounds),
    page: processor(() => pageIn(bytes), rounds),
  };
}

/** Returns a history that lacks one day. */
function withoutDay(pace: Pace, missing: number): History {
  const history = emptyHistory();
  const shown = profilesOf(GOVERNORS);
  let day = 0;
  for (const seen of daysOf(GOVERNORS, DAYS, pace)) {
    if (day !== missing) addScan(history, scanOn(day), seen, shown);
    day++;
  }
  return history;
}

/** Returns the ms of processor that the first addition takes in a new process. */
function coldAdd(pace: Pace): number {
  const script = `import { firstAdd } from '${import.meta.filename}'; console.log(firstAdd('${pace}'));`;
  const once = () =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).trim());
  return median(Array.from({ length: QUICK ? 1 : 5 }, once));
}

/**
 * Measures an addition in a process whose code is still cold. Another process makes the file, because making it here
 * would warm the code.
 */
export function firstAdd(pace: Pace): number {
  const script = `import { historyOf } from '${import.meta.dirname}/kingdoms.ts';
    import { historyBytes } from '${import.meta.dirname}/../../domain/history/file.ts';
    process.stdout.write(historyBytes(historyOf(${GOVERNORS}, ${DAYS}, '${pace}')));`;
  const bytes = execFileSync(process.execPath, ['--input-type=module', '-e', script], { maxBuffer: 2 ** 26 });
  const seen = lastDay(pace, 1);
  const shown = profilesOf(GOVERNORS);
  return processor(() => added(new Uint8Array(bytes), DAYS, seen, shown), 1);
}

/** Returns the processor time per kingdom of adding a scan to each of `kingdoms` stored files, in ms. */
function perKingdom(kingdoms: number): number {
  const files = Array.from({ length: kingdoms }, () => historyBytes(historyOf(GOVERNORS / 10, 10, 'ordinary')));
  const seen = [...daysOf(GOVERNORS / 10, 11, 'ordinary')].at(-1) ?? [];
  const shown = profilesOf(GOVERNORS / 10);
  const before = process.cpuUsage();
  for (const [index, bytes] of files.entries()) files[index] = added(bytes, 10, seen, shown);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / kingdoms;
}

const figure = (value: number): string => value.toFixed(2);

export async function run(): Promise<void> {
  const paces: Pace[] = ['ordinary', 'war'];
  const measured = paces.map((pace) => ({ pace, ...measure(pace), cold: coldAdd(pace) }));
  console.log(`A kingdom of ${GOVERNORS} governors over ${DAYS} days (ms of processor)`);
  printTable(
    measured.map(({ pace, bytesPerDay, add, cold, late, line, compared, page }) => ({
      month: pace,
      'kB a day': figure(bytesPerDay / 1000),
      'add a scan': figure(add),
      'in a new process': figure(cold),
      'a day late, with making the file': figure(late),
      'a governor': figure(line),
      'compare two days': figure(compared),
      'a kingdom': figure(page),
    })),
  );
  // Alternately, because other load changes while they run, and few kingdoms take only some milliseconds.
  const rounds = Array.from({ length: QUICK ? 1 : 7 }, () => [perKingdom(40), perKingdom(QUICK ? 40 : 400)] as const);
  const few = median(rounds.map(([each]) => each));
  const many = median(rounds.map(([, each]) => each));
  console.log(`A scan costs ${figure(many)} ms at 400 kingdoms and ${figure(few)} ms at 40.`);
  const [ordinary, war] = measured;
  printCosts(ordinary?.bytesPerDay ?? Number.NaN);
  judge([
    {
      what: 'kB a kingdom and day, ordinary month',
      reached: (ordinary?.bytesPerDay ?? 0) / 1000,
      wanted: 16,
      below: true,
    },
    { what: 'kB a kingdom and day, war every day', reached: (war?.bytesPerDay ?? 0) / 1000, wanted: 25, below: true },
    { what: 'ms to add a scan', reached: Math.max(...measured.map(({ add }) => add)), wanted: 10, below: true },
    {
      what: 'ms to add a scan in a new process',
      reached: Math.max(...measured.map(({ cold }) => cold)),
      wanted: 20,
      below: true,
    },
    { what: 'ms for a governor', reached: Math.max(...measured.map(({ line }) => line)), wanted: 2, below: true },
    {
      what: 'ms to compare two days of a kingdom',
      reached: Math.max(...measured.map(({ compared }) => compared)),
      wanted: 4,
      below: true,
    },
    { what: 'ms for a kingdom', reached: Math.max(...measured.map(({ page }) => page)), wanted: 4, below: true },
    { what: 'cost of a kingdom at 400 in that at 40', reached: many / few, wanted: 1.2, below: true },
  ]);
}
