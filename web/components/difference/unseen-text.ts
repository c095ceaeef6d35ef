import { exact } from '../../format.ts';

/** Returns text such as ', 12 below the end of the scan with fewer governors', or an empty string for 0. */
export const unseenText = (unseen: number): string =>
  unseen > 0 ? `, ${exact(unseen)} below the end of the scan with fewer governors` : '';
