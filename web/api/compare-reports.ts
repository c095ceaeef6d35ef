import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import type { sharedReport } from '../../domain/compare/answers.ts';
import type { ReportPayload } from '../../domain/compare/contract.ts';
import { dataOf, publicData } from './client.ts';
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

export type SharedReport = z.infer<typeof sharedReport>;

/** URL of a shared report as a file. `base` is the API's origin. */
export const sharedFile = (base: string, token: string, type: CompareFileType): string =>
  `${base}/v1/reports/shared/${encodeURIComponent(token)}/export?type=${type}`;

/** A report as seen through its share link. */
export const sharedReportQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared-report', token],
    queryFn: (context) => publicData<SharedReport>(`/v1/reports/shared/${encodeURIComponent(token)}`, context),
    retry: false,
  });
