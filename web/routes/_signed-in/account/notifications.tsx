import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { urlField, WEBHOOK_CHANNELS, WEBHOOKS, type WebhookChannel } from '../../../../domain/accounts/webhooks.ts';
import { accountQuery } from '../../../api/account.ts';
import { messageOf } from '../../../api/client.ts';
import { notificationsQuery, setNotifications, testWebhook } from '../../../api/notifications.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { Card, Cards, FormCard } from '../../../components/form-card.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Button } from '../../../ui/button.tsx';
import { CheckField, TextField } from '../../../ui/field.tsx';
import layout from '../../../ui/layout.module.css';
import { Notice } from '../../../ui/notice.tsx';
import styles from './notifications.module.css';

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
      <title>Notifications · Muster</title>
      <p className={styles.about}>
        Muster can tell you when an order is finished, once for each order. Any page of Muster that you have open shows
        it too.
      </p>
      <Loaded query={settings} what="your notifications" heights={['14rem']}>
        {(chosen) => (
          <>
            {chosen.trouble && <Notice tone="danger">{chosen.trouble}</Notice>}
            <Cards>
              <MailCard on={chosen.by_mail} />
              {WEBHOOK_CHANNELS.map((channel) => (
                <WebhookCard key={channel} channel={channel} hint={chosen[channel]} />
              ))}
            </Cards>
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

function MailCard({ on }: { on: boolean }) {
  const { account } = Route.useRouteContext();
  const { data: latest } = useQuery(accountQuery);
  const setting = useSetting();
  return (
    <Card title="By mail">
      <CheckField
        label="Mail me when an order is finished"
        help={`To ${(latest ?? account).email}`}
        checked={setting.isPending ? setting.variables.by_mail === true : on}
        onChange={({ target }) => !setting.isPending && setting.mutate({ by_mail: target.checked })}
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
      title={`On ${name}`}
      about={hint ? 'Finished orders are announced in the channel of this webhook.' : about}
      action={hint ? 'Replace' : 'Save'}
      sending={setting}
      onSubmit={(form) => setting.mutate({ [field]: textOf(form, field) })}
    >
      {hint && <Current channel={channel} hint={hint} />}
      <TextField
        label={hint ? 'Another webhook’s address' : 'Webhook’s address'}
        name={field}
        type="url"
        autoComplete="off"
        required
        maxLength={300}
        placeholder={looks}
        help="It is a secret, which we never show again."
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
          Send a test
        </Button>
        <Button look="bare" busy={setting.isPending} onClick={() => setting.mutate({ [urlField(channel)]: '' })}>
          Switch off
        </Button>
      </div>
      {testing.isError && <Notice tone="danger">{messageOf(testing.error)}</Notice>}
      {testing.data && <Notice>{testing.data.message}</Notice>}
      {setting.isError && <Notice tone="danger">{messageOf(setting.error)}</Notice>}
    </div>
  );
}
