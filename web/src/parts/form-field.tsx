/** A line to type into, in a dialog that asks before something changes. */
export interface FieldProps {
  readonly label: string;
  readonly value?: string;
  readonly placeholder?: string;
  /** Where somebody who opened the dialog begins to type. */
  readonly isFirst?: boolean;
  readonly onInput: (text: string) => void;
}

export function FormField({
  label,
  value = "",
  placeholder,
  isFirst = false,
  onInput,
}: FieldProps) {
  return (
    <label class="form-field">
      <span>{label}</span>
      <input
        type="text"
        autocomplete="off"
        autofocus={isFirst}
        defaultValue={value}
        {...(placeholder === undefined ? {} : { placeholder })}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </label>
  );
}
