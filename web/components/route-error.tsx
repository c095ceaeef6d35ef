import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { isLeaving, isMissingPart, reloadForNewVersion } from '../new-version.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Failure } from './failure.tsx';
import { Page } from './page.tsx';
import { PagePending } from './page-pending.tsx';

/** A page that is left for another one has gone by then, or shows for a moment what it could not fetch. */
const STANDS_MS = 2000;

/** False while the page may be going: what was still being fetched failed because of that, and nobody needs to read it. */
function useStands(): boolean {
  const [stands, setStands] = useState(() => !isLeaving());
  useEffect(() => void setTimeout(setStands, STANDS_MS, true), []);
  return stands;
}

/** The screen of a part that could not be fetched. */
function MissingPart() {
  const [reloads, setReloads] = useState(true);
  useEffect(() => setReloads(reloadForNewVersion()), []);
  if (reloads) return <PagePending />;
  return (
    <Page title={navigator.onLine ? 'A new version is here' : 'You are offline'}>
      <Notice action={<Button onClick={() => location.reload()}>Reload the page</Button>}>
        {navigator.onLine
          ? 'This screen has changed since you opened Muster.'
          : 'This screen opens once you are online again.'}
      </Notice>
    </Page>
  );
}

/** The screen of an error that no screen has caught (specification, section 8). */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  if (!useStands()) return <PagePending />;
  if (isMissingPart(error)) return <MissingPart />;
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Page title="Unexpected Application Error!">
      <Failure error={error} retry={retry} />
    </Page>
  );
}
