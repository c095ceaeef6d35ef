import type { MiddlewareHandler } from 'hono';
import { isLocale } from '../../domain/language/locales.ts';
import type { Env } from '../env.ts';
import { speakAsAsked, speakOnly } from '../services/service/speak.ts';

type Speaking = MiddlewareHandler<{ Bindings: Env }>;

/** Answers in the language that a call asks for by `Accept-Language`. */
export const speaking: Speaking = ({ env, req }, next) => speakAsAsked(env, req.raw, next);

/**
 * Answers in the language named in the address, because caches store the answer under that address. Follows the validator
 * of the query.
 */
export const speakingIn =
  (name: 'language' | 'headers'): Speaking =>
  ({ env, req }, next) => {
    const named = req.query(name) ?? '';
    return speakOnly(env, isLocale(named) ? named : undefined, next);
  };
