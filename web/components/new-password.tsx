import { TextField } from '../ui/field.tsx';

/** True where the new password of a form was written the same twice. */
export const isSameTwice = (form: FormData): boolean => form.get('password') === form.get('confirm');

/** A new password, written twice. */
export const NewPassword = ({
  label = 'New password',
  again = 'Confirm password',
  help,
  unequal,
}: {
  label?: string;
  again?: string;
  help: string;
  unequal: boolean;
}) => (
  <>
    <TextField
      label={label}
      name="password"
      type="password"
      autoComplete="new-password"
      help={help}
      required
      minLength={10}
      maxLength={200}
    />
    <TextField
      label={again}
      name="confirm"
      type="password"
      autoComplete="new-password"
      error={unequal ? 'This is not the same password.' : null}
      required
      maxLength={200}
    />
  </>
);
