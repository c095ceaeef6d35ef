/** What a deployment tells its pages (wrangler.toml). The Worker writes it into the head of every page. */
export interface PageSettings {
  /** Where people write for help. */
  support: string;
  /** Invitation to the community chat. */
  chat: string;
  /** Origin of the API where it is not the pages' own; empty otherwise. */
  api: string;
}

/** Name of the meta element whose content is the settings as JSON (web/index.html). */
export const PAGE_SETTINGS = 'muster-settings';

/** Texts that the operator writes: wrangler.toml has each under its name in capitals. */
export const TEXT_NAMES = ['imprint', 'privacy'] as const;
export type TextName = (typeof TEXT_NAMES)[number];
