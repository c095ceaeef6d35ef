import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { message, t, words } from '../../domain/language/text.ts';
import { ApiError } from '../api/client.ts';
import { isLatePart, isLeaving, isMissingPart, isReachable, reloadForNewVersion } from '../new-version.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { useLocale } from '../ui/use-locale.ts';
import { Failure } from './failure.tsx';
import { Page } from './page.tsx';
import { PagePending } from './page-pending.tsx';
import { useOtherRelease } from './use-other-release.ts';

/** A page that is being left has unloaded after this time. Otherwise the error is shown. */
const STANDS_MS = 2000;

/**
 * Returns false while the page may be unloading. Pending requests then fail because of it, and their errors need not be
 * shown.
 */
function useStands(): boolean {
  const [stands, setStands] = useState(() => !isLeaving());
  useEffect(() => {
    const timer = setTimeout(setStands, STANDS_MS, true);
    return () => clearTimeout(timer);
  }, []);
  return stands;
}

const UNREACHABLE = message('Muster cannot be reached');

/** Returns why a part failed to load; null while the page reloads for a new version. */
async function whyMissing(): Promise<keyof typeof MISSING | null> {
  if (!navigator.onLine) return 'offline';
  if (!(await isReachable())) return 'unreachable';
  return reloadForNewVersion() ? null : 'replaced';
}

const MISSING = {
  offline: [message('You are offline'), message('This screen opens once you are online again.')],
  unreachable: [UNREACHABLE, message('Our servers do not answer at the moment. Nothing that you sent is lost.')],
  replaced: [message('A new version is here'), message('This screen has changed since you opened Muster.')],
} as const;

/** Shown if a part of the page could not be loaded. */
function MissingPart() {
  const [why, setWhy] = useState<keyof typeof MISSING | null>(null);
  useEffect(() => void whyMissing().then(setWhy), []);
  if (why === null) return <PagePending />;
  const [title, text] = MISSING[why];
  // A failed import stays failed until the page reloads, so reload once the server answers.
  const retry = async () => {
    if (why !== 'unreachable' || (await isReachable())) location.reload();
  };
  return (
    <Page title={words(title)}>
      <Notice action={<Button onClick={retry}>{t('Try again')}</Button>}>{words(text)}</Notice>
    </Page>
  );
}

/** Shown if a part took too long to load (specification, section 9). */
const LatePart = () => (
  <Page title={t('This page did not load')}>
    <Notice tone="danger" action={<Button onClick={() => location.reload()}>{t('Try again')}</Button>}>
      {t('Part of the page did not load within two minutes. The connection may be slow, or our servers are busy.')}
    </Notice>
  </Page>
);

/** Shown for uncaught errors (specification, section 8). */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  useLocale();
  const isOther = useOtherRelease(error);
  if (!useStands()) return <PagePending />;
  if (isMissingPart(error) || isOther) return <MissingPart />;
  if (isLatePart(error)) return <LatePart />;
  if (isOther === null) return <PagePending />;
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Page
      title={error instanceof ApiError && error.status === 0 ? words(UNREACHABLE) : t('Unexpected Application Error!')}
    >
      <Failure error={error} retry={retry} />
    </Page>
  );
}
