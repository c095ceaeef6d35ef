import * as z from 'zod';

/** Answer of GET /v1/health, once the service can work. */
export const healthAnswer = z.object({ database: z.literal('ready'), bots_online: z.int().min(0) });
