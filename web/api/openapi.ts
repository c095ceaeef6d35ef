import { queryOptions } from '@tanstack/react-query';
import { HOUR_MS } from '../../domain/days.ts';
import { t } from '../../domain/language/text.ts';
import { ApiError, apiBase } from './client.ts';

/** The parts of the API description that the API page shows. */
export interface Operation {
  summary: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: {
    name: string;
    in: string;
    required: boolean;
    description?: string;
    schema: Record<string, unknown>;
  }[];
  /** By media type: a JSON schema or files. */
  requestBody?: { content: Record<string, { schema: Record<string, unknown>; example?: unknown }> };
  /** By status. */
  responses: Record<string, Answer> & { 200: Answer };
}

interface Answer {
  description: string;
  content?: Record<string, { example?: unknown }>;
}

interface Description {
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
}

export const openApiQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: async ({ signal }) => {
    // The description has no envelope, so that standard tools can read it.
    const response = await fetch(`${apiBase()}/v1/openapi.json`, { signal });
    if (!response.ok) throw new ApiError(t('The description of the API could not be fetched.'), response.status);
    return (await response.json()) as Description;
  },
  staleTime: HOUR_MS,
});
