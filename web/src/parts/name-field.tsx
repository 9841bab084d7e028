/** Whose name is to stand in the log: asked where the plane has no names, shown where it has. */
import type { Acting } from "./acting.ts";
import { FormField } from "./form-field.tsx";

export function NameField(of: {
  readonly acting: Acting;
  readonly onInput: (name: string) => void;
}) {
  const { acting, onInput } = of;
  if (acting.isLocal)
    return (
      <FormField label="Your name, for the audit trail" value={acting.name} onInput={onInput} />
    );
  return (
    <p class="quiet">
      As <strong>{acting.name}</strong>.
    </p>
  );
}
