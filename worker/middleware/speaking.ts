import type { MiddlewareHandler } from 'hono';
import type { Env } from '../env.ts';
import { speakAsAsked } from '../services/service/speak.ts';

/** Answers in the language of `Accept-Language`. */
export const speaking: MiddlewareHandler<{ Bindings: Env }> = ({ env, req }, next) => speakAsAsked(env, req.raw, next);
