/** What the keys do. The last handler is asked first: the top layer has the keys. */
import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { KeySequence } from "./key-sequence.ts";

export interface KeyBinding {
  /** As `KeyboardEvent.key` says it, several with spaces: `j`, `Escape`, `g f`. */
  readonly keys: string;
  /** For the list of keys: "Next row". */
  readonly text: string;
  readonly run: (event: KeyboardEvent) => void;
}

export interface KeyLayer {
  readonly title: string;
  readonly bindings: readonly KeyBinding[];
}

export const keyLayers = signal<readonly KeyLayer[]>([]);

/** The keys of a component, while it is there. */
export function useKeys(title: string, bindings: readonly KeyBinding[]): void {
  const newest = useRef(bindings);
  newest.current = bindings;
  const spelled = bindings.map(({ keys }) => keys).join(",");
  // Not later than it is seen: a key that is pressed at once means what is there already.
  useLayoutEffect(() => {
    const layer: KeyLayer = {
      title,
      bindings: newest.current.map(({ keys, text }, at) => ({
        keys,
        text,
        // What a key does may have changed since it was added.
        run: (event) => newest.current[at]?.run(event),
      })),
    };
    keyLayers.value = [...keyLayers.peek(), layer];
    return () => void (keyLayers.value = keyLayers.peek().filter((other) => other !== layer));
  }, [title, spelled]);
}

/** Listens for keys. Returns how to stop. */
export function startKeys(): () => void {
  const sequence = new KeySequence();
  const pressed = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Shift" || isTaken(event)) return;
    const bindings = keyLayers.value.toReversed().flatMap((layer) => layer.bindings);
    const found = sequence.press(
      event.key,
      event.timeStamp,
      bindings.map(({ keys }) => keys),
    );
    const binding = bindings.find(({ keys }) => keys === found);
    if (binding === undefined) return;
    event.preventDefault();
    binding.run(event);
  };
  document.addEventListener("keydown", pressed);
  return () => document.removeEventListener("keydown", pressed);
}

/**
 * Typing is text, and an open dialog has the keys to itself. Enter and space press the button they
 * are on.
 */
function isTaken({ key, target }: KeyboardEvent): boolean {
  if (document.querySelector("dialog[open]") !== null) return true;
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches("input, textarea, select, [contenteditable]")) return key !== "Escape";
  return (key === "Enter" || key === " ") && target.matches("button, a, summary");
}
