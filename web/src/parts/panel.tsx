/**
 * Details beside a list: at the side of a wide page, over all of a narrow one. Esc closes it and
 * returns to where it was opened.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { useKeys } from "../app/keys.ts";
import { navigate } from "../app/router.ts";

export interface PanelProps {
  readonly title: string;
  /** The address without the panel; a panel is part of the address. */
  readonly closeHref: string;
  /** Beside the title: actions. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Panel({ title, closeHref, actions, children }: PanelProps) {
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  useKeys("Panel", [{ keys: "Escape", text: "Close the panel", run: () => navigate(closeHref) }]);
  useEffect(() => {
    const before = document.activeElement;
    panel.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <aside class="panel" ref={panel} tabIndex={-1} aria-labelledby={id}>
      <div class="panel-head">
        <h2 id={id}>{title}</h2>
        {actions}
        <a class="button button-quiet" href={closeHref} aria-label="Close the panel">
          ✕
        </a>
      </div>
      <div class="panel-body">{children}</div>
    </aside>
  );
}
