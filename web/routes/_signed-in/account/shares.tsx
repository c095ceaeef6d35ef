import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { t } from '../../../../domain/language/text.ts';
import { messageOf } from '../../../api/client.ts';
import { type AccountShare, accountSharesQuery, closeShare } from '../../../api/shares.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { capital, ownTime } from '../../../format.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import layout from '../../../ui/layout.module.css';
import { Notice } from '../../../ui/notice.tsx';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';
import styles from './-security/lists.module.css';

export const Route = createFileRoute('/_signed-in/account/shares')({
  loader: ({ context }) => {
    void context.client.prefetchQuery(accountSharesQuery);
  },
  component: SharedLinks,
});

/** All links through which people without an account can read the user's results. */
function SharedLinks() {
  const client = useQueryClient();
  const shares = useQuery(accountSharesQuery);
  const closing = useMutation({
    mutationFn: (share: AccountShare) => closeShare(shownBy(share), share.share_id),
    onSuccess: () => client.invalidateQueries({ queryKey: accountSharesQuery.queryKey }),
  });
  return (
    <>
      <title>{t('Shared links · Muster')}</title>
      <Panel
        title={t('Shared links')}
        about={t('Anyone with one of these links can read its results until it expires.')}
      >
        {closing.isError && <Notice tone="danger">{messageOf(closing.error)}</Notice>}
        <Loaded query={shares} what={t('your links')} heights={['4rem']}>
          {({ shares: links }) =>
            links.length === 0 ? (
              <Nothing>
                <T
                  of="You have no active links. To make one, open the results of <link>an order</link> and press Share."
                  link={(text) => <Link to="/orders">{text}</Link>}
                />
              </Nothing>
            ) : (
              <ul className={styles.list}>
                {links.map((share) => (
                  <SharedLink
                    key={share.share_id}
                    share={share}
                    busy={closing.isPending && closing.variables.share_id === share.share_id}
                    onClose={() => closing.mutate(share)}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Panel>
    </>
  );
}

/** Returns an item's id, or the order number for combined results. */
const shownBy = ({ combined, order_id, item_id }: AccountShare): string => (combined ? String(order_id) : item_id);

function SharedLink({ share, busy, onClose }: { share: AccountShare; busy: boolean; onClose: () => void }) {
  const { game, kingdom_id, order_id, combined } = share;
  const what = combined
    ? t('all results of order #{order_id}', { order_id: String(order_id) })
    : t('{game, select, cod {server} other {kingdom}} {id}', { game, id: String(kingdom_id) });
  return (
    <li className={styles.line}>
      <div className={styles.words}>
        <p className={styles.title}>
          <Link to="/order/$orderId" params={{ orderId: shownBy(share) }} search={{ all: combined || undefined }}>
            {capital(what)}
          </Link>
        </p>
        <p className={layout.quiet}>
          <T
            of="Order #{order_id} · made {time} · until {end}"
            order_id={String(order_id)}
            time={<Time at={share.created_at} />}
            end={<Time at={share.expires_at} />}
          />
        </p>
      </div>
      <CopyButton text={new URL(share.short, location.origin).href} what={t('the link to {what}', { what })} />
      <Button
        busy={busy}
        onClick={onClose}
        aria-label={t('Close the link to {what} of {created_at}', { what, created_at: ownTime(share.created_at) })}
      >
        {t('Close')}
      </Button>
    </li>
  );
}
