import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import type { TextName } from '../../domain/service/page-settings.ts';
import type { textAnswer } from '../../domain/service/texts.ts';
import { publicData } from './client.ts';

export const textQuery = (name: TextName) =>
  queryOptions({
    queryKey: ['texts', name],
    queryFn: (context) => publicData<z.infer<typeof textAnswer>>(`/v1/texts/${name}`, context),
    staleTime: 300_000,
  });
