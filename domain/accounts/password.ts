/** How long a new password may be, in characters. Apart from the schemas, so that forms have them without zod. */
export const MIN_PASSWORD = 10;
export const MAX_PASSWORD = 200;
