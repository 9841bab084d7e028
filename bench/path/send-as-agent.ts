/** Sends a command for a node to the plane, the way its agent does. */
import type { Reply } from "../../src/core/protocol/outcome.ts";

/** Answers with the body of the plane's answer. */
type Post = (path: string, body: string) => Promise<string>;

export interface AgentIntent {
  readonly kind: "lease" | "report";
  readonly operation: string;
  readonly node: string;
  readonly [field: string]: unknown;
}

export async function sendAsAgent(post: Post, epoch: number, intent: AgentIntent): Promise<void> {
  const from = `agent:${intent.node}`;
  const command = { intent, epoch, basis: 0, actor: { role: "agent", name: from } };
  const request = { kind: "command", attempt: 1, command };
  const answer = await post("/commands", JSON.stringify({ from, request }));
  const reply = JSON.parse(answer) as Reply;
  if (reply.kind === "outcome" && reply.outcome.kind === "committed") return;
  throw new Error(`The plane did not commit ${intent.operation}: ${answer}.`);
}
