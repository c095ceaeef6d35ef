import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { type ChangeEvent, lazy, Suspense } from 'react';
import { urlField, WEBHOOK_CHANNELS, WEBHOOKS, type WebhookChannel } from '../../../../domain/accounts/webhooks.ts';
import { t, words } from '../../../../domain/language/text.ts';
import { accountQuery } from '../../../api/account.ts';
import { messageOf } from '../../../api/client.ts';
import { type Notifications, notificationsQuery, setNotifications, testWebhook } from '../../../api/notifications.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { Card, Cards, FormCard } from '../../../components/form-card.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Button } from '../../../ui/button.tsx';
import { CheckField, TextField } from '../../../ui/field.tsx';
import layout from '../../../ui/layout.module.css';
import { Notice } from '../../../ui/notice.tsx';
import { Skeletons } from '../../../ui/skeleton.tsx';
import styles from './notifications.module.css';

const Followed = lazy(async () => ({ default: (await import('./-followed.tsx')).Followed }));

export const Route = createFileRoute('/_signed-in/account/notifications')({
  loader: ({ context }) => {
    void context.client.prefetchQuery(notificationsQuery);
  },
  component: NotificationsScreen,
});

function NotificationsScreen() {
  const settings = useQuery(notificationsQuery);
  return (
    <>
      <title>{t('Notifications · Muster')}</title>
      <p className={styles.about}>
        {t(
          'Muster can tell you when an order is finished, once for each order, and what changed in events that you follow, once for each scan. Any page of Muster that you have open shows finished orders too.',
        )}
      </p>
      <Loaded query={settings} what={t('your notifications')} heights={['14rem']}>
        {(chosen) => (
          <>
            {chosen.trouble && <Notice tone="danger">{chosen.trouble}</Notice>}
            <Cards>
              <WaysCard settings={chosen} />
              {WEBHOOK_CHANNELS.map((channel) => (
                <WebhookCard key={channel} channel={channel} hint={chosen[channel]} />
              ))}
            </Cards>
            <Suspense fallback={<Skeletons what={t('what you follow')} heights={['6rem']} />}>
              <Followed />
            </Suspense>
          </>
        )}
      </Loaded>
    </>
  );
}

function useSetting() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: setNotifications,
    onSuccess: async (saved) => {
      await client.cancelQueries({ queryKey: notificationsQuery.queryKey });
      client.setQueryData(notificationsQuery.queryKey, saved);
    },
  });
}

function WaysCard({ settings }: { settings: Notifications }) {
  const { account } = Route.useRouteContext();
  const { data: latest } = useQuery(accountQuery);
  const setting = useSetting();
  const switchOf = (name: 'by_mail' | 'events_by_mail' | 'events_by_webhook') => ({
    checked: (setting.isPending ? setting.variables[name] : undefined) ?? settings[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) =>
      !setting.isPending && setting.mutate({ [name]: target.checked }),
  });
  const to = t('To {email}', { email: (latest ?? account).email });
  return (
    <Card title={t('What to tell')}>
      <CheckField label={t('Mail me when an order is finished')} help={to} {...switchOf('by_mail')} />
      <CheckField label={t('Mail me what changed in events that I follow')} help={to} {...switchOf('events_by_mail')} />
      <CheckField
        label={t('Post what changed in events that I follow')}
        help={t('To each webhook that you set')}
        {...switchOf('events_by_webhook')}
      />
      {setting.isError && <Notice tone="danger">{messageOf(setting.error)}</Notice>}
    </Card>
  );
}

function WebhookCard({ channel, hint }: { channel: WebhookChannel; hint: string | null }) {
  const setting = useSetting();
  const { name, about, looks } = WEBHOOKS[channel];
  const field = urlField(channel);
  return (
    <FormCard
      key={hint}
      title={t('On {name}', { name })}
      about={
        hint
          ? t('Messages go to the channel of this webhook: finished orders always, events if you chose it.')
          : words(about)
      }
      action={hint ? t('Replace') : t('Save')}
      sending={setting}
      onSubmit={(form) => setting.mutate({ [field]: textOf(form, field) })}
    >
      {hint && <Current channel={channel} hint={hint} />}
      <TextField
        label={hint ? t('Another webhook’s address') : t('Webhook’s address')}
        name={field}
        type="url"
        autoComplete="off"
        required
        maxLength={300}
        placeholder={looks}
        help={t('It is a secret, which we never show again.')}
      />
    </FormCard>
  );
}

/** The current webhook with buttons to test and remove it. */
function Current({ channel, hint }: { channel: WebhookChannel; hint: string }) {
  const client = useQueryClient();
  const setting = useSetting();
  const testing = useMutation({
    mutationFn: () => testWebhook(channel),
    // The server turns off a webhook that no longer exists.
    onError: () => client.invalidateQueries({ queryKey: notificationsQuery.queryKey }),
  });
  return (
    <div className={styles.current}>
      <code>{hint}</code>
      <div className={layout.wrap}>
        <Button busy={testing.isPending} onClick={() => testing.mutate()}>
          {t('Send a test')}
        </Button>
        <Button look="bare" busy={setting.isPending} onClick={() => setting.mutate({ [urlField(channel)]: '' })}>
          {t('Switch off')}
        </Button>
      </div>
      {testing.isError && <Notice tone="danger">{messageOf(testing.error)}</Notice>}
      {testing.data && <Notice>{testing.data.message}</Notice>}
      {setting.isError && <Notice tone="danger">{messageOf(setting.error)}</Notice>}
    </div>
  );
}
