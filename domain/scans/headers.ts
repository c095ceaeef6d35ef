import * as z from 'zod';
import { LOCALES } from '../language/locales.ts';

/** The language of a file's header row; undefined for keys in csv and English titles in workbooks. */
export const headersOption = z
  .enum(LOCALES, `must be one of ${LOCALES.join(', ')}.`)
  .optional()
  .describe(
    'BCP 47 tag of a language: the header row of csv and xlsx then has the columns’ titles in it. If omitted, csv has keys and xlsx English titles.',
  );
