import type { ImportChoice } from '../../../api/scans.ts';
import { isRecord, keep, kept } from '../../../kept.ts';

/** An unsaved import on the server, as stored in the tab. */
interface KeptImport {
  import_id: string;
  name: string;
  choice: ImportChoice;
}

interface KeptImports {
  /** Owner of the imports, so that another user in the same tab does not get them. */
  user: string;
  files: KeptImport[];
}

const NAME = 'imports';

const isKept = (value: unknown): value is KeptImports =>
  isRecord(value) &&
  typeof value.user === 'string' &&
  Array.isArray(value.files) &&
  value.files.every(
    (file) =>
      isRecord(file) && typeof file.import_id === 'string' && typeof file.name === 'string' && isRecord(file.choice),
  );

/** Returns the user's imports in this tab that are neither saved nor discarded. */
export function keptImports(user: string): KeptImport[] {
  const imports = kept(NAME, isKept);
  return imports?.user === user ? imports.files : [];
}

/** Stores the unsaved imports. */
export const keepImports = (user: string, files: readonly KeptImport[]): void =>
  keep(NAME, files.length > 0 ? { user, files } : null);
