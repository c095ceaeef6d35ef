import { useRouterState } from '@tanstack/react-router';
import { BARE_PATHS } from './nav-links.ts';

/** Returns whether a location is an embedded event view. */
export const isEmbedded = ({ pathname, search }: { pathname: string; search: object }): boolean =>
  BARE_PATHS.some((prefix) => pathname.startsWith(prefix)) && 'embed' in search && search.embed === true;

/** Returns whether the page is an embedded event view. */
export const useEmbedded = (): boolean => useRouterState({ select: ({ location }) => isEmbedded(location) });

const IN_PLACE = {};
const NEW_TAB = { target: '_blank' } as const;

/** Returns link attributes. In an embedded view links open a new tab, because only that view may be framed. */
export const useLinkTarget = (): { target?: '_blank' } => (useEmbedded() ? NEW_TAB : IN_PLACE);
