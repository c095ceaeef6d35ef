import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../../../domain/language/text.ts';
import { messageOf } from '../../../api/client.ts';
import { closeShare, makeShare, type Share, sharesQuery } from '../../../api/shares.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { FormCard } from '../../../components/form-card.tsx';
import { Panel } from '../../../components/panel.tsx';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import layout from '../../../ui/layout.module.css';
import { Notice } from '../../../ui/notice.tsx';
import { Select } from '../../../ui/select.tsx';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';
import styles from './-share.module.css';

const DAYS = ['1', '7', '30', '90'];

/** Something to share: an item by its id, or a whole order by its number. */
export interface Sharable {
  id: string;
  name: string;
}

/** Creates, copies and closes public links to these results. */
export function ShareLinks({ items }: { items: readonly [Sharable, ...Sharable[]] }) {
  const [chosen, setChosen] = useState(items[0].id);
  return (
    <>
      {items.length > 1 && (
        <label className={styles.choice}>
          {t('Results of')}
          <Select value={chosen} onChange={({ target }) => setChosen(target.value)}>
            {items.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </label>
      )}
      <LinksTo key={chosen} itemId={chosen} />
    </>
  );
}

function LinksTo({ itemId }: { itemId: string }) {
  const client = useQueryClient();
  const shares = useQuery(sharesQuery(itemId));
  const again = () => client.invalidateQueries({ queryKey: sharesQuery(itemId).queryKey });
  const making = useMutation({
    mutationFn: (form: FormData) => makeShare(itemId, Number(textOf(form, 'days'))),
    // Also if no answer arrived: the link may exist.
    onSettled: () => void again(),
  });
  const closing = useMutation({ mutationFn: (id: string) => closeShare(itemId, id), onSuccess: again });
  return (
    <div className={layout.stack}>
      <p>
        <T
          of="Anyone with a link can read and download these results without an account until it expires. All your links are listed under <link>My Account</link>."
          link={(text) => <Link to="/account/shares">{text}</Link>}
        />
      </p>
      {closing.isError && <Notice tone="danger">{messageOf(closing.error)}</Notice>}
      {shares.isError && <Notice tone="danger">{messageOf(shares.error)}</Notice>}
      {(shares.data?.shares.length ?? 0) > 0 && (
        <Panel title={t('Active links')}>
          <ul className={styles.links}>
            {shares.data?.shares.map((share) => (
              <ShareLine
                key={share.share_id}
                share={share}
                busy={closing.isPending && closing.variables === share.share_id}
                onClose={() => closing.mutate(share.share_id)}
              />
            ))}
          </ul>
        </Panel>
      )}
      <FormCard title={t('New link')} action={t('Make a link')} sending={making} onSubmit={making.mutate}>
        <SelectField label={t('Days until it expires')} name="days" defaultValue="7" options={DAYS} />
      </FormCard>
    </div>
  );
}

function ShareLine({ share, busy, onClose }: { share: Share; busy: boolean; onClose: () => void }) {
  const address = new URL(share.short, location.origin).href;
  return (
    <li>
      <input
        readOnly
        value={address}
        aria-label={t('Address of the link')}
        onFocus={(event) => event.target.select()}
      />
      <span>
        <T of="Until {time}" time={<Time at={share.expires_at} />} />
      </span>
      <CopyButton text={address} what={t('the link')} />
      <Button busy={busy} onClick={onClose}>
        {t('Close')}
      </Button>
    </li>
  );
}
