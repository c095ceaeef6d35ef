import { isOds, openOds } from './ods.ts';
import type { Look, OnLine, Workbook } from './sheets.ts';
import { Work } from './work.ts';
import { openXlsx } from './xlsx.ts';
import { openZip } from './zip.ts';

/**
 * Opens an xlsx or ods file and looks at its sheets. One function does both, because the part of an ods file that lists
 * the sheets contains their lines too. Throws a sentence if the file is damaged, or is neither xlsx nor ods.
 */
export async function openWorkbook(bytes: Uint8Array, work = new Work(), look: Look = () => null): Promise<Workbook> {
  const zip = openZip(bytes);
  if (isOds(zip)) return openOds(zip, work, look);
  const workbook = openXlsx(zip, work);
  await workbook.read(
    new Map(
      workbook.sheets.flatMap((sheet): [string, OnLine][] => {
        const onLine = look(sheet);
        return onLine ? [[sheet, onLine]] : [];
      }),
    ),
  );
  return workbook;
}
