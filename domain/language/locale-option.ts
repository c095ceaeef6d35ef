import * as z from 'zod';
import { LOCALES } from './locales.ts';

/** A field of a query that names a language. */
export const localeOption = z.enum(LOCALES).optional();

/** The language of a file's header row; undefined for keys in csv and English titles in workbooks. */
export const headersOption = localeOption.describe(
  'BCP 47 tag of a language: the header row of csv and xlsx then has the columns’ titles in it. If omitted, csv has keys and xlsx English titles.',
);

/** The language of a picture's texts. */
export const pictureQuery = z.object({
  language: localeOption.describe('BCP 47 tag of the language of the picture’s texts; English if omitted.'),
});
