import * as z from 'zod';
import { LOCALES } from './locales.ts';

/** The language of a picture's texts. */
export const pictureQuery = z.object({
  language: z
    .enum(LOCALES, `must be one of ${LOCALES.join(', ')}.`)
    .optional()
    .describe('BCP 47 tag of the language of the picture’s texts; English if omitted.'),
});
