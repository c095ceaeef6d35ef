import type { MiddlewareHandler } from 'hono';
import { isLocale } from '../../domain/language/locales.ts';
import type { Env } from '../env.ts';
import { speakAsAsked, speakOnly } from '../services/service/speak.ts';

type Speaking = MiddlewareHandler<{ Bindings: Env }>;

/** Answers in the language that a call asks for by `Accept-Language`. */
export const speaking: Speaking = ({ env, req }, next) => speakAsAsked(env, req.raw, next);

/**
 * Makes a picture (`language`) or a file (`headers`) in the language that its address names, because caches keep it under
 * that. Follows the validator of the query.
 */
export const speakingIn =
  (name: 'language' | 'headers'): Speaking =>
  ({ env, req }, next) => {
    const named = req.query(name) ?? '';
    return speakOnly(env, isLocale(named) ? named : undefined, next);
  };
