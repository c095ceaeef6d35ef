import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { Download } from 'lucide';
import { t } from '../../../../domain/language/text.ts';
import { accountQuery, balanceOf, forgetUser } from '../../../api/account.ts';
import { changeEmail, deleteAccount, exportAddress } from '../../../api/security.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { Card, Cards, FormCard } from '../../../components/form-card.tsx';
import { LanguageField } from '../../../components/language-choice.tsx';
import { Facts } from '../../../components/panel.tsx';
import { CodeField, PasswordField } from '../../../components/proof-fields.tsx';
import { useOnward } from '../../../components/use-onward.ts';
import { date, money } from '../../../format.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import layout from '../../../ui/layout.module.css';
import { T } from '../../../ui/text.tsx';
import { OwnGovernors } from './-governors.tsx';

export const Route = createFileRoute('/_signed-in/account/')({ component: Account });

function Account() {
  const { account } = Route.useRouteContext();
  // The guard loaded the account already; this query follows changes while the page is open.
  const { data: latest } = useQuery(accountQuery);
  const data = latest ?? account;
  return (
    <>
      <title>{t('Account · Muster')}</title>
      <Facts
        facts={[
          [t('Username'), data.user],
          [t('Full name'), data.full_name || '–'],
          [t('E-mail'), data.email],
          [t('Member since'), date(data.created_at)],
          [t('Language of pages and mails'), <LanguageField key="language" />],
          [
            t('Balance'),
            <Link key="balance" to="/account/balance">
              {money(balanceOf(data))}
            </Link>,
          ],
          [
            t('Licence'),
            <Link key="eula" to="/eula">
              {data.eula_accepted ? t('Accepted') : t('To be accepted')}
            </Link>,
          ],
        ]}
      />
      <OwnGovernors />
      <Cards>
        <div className={layout.stack}>
          <EmailForm />
          <Card
            title={t('Export my data')}
            about={t(
              'Everything that we store about you, as one JSON file, because programs read it without unpacking. It lists your own scans. Download their rows from your library.',
            )}
          >
            <p>
              <a href={exportAddress()} className={buttonClass()} download>
                <Icon of={Download} size={16} />
                <T of="Download the file" />
              </a>
            </p>
          </Card>
        </div>
        {data.role !== 'admin' && <DeletionForm username={data.user} twoFactor={data.two_factor} />}
      </Cards>
    </>
  );
}

function EmailForm() {
  const changing = useMutation({
    mutationFn: (form: FormData) => changeEmail(String(form.get('current_password')), textOf(form, 'email')),
  });
  return (
    <FormCard
      title={t('Change e-mail')}
      about={t(
        'We use the old address until you open the link sent to the new one. We tell the old address about the change at once.',
      )}
      action={t('Send the link')}
      sending={changing}
      done={changing.data?.message}
      onSubmit={changing.mutate}
    >
      <TextField label={t('New e-mail')} name="email" type="email" autoComplete="email" required maxLength={254} />
      <PasswordField />
    </FormCard>
  );
}

function DeletionForm({ username, twoFactor }: { username: string; twoFactor: boolean }) {
  const client = useQueryClient();
  const navigate = Route.useNavigate();
  const deleting = useMutation({
    mutationFn: (form: FormData) =>
      deleteAccount({
        current_password: String(form.get('current_password')),
        username: textOf(form, 'username'),
        code: textOf(form, 'code') || undefined,
      }),
    onSuccess: () => forgetUser(client),
  });
  useOnward(deleting.isSuccess, () => navigate({ to: '/login', search: { note: 'deleted' }, replace: true }));
  return (
    <FormCard
      title={t('Delete account')}
      about={t(
        'Your name, e-mail address, keys and schedules go at once. Your remaining balance is lost, because no refunds are given.',
      )}
      action={t('Delete my account')}
      look="danger"
      sending={deleting}
      onSubmit={deleting.mutate}
    >
      <TextField
        label={t('Type your username, {username}', { username })}
        name="username"
        autoComplete="off"
        required
        maxLength={100}
      />
      <PasswordField />
      {twoFactor && <CodeField />}
    </FormCard>
  );
}
