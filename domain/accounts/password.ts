/**
 * Length limits of a new password, in characters. They are not with the schemas so that forms can import them without
 * zod.
 */
export const MIN_PASSWORD = 10;
export const MAX_PASSWORD = 200;
