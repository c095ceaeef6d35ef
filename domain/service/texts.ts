import * as z from 'zod';
import { TEXT_NAMES } from './page-settings.ts';

export const textAsked = z.object({ name: z.enum(TEXT_NAMES, `must be one of ${TEXT_NAMES.join(', ')}`) });

/** One of the operator's texts. Each line is a paragraph; a line that begins with a number ('1. …') is a heading. */
export const textAnswer = z.object({ text: z.string() });
