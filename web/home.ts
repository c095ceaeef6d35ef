/** Default page after signing in. */
export const HOME = '/dashboard';
