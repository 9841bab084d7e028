/** The dialog of `confirm()`. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { failureOf } from "../live/api-failure.ts";
import { type Asked, asked } from "./confirm.ts";

export function ConfirmDialog() {
  const question = asked.value;
  return question === undefined ? null : <Dialog key={question.title} question={question} />;
}

function Dialog({ question }: { readonly question: Asked }) {
  const { title, body, action, isDanger = false, isAllowed, run, answer } = question;
  const dialog = useRef<HTMLDialogElement>(null);
  const isBusy = useSignal(false);
  const refusal = useSignal<string | undefined>(undefined);
  const said = useRef<HTMLParagraphElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  // A long form may have it out of sight.
  useEffect(() => said.current?.scrollIntoView({ block: "nearest" }), [refusal.value]);
  const go = async (): Promise<void> => {
    isBusy.value = true;
    refusal.value = undefined;
    try {
      await run();
      answer(true);
    } catch (error) {
      refusal.value = failureOf(error).message;
      isBusy.value = false;
    }
  };
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby="confirm-title"
      onClose={() => answer(false)}
    >
      <h2 id="confirm-title">{title}</h2>
      <div class="dialog-body">{body}</div>
      {refusal.value !== undefined && (
        <p ref={said} class="refusal" role="alert">
          <strong>The plane rejected the request.</strong> {refusal.value}
        </p>
      )}
      <div class="dialog-actions">
        <button type="button" class="button" onClick={() => answer(false)}>
          Cancel
        </button>
        <button
          type="button"
          class={isDanger ? "button button-danger" : "button button-main"}
          disabled={isBusy.value || isAllowed?.value === false}
          onClick={() => void go()}
        >
          {isBusy.value ? "Waiting for the plane…" : action}
        </button>
      </div>
    </dialog>
  );
}
