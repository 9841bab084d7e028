/**
 * Shows a part of a page once its stream has brought something: before that its skeleton, or why
 * there is nothing.
 */
import type { ComponentChildren } from "preact";
import type { LiveLoop } from "../live/live-loop.ts";
import { ErrorState } from "./error-state.tsx";
import { Skeleton } from "./skeleton.tsx";

export interface LiveGateProps {
  readonly stream: { readonly isThere: boolean; readonly loop: LiveLoop };
  /** "the fleet": completes "Loading …" and "… could not be read". */
  readonly what: string;
  /** Left out: rows of a table. */
  readonly skeleton?: ComponentChildren;
  /** A function, so that nothing is drawn of rows that are not there. */
  readonly children: () => ComponentChildren;
}

export function LiveGate({ stream, what, skeleton, children }: LiveGateProps) {
  const { isThere, loop } = stream;
  const state = loop.state.value;
  const title = `Cannot read ${what}.`;
  const retry = (): void => loop.retry();
  if (state.kind === "refused") {
    return <ErrorState title={title} failure={state.failure} retry={retry} />;
  }
  if (isThere) return <>{children()}</>;
  if (state.kind === "reconnecting") {
    return <ErrorState title={title} failure={state.failure} retry={retry} />;
  }
  return <>{skeleton ?? <Skeleton label={`Loading ${what}`} rows={10} />}</>;
}
