import { queryOptions } from '@tanstack/react-query';
import type { TextName } from '../../domain/service/page-settings.ts';
import { dataOf } from './client.ts';
import { api } from './typed.ts';

export const textQuery = (name: TextName) =>
  queryOptions({
    queryKey: ['texts', name],
    queryFn: ({ signal }) => dataOf(api.texts[':name'].$get({ param: { name } }, { init: { signal } })),
    staleTime: 300_000,
  });
