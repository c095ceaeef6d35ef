import { exact } from '../../format.ts';

/** ', 12 below the end of the scan with fewer governors', after who joined and left; empty if nobody is. */
export const unseenText = (unseen: number): string =>
  unseen > 0 ? `, ${exact(unseen)} below the end of the scan with fewer governors` : '';
