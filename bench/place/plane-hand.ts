/**
 * A benchmark's hand on a plane in its own process: sends what users and agents would, many at
 * once.
 */
import type { Intent } from "../../src/core/protocol/command.ts";
import type { Actor } from "../../src/core/model/actor.ts";
import { operationId } from "../../src/core/model/ids.ts";
import type { PlanePort } from "../../src/host/plane-port.ts";

export const BENCH_USER: Actor = { role: "user", name: "bench" };

/** Enough to fill batches; more would only fill memory. */
const AT_ONCE = 1_000;

/** Whatever is not committed is a fault of the benchmark. */
export async function mustCommit(plane: PlanePort, intent: Intent, actor: Actor): Promise<void> {
  const reply = await plane.submit(intent, actor);
  if (reply.kind === "outcome" && reply.outcome.kind === "committed") return;
  throw new Error(`The plane did not commit ${intent.operation}: ${JSON.stringify(reply)}.`);
}

/** As the agent of the node does; without it the node takes no work. */
export async function speakFor(plane: PlanePort, node: string, seq: number): Promise<void> {
  const operation = operationId(`lease/${node}/1.${seq}`);
  const intent = { kind: "lease", operation, node, session: 1, seq, kept: [] } as const;
  await mustCommit(plane, intent, { role: "agent", name: `agent:${node}` });
}

/** Many at once, none out of order at its start. */
export async function inTurns(count: number, work: (at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) await work(at);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, worker));
}
