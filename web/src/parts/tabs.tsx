/** Sides of one thing, each with an address of its own. */
import { hrefWith } from "../app/router.ts";

export interface TabsProps {
  readonly label: string;
  /** The parameter of the query; the first tab is there when it is not set. */
  readonly parameter: string;
  readonly tabs: readonly { readonly id: string; readonly label: string }[];
  readonly current: string;
}

export function Tabs({ label, parameter, tabs, current }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map((tab, at) => (
        <a
          key={tab.id}
          href={hrefWith({ [parameter]: at === 0 ? undefined : tab.id })}
          {...(tab.id === current ? { "aria-current": "true" as const } : {})}
        >
          {tab.label}
        </a>
      ))}
    </nav>
  );
}
