import { isOds, openOds } from './ods.ts';
import type { Workbook } from './sheets.ts';
import { Work } from './work.ts';
import { openXlsx } from './xlsx.ts';
import { openZip } from './zip.ts';

/** Opens an xlsx or ods file. Throws a sentence if it is neither or is damaged. */
export async function openWorkbook(bytes: Uint8Array, work = new Work()): Promise<Workbook> {
  const zip = openZip(bytes);
  return isOds(zip) ? openOds(zip, work) : openXlsx(zip, work);
}
