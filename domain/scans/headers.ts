import { localeOption } from '../language/locale-option.ts';

/** The language of a file's header row; undefined for keys in csv and English titles in workbooks. */
export const headersOption = localeOption.describe(
  'BCP 47 tag of a language: the header row of csv and xlsx then has the columns’ titles in it. If omitted, csv has keys and xlsx English titles.',
);
