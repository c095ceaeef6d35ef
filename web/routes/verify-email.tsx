import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { t } from '../../domain/language/text.ts';
import { messageOf } from '../api/client.ts';
import { verificationQuery } from '../api/security.ts';
import { EntryPage } from '../components/entry-page.tsx';
import { searchReader, text } from '../search-params.ts';
import { buttonClass } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { T } from '../ui/text.tsx';

export const Route = createFileRoute('/verify-email')({
  validateSearch: searchReader({ token: text }),
  component: VerifyEmail,
});

/** Shows the result of the verification; the texts are the specification's (section 8). */
function VerifyEmail() {
  const { token = '' } = Route.useSearch();
  const verification = useQuery({ ...verificationQuery(token), enabled: token !== '' });
  return (
    <EntryPage title={t('E-mail verification')}>
      {token === '' && (
        <Notice tone="danger">{t('This link is incomplete. Please open the whole link from the mail.')}</Notice>
      )}
      {token !== '' && verification.isPending && <p role="status">{t('One moment…')}</p>}
      {verification.data && <Notice>{verification.data.message}</Notice>}
      {verification.isError && (
        <>
          <Notice tone="danger">
            <T of="There was a failure trying to verify your email: {error}" error={messageOf(verification.error)} />
          </Notice>
          <p>{t("We've resent a verification email to you, if required.")}</p>
        </>
      )}
      <Link to="/login" className={buttonClass(verification.data ? 'primary' : 'plain')}>
        {t('Login')}
      </Link>
    </EntryPage>
  );
}
