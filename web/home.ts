/** Where a user lands who was not on the way to somewhere. */
export const HOME = '/dashboard';
