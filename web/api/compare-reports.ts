import { queryOptions } from '@tanstack/react-query';
import type { ReportPayload } from '../../domain/compare/contract.ts';
import { apiBase, dataOf } from './client.ts';
import type { CompareFileType } from './compare.ts';
import { api } from './typed.ts';

const fetchReports = (signal?: AbortSignal) => dataOf(api.reports.$get({}, { init: { signal } }));
export type ReportLine = Awaited<ReturnType<typeof fetchReports>>['reports'][number];

/** The user's saved comparisons, newest first. */
export const reportsQuery = queryOptions({
  queryKey: ['compare-reports'],
  queryFn: ({ signal }) => fetchReports(signal),
});

const fetchReport = (report_id: string, signal?: AbortSignal) =>
  dataOf(api.reports[':report_id'].$get({ param: { report_id } }, { init: { signal } }));
export type ReportDetails = Awaited<ReturnType<typeof fetchReport>>;

/** A report with its settings and links. */
export const reportQuery = (id: string) =>
  queryOptions({ queryKey: ['compare-reports', id], queryFn: ({ signal }) => fetchReport(id, signal) });

export const createReport = (report: ReportPayload) => dataOf(api.reports.$post({ json: report }));
export const deleteReport = (report_id: string) => dataOf(api.reports[':report_id'].$delete({ param: { report_id } }));
export const openReportLink = (report_id: string, days: number) =>
  dataOf(api.reports[':report_id'].links.$post({ param: { report_id }, json: { days } }));
export const endReportLink = (report_id: string, link_id: string) =>
  dataOf(api.reports[':report_id'].links[':link_id'].$delete({ param: { report_id, link_id } }));

const fetchShared = (token: string, signal?: AbortSignal) =>
  dataOf(api.reports.shared[':token'].$get({ param: { token } }, { init: { signal } }));
export type SharedReport = Awaited<ReturnType<typeof fetchShared>>;

/** URL of a shared report as a file. */
export const sharedFile = (token: string, type: CompareFileType): string =>
  `${apiBase()}/v1/reports/shared/${encodeURIComponent(token)}/export?type=${type}`;

/** A report as seen through its share link. */
export const sharedReportQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared-report', token],
    queryFn: ({ signal }) => fetchShared(token, signal),
    retry: false,
  });
