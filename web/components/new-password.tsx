import { MAX_PASSWORD, MIN_PASSWORD } from '../../domain/accounts/password.ts';
import { TextField } from '../ui/field.tsx';

/** True where the new password of a form was written the same twice. */
export const isSameTwice = (form: FormData): boolean => form.get('password') === form.get('confirm');

/** A new password, written twice. */
export const NewPassword = ({
  label = 'New password',
  again = 'Confirm password',
  help = '',
  unequal,
}: {
  label?: string;
  again?: string;
  /** What is said after the least length. */
  help?: string;
  unequal: boolean;
}) => (
  <>
    <TextField
      label={label}
      name="password"
      type="password"
      autoComplete="new-password"
      help={`At least ${MIN_PASSWORD} characters. ${help}`.trim()}
      required
      minLength={MIN_PASSWORD}
      maxLength={MAX_PASSWORD}
    />
    <TextField
      label={again}
      name="confirm"
      type="password"
      autoComplete="new-password"
      error={unequal ? 'This is not the same password.' : null}
      required
      maxLength={MAX_PASSWORD}
    />
  </>
);
