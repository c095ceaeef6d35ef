import { queryOptions } from '@tanstack/react-query';
import { dataOf } from './client.ts';
import { api } from './typed.ts';

/** Versions of the licence as admins see them. */

const fetchLicences = (signal?: AbortSignal) => dataOf(api.admin.licences.$get({}, { init: { signal } }));
export type Licences = Awaited<ReturnType<typeof fetchLicences>>;
export type LicenceVersion = Licences['versions'][number];

export const licencesQuery = queryOptions({
  queryKey: ['admin', 'licences'],
  queryFn: ({ signal }) => fetchLicences(signal),
});

export interface LicenceForm {
  text: string;
  /** Null for a draft. */
  holds_from: string | null;
  edits: number;
  reason: string;
  code?: string | undefined;
}

export const writeLicence = (version: number, json: LicenceForm) =>
  dataOf(api.admin.licences[':version'].$put({ param: { version: String(version) }, json }));

export const discardDraft = (version: number, json: { edits: number; reason: string }) =>
  dataOf(api.admin.licences[':version'].discard.$post({ param: { version: String(version) }, json }));
