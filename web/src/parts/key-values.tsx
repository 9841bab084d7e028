/** Facts about one thing, a line each. */
import type { ComponentChildren } from "preact";

export interface KeyValuesProps {
  /** Undefined and null leave the line out. */
  readonly items: readonly (readonly [label: string, value: ComponentChildren])[];
}

export function KeyValues({ items }: KeyValuesProps) {
  return (
    <dl class="key-values">
      {items
        .filter(([, value]) => value !== undefined && value !== null)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
