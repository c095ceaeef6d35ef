import { join } from 'node:path';
import { MAX_FILE_ROWS } from '../../scan-files/limits.ts';
import { withFolder } from '../folder.ts';
import { ask } from '../hand-in/service.ts';
import { type Call, HEAP_MB, heldBars, inHeap, type Measured, measured, print, signIn } from '../heavy.ts';
import { csvOf, xlsxOf } from '../import/files.ts';
import { sized } from '../quick.ts';
import { judge } from '../report.ts';
import { build } from '../serve.ts';

/** Measures own scans of the largest size as their user meets them: upload, saving, and a comparison of two. */

/** With 22 columns, about the largest unpacked size of a workbook. */
const WORKBOOK_ROWS = sized(50_000, 2000);
const ROWS = sized(MAX_FILE_ROWS, 2000);
const DAYS = ['2026-01-05', '2026-01-12'] as const;

/** Uploads a file and saves it. Returns the id of its first scan. */
async function keep(all: Measured[], state: string, name: string, content: Buffer, day: string): Promise<string> {
  let id = '';
  await inHeap(HEAP_MB, state, async (service) => {
    const call = await signIn(service);
    const bring = async () => {
      const answer = await call('POST', `/v1/scans/import?name=${name}`, content);
      id = ((await answer.clone().json()) as { data: { import_id: string } }).data.import_id;
      return answer;
    };
    const save = async () => {
      const answer = await call('POST', `/v1/scans/import/${id}/save`, { captured_at: `${day}T00:00:00Z` });
      id = ((await answer.clone().json()) as { data: { scan_ids: string[] } }).data.scan_ids.join(',');
      return answer;
    };
    all.push(await measured(service, `${name} brought`, bring), await measured(service, `${name} saved`, save));
  });
  return id;
}

export async function run(): Promise<void> {
  await build(join(import.meta.dirname, '..', 'hand-in'));
  const all: Measured[] = [];
  await withFolder(async (state) => {
    await inHeap(null, state, async (service) => void (await ask(service, 'prepare', { token: 'bench' })));
    const from = await keep(all, state, `${DAYS[0]}.csv`, csvOf(ROWS), DAYS[0]);
    const to = await keep(all, state, `${DAYS[1]}.csv`, csvOf(ROWS - 1), DAYS[1]);
    const sides = `from=${from}&to=${to}`;
    const paths = {
      'compared, all rows': `/v1/compare?${sides}`,
      'compared, as columns': `/v1/compare/table?${sides}`,
      'compared, csv': `/v1/compare/export?type=csv&${sides}`,
      'compared, xlsx': `/v1/compare/export?type=xlsx&${sides}`,
    };
    for (const [what, path] of Object.entries(paths))
      await inHeap(HEAP_MB, state, async (service) => {
        const call: Call = await signIn(service);
        all.push(await measured(service, what, () => call('GET', path)));
      });
    await inHeap(HEAP_MB, state, async (service) => {
      const call: Call = await signIn(service);
      const work = [
        () => call('GET', paths['compared, xlsx']),
        () => call('GET', paths['compared, all rows']),
        () => call('POST', `/v1/scans/import?name=again.csv`, csvOf(ROWS - 2)),
        () => call('POST', `/v1/scans/import?name=once more.csv`, csvOf(ROWS - 3)),
      ];
      const together = async () => {
        // Read to their ends, because an answer keeps its memory until it is sent.
        await Promise.all([...work.map(async (act) => (await act()).arrayBuffer()), signIn(service)]);
        return new Response(null);
      };
      all.push(await measured(service, 'two comparisons, two files and a password, at once', together));
    });
    await keep(all, state, `${DAYS[1]}.xlsx`, await xlsxOf(WORKBOOK_ROWS), DAYS[1]);
  });
  print(`own scans of ${ROWS.toLocaleString('en-US')} rows`, all);
  judge(heldBars(all));
}
