/**
 * Changes part of a node's spec on the condition that no other write came in between: a list such
 * as the holders of a node is replaced as a whole, and another's entry must not be lost by it.
 */
import type { Acting } from "./acting-as.ts";
import type { ApiClient } from "./api-client.ts";
import type { ShownObject } from "../../steering/api-object.ts";
import { Refusal } from "./refusal.ts";

/** People seldom meet on one node; who does it this often in a row is a loop. */
const TRIES = 5;

export async function changeNode(
  client: ApiClient,
  name: string,
  of: {
    readonly change: (live: ShownObject) => Readonly<Record<string, unknown>>;
    readonly acting: Acting;
  },
): Promise<ShownObject> {
  const { name: as, force } = of.acting;
  const path = `/apis/berth.dev/v1/nodes/${encodeURIComponent(name)}`;
  for (let tries = 1; ; tries += 1) {
    const live = await client.get<ShownObject>(path);
    const { resourceVersion } = live.metadata;
    try {
      return await client.send<ShownObject>("PATCH", path, {
        contentType: "application/merge-patch+json",
        body: { metadata: { resourceVersion }, spec: of.change(live) },
        query: {
          fieldManager: "berth",
          fieldValidation: "Strict",
          ...(force ? { force: "true" } : {}),
        },
        as,
      });
    } catch (error) {
      const isOvertaken = error instanceof Refusal && error.status.code === 409;
      if (!isOvertaken || tries === TRIES) throw error;
    }
  }
}
