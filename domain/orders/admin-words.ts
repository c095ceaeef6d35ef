/** States of issue reports for admins. */
export const REPORT_STATES = ['open', 'answered', 'closed'] as const;
