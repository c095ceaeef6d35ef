import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { isLeaving, isMissingPart } from '../new-version.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Failure } from './failure.tsx';
import { Page } from './page.tsx';

/** The screen of a part that could not be fetched. */
const MissingPart = () => (
  <Page title={navigator.onLine ? 'A new version is here' : 'You are offline'}>
    <Notice action={<Button onClick={() => location.reload()}>Reload the page</Button>}>
      {navigator.onLine
        ? 'This screen has changed since you opened Muster.'
        : 'This screen is not loaded yet. It opens once you are online again.'}
    </Notice>
  </Page>
);

/** The screen of an error that no screen has caught (specification, section 8). */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  // What was still being fetched failed because of that.
  if (isLeaving()) return null;
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
