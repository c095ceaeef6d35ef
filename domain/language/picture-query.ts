import * as z from 'zod';
import { localeOption } from './locale-option.ts';

/** The language of a picture's texts. */
export const pictureQuery = z.object({
  language: localeOption.describe('BCP 47 tag of the language of the picture’s texts; English if omitted.'),
});
