/** Puts a text on the clipboard, such as the command that does the same. */
import { useSignal } from "@preact/signals";
import { notify } from "../app/notices.ts";

export interface CopyButtonProps {
  readonly text: string;
  /** What is copied: "Copy the command". */
  readonly label: string;
}

/** Long enough to be seen. */
const DONE_MS = 2_000;

export function CopyButton({ text, label }: CopyButtonProps) {
  const isDone = useSignal(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      isDone.value = true;
      setTimeout(() => void (isDone.value = false), DONE_MS);
    } catch {
      // Browsers allow it on https and on this machine only.
      notify(`The browser does not allow copying here. The text is: ${text}`);
    }
  };
  return (
    <button type="button" class="button button-quiet" title={text} onClick={() => void copy()}>
      {isDone.value ? "✓ Copied" : label}
    </button>
  );
}
