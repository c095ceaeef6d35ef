import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { GameId } from '../../domain/games/game-names.ts';
import type { ScanDialect, ScanFileType } from '../../domain/scans/files.ts';
import { apiBase, dataOf, send } from './client.ts';
import { api } from './typed.ts';

/** The user's own scans: the library and imports. */

export interface LibraryFilter {
  game?: GameId | undefined;
  kingdom?: number | undefined;
  tag?: string | undefined;
  search?: string | undefined;
  origin?: 'bought' | 'imported' | undefined;
}

const fetchLibrary = (filter: LibraryFilter, before: string | null, signal?: AbortSignal) => {
  const kingdom = filter.kingdom?.toString();
  return dataOf(api.scans.$get({ query: { ...filter, kingdom, before: before ?? undefined } }, { init: { signal } }));
};

export type LibraryPage = Awaited<ReturnType<typeof fetchLibrary>>;
export type LibraryScan = LibraryPage['scans'][number];

/** Bought and imported scans in one list, newest first. */
export const libraryQuery = (filter: LibraryFilter) =>
  infiniteQueryOptions({
    queryKey: ['scans', filter],
    queryFn: ({ pageParam, signal }) => fetchLibrary(filter, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: (before) => before,
  });

/** Governors and scans among the user's imports that match a text. */
export const ownSearchQuery = (text: string) =>
  queryOptions({
    queryKey: ['scans', 'search', text],
    queryFn: ({ signal }) => dataOf(api.scans.search.$get({ query: { q: text } }, { init: { signal } })),
    staleTime: 60_000,
    placeholderData: (before) => before,
  });

/** A scan with everything made from it. */
export const scanQuery = (scan_id: string) =>
  queryOptions({
    queryKey: ['scans', 'one', scan_id],
    queryFn: ({ signal }) => dataOf(api.scans[':scan_id'].$get({ param: { scan_id } }, { init: { signal } })),
  });

/** Import options; the server's defaults apply if omitted. */
export interface ImportChoice {
  mapping?: Record<string, string | null>;
  kingdom?: number | null;
  captured_at?: number | Record<string, number> | null;
}

/** Uploads a file for a preview; nothing is saved yet. */
export function previewFile(file: File) {
  const query = new URLSearchParams({ name: file.name });
  type Answer = ReturnType<typeof previewAgain> extends Promise<infer Preview> ? Preview : never;
  return send<Answer>(`/v1/scans/import?${query}`, {
    method: 'POST',
    // A browser takes the type from the operating system, which may be wrong for tables.
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
  });
}

/** Previews the same file with other options. */
export const previewAgain = (import_id: string, choice: ImportChoice) =>
  dataOf(api.scans.import[':import_id'].preview.$post({ param: { import_id }, json: choice }));

export type ImportPreview = Awaited<ReturnType<typeof previewAgain>>;

export const saveImport = (import_id: string, choice: ImportChoice) =>
  dataOf(api.scans.import[':import_id'].save.$post({ param: { import_id }, json: choice }));

export const labelScan = (scan_id: string, labels: { name?: string; tags?: string[]; note?: string }) =>
  dataOf(api.scans[':scan_id'].$patch({ param: { scan_id }, json: labels }));

/** Deletes a scan, and with `all` also everything made from it. */
export const deleteScan = (scan_id: string, all: boolean) =>
  dataOf(api.scans[':scan_id'].$delete({ param: { scan_id }, query: { with: all ? 'reports' : undefined } }));

export const scanFile = (scan_id: string, type: ScanFileType, dialect: ScanDialect): string =>
  `${apiBase()}/v1/scans/${encodeURIComponent(scan_id)}/download?type=${type}&dialect=${dialect}`;
