import * as z from 'zod';

/** A value that need not be named; an empty field of a form, which a number would take for 0, says nothing. */
export const orNothing = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());
