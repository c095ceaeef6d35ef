import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { Failure } from './failure.tsx';
import { Page } from './page.tsx';

/** The screen of an error that no screen has caught (specification, section 8). */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
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
