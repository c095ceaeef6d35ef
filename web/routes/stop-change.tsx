import { useMutation } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { t } from '../../domain/language/text.ts';
import { messageOf } from '../api/client.ts';
import { stopEmailChange } from '../api/security.ts';
import { EntryPage } from '../components/entry-page.tsx';
import { searchReader, text } from '../search-params.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

export const Route = createFileRoute('/stop-change')({
  validateSearch: searchReader({ token: text }),
  component: StopChange,
});

/** Page linked from the mail that warns an account's current address of a change. */
function StopChange() {
  const { token = '' } = Route.useSearch();
  const stopping = useMutation({ mutationFn: () => stopEmailChange(token) });
  // A button instead of a visit, because mail scanners open every link.
  return (
    <EntryPage title={t('Stop the change of e-mail')} onSubmit={() => !stopping.isPending && stopping.mutate()}>
      {stopping.isError && <Notice tone="danger">{messageOf(stopping.error)}</Notice>}
      {stopping.data ? (
        <>
          <Notice>{stopping.data.message}</Notice>
          <Link to="/password_reset" className={buttonClass('primary')}>
            {t('Set a new password')}
          </Link>
        </>
      ) : (
        <>
          <p>
            {t(
              'If it was not you who asked for another e-mail address, stop the change. Your address then stays as it is.',
            )}
          </p>
          <Button type="submit" look="primary" busy={stopping.isPending}>
            {t('Stop this change')}
          </Button>
        </>
      )}
    </EntryPage>
  );
}
