/**
 * The header with a position in the database's history, given after a write and by progress messages. A read that
 * sends it back is answered by a copy that has that write.
 */
export const BOOKMARK_HEADER = 'x-bookmark';
