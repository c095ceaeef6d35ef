import { useEffect, useState } from 'react';
import { ApiError } from '../api/client.ts';
import { isOtherRelease } from '../new-version.ts';

/**
 * Returns whether an error is shown on a page of another release than the server's, so that only a reload helps; null
 * until that is known. An API that answers knows the call, but for some refusals.
 */
export function useOtherRelease(error: unknown): boolean | null {
  const maySkew = !(error instanceof ApiError) || [400, 404, 405].includes(error.status);
  const [isOther, setOther] = useState<boolean | null>(maySkew ? null : false);
  useEffect(() => {
    if (maySkew) void isOtherRelease().then(setOther);
  }, [maySkew]);
  return isOther;
}
