import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { accountQuery } from '../../../api/account.ts';
import { messageOf } from '../../../api/client.ts';
import { notificationsQuery, setNotifications, testDiscord } from '../../../api/notifications.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { Failure } from '../../../components/failure.tsx';
import { Card, Cards, FormCard } from '../../../components/form-card.tsx';
import { Button } from '../../../ui/button.tsx';
import { CheckField, TextField } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
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
      {settings.isError && <Failure error={settings.error} retry={() => void settings.refetch()} />}
      {settings.isPending && (
        <>
          <Loading what="your notifications" />
          <Skeleton height="14rem" />
        </>
      )}
      {settings.data && (
        <>
          {settings.data.trouble && <Notice tone="danger">{settings.data.trouble}</Notice>}
          <Cards>
            <MailCard on={settings.data.by_mail} />
            <DiscordCard hint={settings.data.discord} />
          </Cards>
        </>
      )}
    </>
  );
}

function useSetting() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: setNotifications,
    onSuccess: (saved) => client.setQueryData(notificationsQuery.queryKey, saved),
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

function DiscordCard({ hint }: { hint: string | null }) {
  const setting = useSetting();
  return (
    <FormCard
      key={hint}
      title="On Discord"
      about={
        hint
          ? 'Finished orders are announced in the channel of this webhook.'
          : 'In your channel’s settings, under Integrations, make a webhook and copy its address.'
      }
      action={hint ? 'Replace' : 'Save'}
      sending={setting}
      onSubmit={(form) => setting.mutate({ discord_url: textOf(form, 'discord_url') })}
    >
      {hint && <Current hint={hint} />}
      <TextField
        label={hint ? 'Another webhook’s address' : 'Webhook’s address'}
        name="discord_url"
        type="url"
        autoComplete="off"
        required
        maxLength={300}
        placeholder="https://discord.com/api/webhooks/…"
        help="It is a secret, which we never show again."
      />
    </FormCard>
  );
}

/** The webhook that is set: what is known of it, a test, and its end. */
function Current({ hint }: { hint: string }) {
  const client = useQueryClient();
  const setting = useSetting();
  const testing = useMutation({
    mutationFn: testDiscord,
    // A webhook that is gone has been switched off.
    onError: () => client.invalidateQueries({ queryKey: notificationsQuery.queryKey }),
  });
  return (
    <div className={styles.current}>
      <code>{hint}</code>
      <div className={styles.actions}>
        <Button busy={testing.isPending} onClick={() => testing.mutate()}>
          Send a test
        </Button>
        <Button look="bare" busy={setting.isPending} onClick={() => setting.mutate({ discord_url: '' })}>
          Switch off
        </Button>
      </div>
      {testing.isError && <Notice tone="danger">{messageOf(testing.error)}</Notice>}
      {testing.data && <Notice>{testing.data.message}</Notice>}
      {setting.isError && <Notice tone="danger">{messageOf(setting.error)}</Notice>}
    </div>
  );
}
