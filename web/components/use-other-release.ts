import { useEffect, useState } from 'react';
import { ApiError } from '../api/client.ts';
import { isOtherRelease } from '../new-version.ts';

/** Refusals of a call that another release knows differently, or not at all. */
const UNKNOWN_CALL = [400, 404, 405];

/** True if the error may be due to a server of another release than the page. */
const maySkew = (error: unknown): boolean => !(error instanceof ApiError) || UNKNOWN_CALL.includes(error.status);

/**
 * Returns whether an error is shown on a page of another release than the server's, so that only a reload helps; null
 * until that is known.
 */
export function useOtherRelease(error: unknown): boolean | null {
  const isAsked = maySkew(error);
  const [isOther, setOther] = useState<boolean | null>(isAsked ? null : false);
  useEffect(() => {
    if (isAsked) void isOtherRelease().then(setOther);
  }, [isAsked]);
  return isOther;
}
