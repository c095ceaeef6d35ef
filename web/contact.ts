import { SETTINGS } from './page-settings.ts';

/** Where people find help, as the deployment names it. */
export const SUPPORT_EMAIL: string = SETTINGS.support;
export const CHAT_INVITE: string = SETTINGS.chat;
