import type { ImportChoice } from '../../../api/scans.ts';
import { keep, kept } from '../../../kept.ts';

/** A file that waits on the server to be saved, as its user's tab remembers it. */
export interface KeptImport {
  import_id: string;
  name: string;
  choice: ImportChoice;
}

interface KeptImports {
  /** Whose they are: another user of the same tab does not get them. */
  user: string;
  files: KeptImport[];
}

const NAME = 'imports';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isKept = (value: unknown): value is KeptImports =>
  isRecord(value) &&
  typeof value.user === 'string' &&
  Array.isArray(value.files) &&
  value.files.every(
    (file) =>
      isRecord(file) && typeof file.import_id === 'string' && typeof file.name === 'string' && isRecord(file.choice),
  );

/** Returns the files that a user of this tab has neither saved nor discarded. */
export function keptImports(user: string): KeptImport[] {
  const imports = kept(NAME, isKept);
  return imports?.user === user ? imports.files : [];
}

/** Remembers the files that wait. */
export const keepImports = (user: string, files: readonly KeptImport[]): void =>
  keep(NAME, files.length > 0 ? { user, files } : null);
