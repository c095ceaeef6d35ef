/** Where people find help: set at build time, so that a deployment names its own. */
export const SUPPORT_EMAIL: string = import.meta.env.VITE_SUPPORT_EMAIL ?? 'support@muster.example';
export const CHAT_INVITE: string = import.meta.env.VITE_CHAT_INVITE ?? 'https://chat.muster.example/join';
