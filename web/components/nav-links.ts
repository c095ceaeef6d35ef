import type { LinkProps } from '@tanstack/react-router';
import { message } from '../../domain/language/text.ts';

export interface NavLink {
  /** English message. */
  label: string;
  to: LinkProps['to'];
  /** Links of the submenu, starting with the parent's own page. */
  children?: readonly NavLink[];
  /** Path of further pages that belong to the submenu but have no link in it. */
  also?: string;
}

/** Navbar links in the specification's order. */
export const SIGNED_IN_LINKS: readonly NavLink[] = [
  { label: message('Dashboard'), to: '/dashboard' },
  { label: message('Leaderboards'), to: '/leaderboard' },
  {
    label: message('Orders'),
    to: '/orders',
    also: '/order',
    children: [
      { label: message('Past Orders'), to: '/orders' },
      { label: message('New Order'), to: '/orders/new' },
      { label: message('Scheduled'), to: '/orders/scheduled' },
      { label: message('Reports'), to: '/orders/reports' },
      { label: message('Teams'), to: '/teams' },
      { label: message('Licenses'), to: '/licenses' },
      { label: message('Maps'), to: '/maps' },
    ],
  },
  { label: message('My Scans'), to: '/scans' },
  { label: message('My Account'), to: '/account' },
  { label: message('Logout'), to: '/logout' },
];

/** Shown to admins before Logout. */
export const ADMIN_LINK: NavLink = { label: message('Admin'), to: '/admin' };

export const VISITOR_LINKS: readonly NavLink[] = [
  { label: message('Leaderboards'), to: '/leaderboard' },
  { label: message('Login'), to: '/login' },
];

/** Paths without a navbar: event dashboards are shown on streams and shared as they are. */
export const BARE_PATHS = ['/dashboards/', '/cod-dashboards/'];

/** Returns whether a path is, or is below, one of a submenu's pages. */
export const isWithin = (path: string, { to, children = [], also }: NavLink): boolean =>
  [to, also, ...children.map((child) => child.to)].some(
    (start) => start !== undefined && `${path}/`.startsWith(`${start}/`),
  );
