import * as z from 'zod';

/** Makes a value optional. An empty form field counts as missing, because a number would read it as 0. */
export const orNothing = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());
