import type { LinkProps } from '@tanstack/react-router';

export interface NavLink {
  label: string;
  to: LinkProps['to'];
  /** Links of the submenu, starting with the parent's own page. */
  children?: readonly NavLink[];
  /** Path of further pages that belong to the submenu but have no link in it. */
  also?: string;
}

/** Navbar links in the specification's order. */
export const SIGNED_IN_LINKS: readonly NavLink[] = [
  { label: 'Dashboard', to: '/dashboard' },
  { label: 'Leaderboards', to: '/leaderboard' },
  {
    label: 'Orders',
    to: '/orders',
    also: '/order',
    children: [
      { label: 'Past Orders', to: '/orders' },
      { label: 'New Order', to: '/orders/new' },
      { label: 'Scheduled', to: '/orders/scheduled' },
      { label: 'Reports', to: '/orders/reports' },
      { label: 'Teams', to: '/teams' },
      { label: 'Licenses', to: '/licenses' },
      { label: 'Maps', to: '/maps' },
    ],
  },
  { label: 'My Scans', to: '/scans' },
  { label: 'My Account', to: '/account' },
  { label: 'Logout', to: '/logout' },
];

/** Shown to admins before Logout. */
export const ADMIN_LINK: NavLink = { label: 'Admin', to: '/admin' };

export const VISITOR_LINKS: readonly NavLink[] = [
  { label: 'Leaderboards', to: '/leaderboard' },
  { label: 'Login', to: '/login' },
];

/** Paths without a navbar: event dashboards are shown on streams and shared as they are. */
export const BARE_PATHS = ['/dashboards/', '/cod-dashboards/'];

/** Returns whether a path is, or is below, one of a submenu's pages. */
export const isWithin = (path: string, { to, children = [], also }: NavLink): boolean =>
  [to, also, ...children.map((child) => child.to)].some(
    (start) => start !== undefined && `${path}/`.startsWith(`${start}/`),
  );
