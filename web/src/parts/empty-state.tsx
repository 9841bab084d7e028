/** Nothing is here, and why that is, and what to do. */
import type { ComponentChildren } from "preact";

export interface EmptyStateProps {
  readonly title: string;
  readonly children?: ComponentChildren;
}

export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      <div class="quiet">{children}</div>
    </div>
  );
}
