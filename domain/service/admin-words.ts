/** States by which the outbox is filtered. They are separate from admin.ts so that pages can import them without zod. */
export const MAIL_STATES = ['waiting', 'given_up', 'sent'] as const;
export type MailState = (typeof MAIL_STATES)[number];

/** Access codes on a page. */
export const CODES_PER_PAGE = 200;
