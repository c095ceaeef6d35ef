import { t } from '../../../domain/language/text.ts';
import { exact } from '../../format.ts';

/** Returns text such as ', 12 below the range of the smaller scan', or an empty string for 0. */
export const unseenText = (unseen: number): string =>
  unseen > 0 ? t(', {unseen} below the range of the smaller scan', { unseen: exact(unseen) }) : '';
