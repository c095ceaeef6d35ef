/** Settings of a deployment that pages need (wrangler.toml). The Worker writes them into each page's head. */
export interface PageSettings {
  /** Mail address for support. */
  support: string;
  /** Invitation to the community chat. */
  chat: string;
  /** Origin of the API; empty if it is the pages' own. */
  api: string;
  /** Governors, kingdoms and alliances have public profiles. */
  profiles: boolean;
}

/** Name of the meta element with the settings as JSON (web/index.html). */
export const PAGE_SETTINGS = 'muster-settings';

/** Texts written by the operator, set in wrangler.toml under their names in capitals. */
export const TEXT_NAMES = ['imprint', 'privacy'] as const;
export type TextName = (typeof TEXT_NAMES)[number];
