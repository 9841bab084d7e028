/**
 * The card of one override or budget: what it is, what can be done with it, whose it is and why.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Badge } from "../parts/badge.tsx";

export interface SteeredCardProps {
  readonly name: string;
  readonly title: ComponentChildren;
  /** Beside the name. */
  readonly head: ComponentChildren;
  readonly owner: string;
  readonly reason: string;
  /** Another page led here because of this one. */
  readonly isSelected: boolean;
  readonly children: ComponentChildren;
}

export function SteeredCard(props: SteeredCardProps) {
  const { name, isSelected } = props;
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isSelected) card.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  return (
    <li
      ref={card}
      class={isSelected ? "card override override-selected" : "card override"}
      aria-label={name}
    >
      <div class="override-head">
        <h2>{props.title}</h2>
        <Badge>{name}</Badge>
        {props.head}
      </div>
      <p class="override-reason">
        by <strong>{props.owner}</strong>: {props.reason}
      </p>
      {props.children}
    </li>
  );
}

/** A button that asks: "Extend…". */
export const AskButton = (of: {
  readonly verb: string;
  readonly name: string;
  readonly ask: () => Promise<void>;
}) => (
  <button
    type="button"
    class="button"
    aria-label={`${of.verb} ${of.name}`}
    onClick={() => void of.ask()}
  >
    {of.verb}…
  </button>
);
