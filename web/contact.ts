import { SETTINGS } from './page-settings.ts';

/** Support contacts, set by the deployment. */
export const SUPPORT_EMAIL: string = SETTINGS.support;
export const CHAT_INVITE: string = SETTINGS.chat;
