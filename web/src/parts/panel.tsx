/**
 * Details beside a list: at the side of a wide page or below it, over all of a narrow one. Esc
 * closes it and returns to where it was opened.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { isTyping } from "../app/is-typing.ts";
import { useKeys } from "../app/keys.ts";
import { navigate } from "../app/router.ts";

export interface PanelProps {
  readonly title: string;
  /** The address without the panel; a panel is part of the address. */
  readonly closeHref: string;
  /** `bottom`: long lines have the width of the page. Left out: at the side. */
  readonly place?: "bottom";
  /** Beside the title: actions. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Panel({ title, closeHref, place, actions, children }: PanelProps) {
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  useKeys("Panel", [{ keys: "Escape", text: "Close the panel", run: () => navigate(closeHref) }]);
  useEffect(() => {
    const before = document.activeElement;
    if (!isTyping()) panel.current?.focus({ preventScroll: true });
    return () => {
      // Also a panel that goes with its page leaves a reader who types elsewhere by now.
      if (isTyping() || !(before instanceof HTMLElement) || !before.isConnected) return;
      before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <aside
      class={place === "bottom" ? "panel panel-bottom" : "panel"}
      ref={panel}
      tabIndex={-1}
      aria-labelledby={id}
    >
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
