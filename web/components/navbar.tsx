import { Link, useRouterState } from '@tanstack/react-router';
import { ChevronDown, Menu } from 'lucide';
import { t } from '../../domain/language/text.ts';
import { balanceOf } from '../api/account.ts';
import { money } from '../format.ts';
import { buttonClass } from '../ui/button.tsx';
import { Disclosure } from '../ui/disclosure.tsx';
import { Icon } from '../ui/icon.tsx';
import { Logo } from '../ui/logo.tsx';
import { T } from '../ui/text.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';
import { ADMIN_LINK, isWithin, type NavLink, SIGNED_IN_LINKS, VISITOR_LINKS } from './nav-links.ts';
import styles from './navbar.module.css';
import { SearchButton } from './search-box.tsx';
import { useAccount, useSignedIn } from './signed-in.tsx';

/** The navbar: logo, links, search and the user's balance. */
export function Navbar() {
  const hydrated = useHydrated();
  const { account } = useAccount();
  const signedIn = useSignedIn();
  const own =
    account && account.role !== 'user'
      ? [...SIGNED_IN_LINKS.slice(0, -1), ADMIN_LINK, ...SIGNED_IN_LINKS.slice(-1)]
      : SIGNED_IN_LINKS;
  const links = signedIn ? own : VISITOR_LINKS;
  return (
    <header className={styles.bar} data-hydrated={hydrated || undefined}>
      <div className={styles.inner}>
        <Link to="/" className={styles.brand} aria-label={t('Muster, home')}>
          <Logo />
          <T of="Muster" />
        </Link>
        <nav className={styles.wide} aria-label={t('Main')}>
          {links.map((link) =>
            link.children ? <Submenu key={link.label} link={link} /> : <PlainLink key={link.label} link={link} />,
          )}
        </nav>
        <div className={styles.search}>
          <SearchButton />
        </div>
        {account && (
          <p className={styles.user}>
            <span className={styles.name}>{account.user}</span>
            <Link to="/account/balance" className={`${styles.balance} tabular`} title={t('Your balance')}>
              <span className="visually-hidden">{t('Balance')} </span>
              {money(balanceOf(account))}
            </Link>
          </p>
        )}
        <nav className={styles.narrow} aria-label={t('Main')}>
          <NarrowMenu links={links} />
        </nav>
      </div>
    </header>
  );
}

// Preloading the logout page would sign the user out.
const preloadOf = (link: NavLink) => (link.to === '/logout' ? false : 'intent');

const PlainLink = ({ link }: { link: NavLink }) => (
  <Link to={link.to} className={styles.link} preload={preloadOf(link)}>
    {t(link.label)}
  </Link>
);

function Submenu({ link }: { link: NavLink }) {
  // Like the links beside it, this marks the target of a navigation; otherwise two entries would be marked while a page
  // loads.
  const here = useRouterState({ select: ({ location }) => isWithin(location.pathname, link) });
  const button = (
    <>
      {t(link.label)}
      <Icon of={ChevronDown} size={14} />
    </>
  );
  return (
    <Disclosure className={styles.link} current={here} button={button}>
      {link.children?.map((child) => (
        <ListedLink key={child.label} link={child} />
      ))}
    </Disclosure>
  );
}

const NarrowMenu = ({ links }: { links: readonly NavLink[] }) => (
  <Disclosure label={t('Menu')} className={buttonClass('bare')} align="end" button={<Icon of={Menu} size={20} />}>
    {links
      .flatMap((link) => link.children ?? [link])
      .map((link) => (
        <ListedLink key={link.label} link={link} />
      ))}
  </Disclosure>
);

const ListedLink = ({ link }: { link: NavLink }) => (
  <li>
    <Link to={link.to} activeOptions={{ exact: true }} preload={preloadOf(link)}>
      {t(link.label)}
    </Link>
  </li>
);
