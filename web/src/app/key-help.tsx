/** The list of keys that work right now. */
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { keyLayers } from "./keys.ts";

export const isHelpOpen = signal(false);

export function KeyHelp() {
  return isHelpOpen.value ? <HelpDialog /> : null;
}

const close = (): void => void (isHelpOpen.value = false);

function HelpDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="keys-title" onClose={close}>
      <h2 id="keys-title">Keys</h2>
      {keyLayers.value.map(({ title, bindings }) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl class="key-list">
            {bindings.map(({ keys, text }) => (
              <div key={keys}>
                <dt>
                  {keys.split(" ").map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <div class="dialog-actions">
        <button type="button" class="button button-main" onClick={close}>
          Close
        </button>
      </div>
    </dialog>
  );
}
