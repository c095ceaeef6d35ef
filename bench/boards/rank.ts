import { execFileSync } from 'node:child_process';
import { Ranker, rankedColumns } from '../../domain/boards/ranking.ts';
import { GAMES } from '../../domain/games/games.ts';
import { emptyTable, numbersOf, textsOf } from '../../domain/scans/rows.ts';
import { forgetPeak, peak, resident } from '../memory.ts';
import { sized } from '../quick.ts';
import { type Bar, mebibytes, printTable } from '../report.ts';

/** Ranks generated scans of up to 20 million governors, which no local bucket would hold, in a process of its own. */

const ROWS = 1000;
const ALLIANCES = 30;
/** Accounts numbered so far, of which a fraction is on boards. */
const ACCOUNTS = 2 ** 28;
const SIZES = sized([200_000, 2_000_000, 20_000_000], [2000, 20_000]);

/** Heap limit in MB of the process that ranks, because V8 does not collect garbage without pressure. */
const HEAP_MB = 48;

interface Measured {
  /** ms of processor. */
  time: number;
  /** Bytes above a process that has ranked a few kingdoms. */
  memory: number;
  governors: number;
}

/** Ranks `governors`, one in a hundred of whom an older scan shows in another kingdom, too. */
export function rank(governors: number): Measured {
  const { roles } = GAMES.rok;
  const table = emptyTable('rok', ROWS);
  const numbers = rankedColumns('rok').filter((key) => key in table.numbers && key !== roles.id);
  const kingdoms = governors / ROWS;
  const scan = (kingdom: number): void => {
    for (let row = 0; row < ROWS; row++) {
      const number = (row % 100 === 0 ? Math.floor(kingdom / 2) : kingdom) * ROWS + row;
      // An odd factor numbers each account once, scattered over all of them.
      numbersOf(table, roles.id)[row] = (Math.imul(number, 0x9e3779b1) >>> 0) % ACCOUNTS;
      for (const [index, key] of numbers.entries())
        numbersOf(table, key)[row] = (Math.imul(number + index, 0x2c1b3c6d) >>> 0) + 1;
      textsOf(table, roles.name)[row] = `Governor ${number}`;
      textsOf(table, roles.tag)[row] = `A${row % ALLIANCES}`;
      textsOf(table, 'alliance_name')[row] = `Alliance ${kingdom} ${row % ALLIANCES}`;
    }
  };
  const publish = (count: number): number => {
    const ranker = new Ranker('rok');
    for (let kingdom = 1; kingdom <= count; kingdom++) {
      scan(kingdom);
      ranker.begin(kingdom);
      ranker.add(table);
      ranker.end(kingdom);
    }
    const { counts, boards } = ranker.finish();
    for (const ranking of Object.values(boards))
      for (let index = 0; index < ranking.length; index++) JSON.stringify(ranking.at(index));
    return counts.governors;
  };
  publish(20);
  const idle = resident(process.pid);
  forgetPeak(process.pid);
  const before = process.cpuUsage();
  const counted = publish(kingdoms);
  const { user, system } = process.cpuUsage(before);
  return { time: (user + system) / 1000, memory: peak(process.pid) - idle, governors: counted };
}

function inProcess(governors: number): Measured {
  const script = `import { rank } from '${import.meta.filename}'; console.log(JSON.stringify(rank(${governors})));`;
  const flags = [`--max-old-space-size=${HEAP_MB}`, '--max-semi-space-size=2', '--input-type=module'];
  return JSON.parse(execFileSync(process.execPath, [...flags, '-e', script], { encoding: 'utf8' }));
}

/** Measures how time and memory of ranking grow with the number of governors. */
export function rankGenerated(): Bar[] {
  const measured = SIZES.map(inProcess);
  console.log('\n  ranking generated scans of 1,000 governors in 30 alliances, their making included');
  printTable(
    measured.map(({ time, memory, governors }, index) => ({
      rows: (SIZES[index] ?? 0).toLocaleString('en-US'),
      governors: governors.toLocaleString('en-US'),
      processor: `${(time / 1000).toFixed(2)} s`,
      'a kingdom': `${(time / ((SIZES[index] ?? 1) / ROWS)).toFixed(2)} ms`,
      'above idle': mebibytes(memory),
    })),
  );
  const [first, last] = [measured.at(-2), measured.at(-1)];
  const growth = (SIZES.at(-1) ?? 1) / (SIZES.at(-2) ?? 1);
  return [
    {
      what: `time of ${SIZES.at(-1)} governors against ${growth} times that of ${SIZES.at(-2)}`,
      reached: (last?.time ?? 0) / ((first?.time ?? 1) * growth),
      wanted: 1.2,
      below: true,
    },
    {
      what: `MiB that ranking ${SIZES.at(-1)} governors takes`,
      reached: (last?.memory ?? 0) / 2 ** 20,
      wanted: 112,
      below: true,
    },
  ];
}
