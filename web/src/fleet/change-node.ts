/**
 * Changes part of a node's spec on the condition that no other write came in between, as `berth
 * cordon` and `berth drain` do: a list such as the holders of a node is replaced as a whole, and
 * another's entry must not be lost by it.
 */
import { BERTH, getJson, patchJson } from "../live/api.ts";
import { ApiFailure } from "../live/api-failure.ts";
import type { LiveObject } from "../live/object-message.ts";
import { type Acting, headersOf } from "../parts/acting.ts";

export interface Hold {
  readonly holder: string;
  readonly reason?: string;
}

export interface NodeSpec {
  readonly cordons?: readonly Hold[];
  readonly draining?: boolean;
}

interface NodeObject extends LiveObject {
  readonly spec: NodeSpec;
}

/** People seldom meet on one node; who does it this often in a row is a loop. */
const TRIES = 5;

export async function changeNode(
  name: string,
  acting: Acting,
  change: (spec: NodeSpec) => Readonly<Record<string, unknown>>,
): Promise<void> {
  const path = `${BERTH}/nodes/${encodeURIComponent(name)}`;
  const query = new URLSearchParams({ fieldManager: "berth", fieldValidation: "Strict" });
  const headers = headersOf(acting);
  for (let tries = 1; ; tries += 1) {
    const { metadata, spec } = await getJson<NodeObject>(path);
    const { resourceVersion } = metadata;
    const body = { metadata: { resourceVersion }, spec: change(spec) };
    try {
      await patchJson(`${path}?${query.toString()}`, body, { headers });
      return;
    } catch (error) {
      const isOvertaken = error instanceof ApiFailure && error.status === 409;
      if (!isOvertaken || tries === TRIES) throw error;
    }
  }
}
