import type { LinkProps } from '@tanstack/react-router';

export interface NavLink {
  label: string;
  to: LinkProps['to'];
  /** Links of a submenu; the parent's own screen is the first of them. */
  children?: readonly NavLink[];
  /** Where the screens lie that belong to a submenu and have no line in it. */
  also?: string;
}

/** Everything the navbar links, in the specification's order; a screen that does not exist has no line here. */
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
      { label: 'Licenses', to: '/licenses' },
      { label: 'Maps', to: '/maps' },
    ],
  },
  { label: 'My Scans', to: '/scans' },
  { label: 'My Account', to: '/account' },
  { label: 'Logout', to: '/logout' },
];

/** Shown to admins besides, before the way out. */
export const ADMIN_LINK: NavLink = { label: 'Admin', to: '/admin' };

export const VISITOR_LINKS: readonly NavLink[] = [
  { label: 'Leaderboards', to: '/leaderboard' },
  { label: 'Login', to: '/login' },
];

/** Paths under which the navbar is hidden: event dashboards are shown on streams and shared as they are. */
export const BARE_PATHS = ['/dashboards/', '/cod-dashboards/'];

/** Returns whether a path is one of a submenu's screens, or below one. */
export const isWithin = (path: string, { to, children = [], also }: NavLink): boolean =>
  [to, also, ...children.map((child) => child.to)].some(
    (start) => start !== undefined && `${path}/`.startsWith(`${start}/`),
  );
