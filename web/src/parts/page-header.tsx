/** The heading of a page, its title in the browser, and what can be done with it at the right. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

export interface PageHeaderProps {
  readonly title: string;
  /** One line under the heading. */
  readonly about?: ComponentChildren;
  /** Filters and actions. */
  readonly children?: ComponentChildren;
}

export function PageHeader({ title, about, children }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} · Berth`;
  }, [title]);
  return (
    <div class="page-header">
      <div>
        <h1>{title}</h1>
        {about !== undefined && <p class="quiet">{about}</p>}
      </div>
      {children !== undefined && <div class="page-actions">{children}</div>}
    </div>
  );
}
