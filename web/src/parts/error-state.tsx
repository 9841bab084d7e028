/** Something could not be shown: what, why in the server's own words, and a way to try again. */
import type { ApiFailure } from "../live/api-failure.ts";

export interface ErrorStateProps {
  /** "The fleet could not be read." */
  readonly title: string;
  readonly failure: ApiFailure;
  readonly retry?: () => void;
}

export function ErrorState({ title, failure, retry }: ErrorStateProps) {
  return (
    <div class="failure" role="alert">
      <p class="empty-title">
        <span aria-hidden="true">▲ </span>
        {title}
      </p>
      <p class="message">{failure.message}</p>
      {failure.causes.length > 0 && (
        <ul>
          {failure.causes.map(({ field, message, reason }) => (
            <li key={`${field} ${message}`}>
              {field !== undefined && <code>{field}</code>} {message ?? reason}
            </li>
          ))}
        </ul>
      )}
      {retry !== undefined && (
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
