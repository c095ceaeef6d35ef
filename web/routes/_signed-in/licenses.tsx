import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { Check, Minus } from 'lucide';
import type { LicensesAnswer } from '../../../domain/accounts/answers.ts';
import { t, words } from '../../../domain/language/text.ts';
import { licensesQuery } from '../../api/licenses.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { Facts, Panel, Panels } from '../../components/panel.tsx';
import { exact } from '../../format.ts';
import { Icon } from '../../ui/icon.tsx';
import { T } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './licenses.module.css';

export const Route = createFileRoute('/_signed-in/licenses')({
  loader: ({ context }) => {
    void context.client.prefetchQuery(licensesQuery);
  },
  component: Licenses,
});

/** Permissions of the account, their limits, usage and expiry. */
function Licenses() {
  const licenses = useQuery(licensesQuery);
  return (
    <Page
      title={t('Licenses')}
      about={
        <p>
          <T
            of="What your account can use, and until when. The terms are in the <link>licence</link>."
            link={(text) => <Link to="/eula">{text}</Link>}
          />
        </p>
      }
    >
      <Loaded query={licenses} what={t('your licenses')} heights={['14rem']}>
        {({ licenses: all }) => (
          <Panels>
            {all.map((license) => (
              <License key={license.id} license={license} />
            ))}
          </Panels>
        )}
      </Loaded>
    </Page>
  );
}

type Held = LicensesAnswer['licenses'][number];

/** Links to what a licence allows. */
function Way({ id, held }: Pick<Held, 'id' | 'held'>) {
  if (!held) return <Link to="/eula">{t('Read the licence')}</Link>;
  if (id === 'orders') return <Link to="/orders/new">{t('New order')}</Link>;
  if (id === 'own-scans') return <Link to="/scans">{t('My Scans')}</Link>;
  if (id === 'api') return <Link to="/account/keys">{t('API Keys')}</Link>;
  return null;
}

const License = ({ license: { id, name, text, held, until, limits } }: { license: Held }) => (
  <Panel
    title={name}
    about={
      <span className={styles.held}>
        <Icon of={held ? Check : Minus} size={14} /> {held ? t('Yours') : t('Not yours yet')}
        {held && until !== null && <T of=" until {time}" time={<Time at={until} />} />}
      </span>
    }
  >
    <p>
      {text} <Way id={id} held={held} />
    </p>
    {limits.length > 0 && (
      <Facts
        facts={limits.map(({ name: what, limit, used, per }) => [
          what,
          `${used === null ? exact(limit) : t('{used} of {limit}', { used: exact(used), limit: exact(limit) })}${per && ` ${words(per)}`}`,
        ])}
      />
    )}
  </Panel>
);
