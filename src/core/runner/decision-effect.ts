/** The record of one look at one key, as the runner hands it to its host. */
import type { Conclusion } from "../protocol/decision.ts";
import type { ClientEffect } from "../kernel/component.ts";
import type { ObjectKey } from "../model/ids.ts";
import type { View } from "../observe/view.ts";

export function decisionEffect(
  { name, view }: { readonly name: string; readonly view: View },
  made: { readonly key: ObjectKey; readonly atMs: number; readonly decision: Conclusion },
): ClientEffect {
  return {
    kind: "decision",
    record: { controller: name, viewRevision: view.revision, ...made },
  };
}
