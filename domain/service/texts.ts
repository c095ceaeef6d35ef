import * as z from 'zod';
import { TEXT_NAMES } from './page-settings.ts';

/** Which of the operator's texts is asked for. */
export const textAsked = z.object({ name: z.enum(TEXT_NAMES, `must be one of ${TEXT_NAMES.join(', ')}`) });

/** One of them: paragraphs are lines, and a line that begins with a number ('1. …') heads those that follow. */
export const textAnswer = z.object({ text: z.string() });
