import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import type { reportDetails, reportList, reportMade, sharedReport } from '../../domain/compare/answers.ts';
import type { ReportPayload } from '../../domain/compare/contract.ts';
import { API_BASE, dataOf } from './client.ts';

export type ReportList = z.infer<typeof reportList>;
export type ReportDetails = z.infer<typeof reportDetails>;
export type SharedReport = z.infer<typeof sharedReport>;

function call<Data>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Data> {
  const answer: Promise<{ status: number; json(): Promise<{ success: 1; data: Data }> }> = fetch(
    `${API_BASE}/v1${path}`,
    {
      method,
      credentials: 'include',
      ...(signal && { signal }),
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    },
  );
  return dataOf(answer);
}

/** The user's saved comparisons, the newest first. */
export const reportsQuery = queryOptions({
  queryKey: ['compare-reports'],
  queryFn: ({ signal }) => call<ReportList>('GET', '/compare/reports', undefined, signal),
});

/** A report with its settings and its links. */
export const reportQuery = (id: string) =>
  queryOptions({
    queryKey: ['compare-reports', id],
    queryFn: ({ signal }) =>
      call<ReportDetails>('GET', `/compare/reports/${encodeURIComponent(id)}`, undefined, signal),
  });

export const createReport = (report: ReportPayload) =>
  call<z.infer<typeof reportMade>>('POST', '/compare/reports', report);
export const deleteReport = (id: string) => call<unknown>('DELETE', `/compare/reports/${id}`);
export const openReportLink = (id: string, days: number) =>
  call<ReportDetails['links'][number]>('POST', `/compare/reports/${id}/links`, { days });
export const endReportLink = (id: string, link: string) =>
  call<unknown>('DELETE', `/compare/reports/${id}/links/${link}`);

/** A report as its link shows it. */
export const sharedReportQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared-report', token],
    queryFn: ({ signal }) =>
      call<SharedReport>('GET', `/shared/reports/${encodeURIComponent(token)}`, undefined, signal),
    retry: false,
  });
