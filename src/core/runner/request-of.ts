/** What a call says: the command itself, or the question what became of it. */
import type { Request } from "../kernel/component.ts";
import type { Actor } from "../model/actor.ts";
import type { View } from "../observe/view.ts";
import type { Call } from "./operations.ts";

export function requestOf(
  { intent, phase }: Pick<Call, "intent" | "phase">,
  attempt: number,
  { view, actor }: { readonly view: View; readonly actor: Actor },
): Request {
  if (phase === "lookup") return { kind: "lookup", operation: intent.operation, actor, attempt };
  const { epoch, revision: basis } = view;
  return { kind: "command", attempt, command: { intent, epoch, basis, actor } };
}
