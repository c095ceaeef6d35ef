import { PAGE_DATA } from '../../domain/service/rendered-page.ts';
import { openRuntime } from '../../scripts/runtime.ts';
import { secretsOf } from '../../scripts/secrets.ts';
import { freePort } from '../../test/support/service.ts';
import { childrenNamed, processorTime } from '../memory.ts';
import { sized } from '../quick.ts';

/** So few that an isolate has those of one board in memory (worker/routes/page-content.ts), and not those of all. */
const PAGES = 25;
const BOARDS = ['type=power', 'type=killpoints', 'game=cod&type=power', 'game=cod&type=merits'];
/** Rounds over all boards. After the first, V8 has compiled what renders a page, and the rows are in memory. */
const FIRST_ROUNDS = sized(4, 1);
const ROUNDS = sized(4, 1);

/**
 * Returns the ms of processor for a page that the Worker renders, and for one that it has in memory, without bots and
 * crons. Both include the local server and the simulator of the built files. Their difference is the Worker's own work
 * in an isolate that has served for a while: the page's read of the API, rendering, and looking for its styles.
 */
export async function renderingCost(stateDir: string): Promise<{ rendered: number; cached: number }> {
  const runtime = await openRuntime({ port: await freePort(), stateDir, scansDir: null }, secretsOf(stateDir));
  const timed = async (board: string) => {
    const spent = () => childrenNamed(process.pid, 'workerd').reduce((sum, pid) => sum + processorTime(pid), 0);
    const before = spent();
    for (let page = 1; page <= PAGES; page++) {
      const answer = await fetch(`${runtime.address}/leaderboard/governor?${board}&page=${page}`);
      if (!(await answer.text()).includes(`id="${PAGE_DATA}"`))
        throw new Error(`Page ${page} of ${board} was not rendered whole.`);
    }
    return spent() - before;
  };
  const cost = { rendered: 0, cached: 0 };
  try {
    for (let round = 0; round < FIRST_ROUNDS + ROUNDS; round++)
      for (const board of BOARDS) {
        const [rendered, cached] = [await timed(board), await timed(board)];
        if (round < FIRST_ROUNDS) continue;
        cost.rendered += rendered / (ROUNDS * BOARDS.length * PAGES);
        cost.cached += cached / (ROUNDS * BOARDS.length * PAGES);
      }
    return cost;
  } finally {
    await runtime.close();
  }
}
