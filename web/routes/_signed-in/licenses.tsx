import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { Check, Minus } from 'lucide';
import type { LicensesAnswer } from '../../../domain/accounts/answers.ts';
import { licensesQuery } from '../../api/licenses.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { Facts, Panel, Panels } from '../../components/panel.tsx';
import { exact } from '../../format.ts';
import { Icon } from '../../ui/icon.tsx';
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
      title="Licenses"
      about={
        <p>
          What your account can use, and until when. The terms are in the <Link to="/eula">licence</Link>.
        </p>
      }
    >
      <Loaded query={licenses} what="your licenses" heights={['14rem']}>
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
  if (!held) return <Link to="/eula">Read the licence</Link>;
  if (id === 'orders') return <Link to="/orders/new">New order</Link>;
  if (id === 'own-scans') return <Link to="/scans">My Scans</Link>;
  if (id === 'api') return <Link to="/account/keys">API Keys</Link>;
  return null;
}

const License = ({ license: { id, name, text, held, until, limits } }: { license: Held }) => (
  <Panel
    title={name}
    about={
      <span className={styles.held}>
        <Icon of={held ? Check : Minus} size={14} /> {held ? 'Yours' : 'Not yours yet'}
        {held && until !== null && (
          <>
            {' '}
            until <Time at={until} />
          </>
        )}
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
          `${used === null ? '' : `${exact(used)} of `}${exact(limit)}${per && ` ${per}`}`,
        ])}
      />
    )}
  </Panel>
);
