import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useEffect } from 'react';
import { t } from '../../../domain/language/text.ts';
import { forgetUser, logout } from '../../api/account.ts';
import { Failure } from '../../components/failure.tsx';
import { Page } from '../../components/page.tsx';
import { useOnward } from '../../components/use-onward.ts';

export const Route = createFileRoute('/_signed-in/logout')({ component: Logout });

function Logout() {
  const client = useQueryClient();
  const navigate = Route.useNavigate();
  const leaving = useMutation({
    mutationFn: logout,
    // Before the navigation, because the home page redirects a signed-in user to the dashboard.
    onSuccess: () => forgetUser(client),
  });
  useOnward(leaving.isSuccess, () => navigate({ to: '/', replace: true }));
  const { mutate } = leaving;
  useEffect(() => mutate(), [mutate]);
  return (
    <Page title={t('Signing out')}>
      {leaving.isError ? <Failure error={leaving.error} retry={mutate} /> : <p role="status">{t('One moment…')}</p>}
    </Page>
  );
}
