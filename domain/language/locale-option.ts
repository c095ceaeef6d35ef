import * as z from 'zod';
import { LOCALES } from './locales.ts';

/** A field of a query that names a language. */
export const localeOption = z.enum(LOCALES, `must be one of ${LOCALES.join(', ')}.`).optional();
