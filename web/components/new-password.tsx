import { MAX_PASSWORD, MIN_PASSWORD } from '../../domain/accounts/password.ts';
import { t } from '../../domain/language/text.ts';
import { TextField } from '../ui/field.tsx';

/** Returns whether both password fields of a form match. */
export const isSameTwice = (form: FormData): boolean => form.get('password') === form.get('confirm');

/** Fields for a new password and its confirmation. */
export const NewPassword = ({
  label = t('New password'),
  again = t('Confirm password'),
  help = '',
  unequal,
}: {
  label?: string;
  again?: string;
  /** Text after the minimum length. */
  help?: string;
  unequal: boolean;
}) => (
  <>
    <TextField
      label={label}
      name="password"
      type="password"
      autoComplete="new-password"
      help={`${t('At least {length} characters.', { length: MIN_PASSWORD })} ${help}`.trim()}
      required
      minLength={MIN_PASSWORD}
      maxLength={MAX_PASSWORD}
    />
    <TextField
      label={again}
      name="confirm"
      type="password"
      autoComplete="new-password"
      error={unequal ? t('This is not the same password.') : null}
      required
      maxLength={MAX_PASSWORD}
    />
  </>
);
