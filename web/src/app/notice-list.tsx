/** The notices, newest last, read out as they come. */
import { dismiss, notices } from "./notices.ts";

const MARKS = { good: "✓", bad: "✕", plain: "·" } as const;

export function NoticeList() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, tone, text }) => (
        <div key={id} class={`notice notice-${tone}`}>
          <span aria-hidden="true">{MARKS[tone]}</span>
          <span>{text}</span>
          <button
            type="button"
            class="button button-quiet"
            aria-label="Close the notice"
            onClick={() => dismiss(id)}
          >
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
