/** Commands of people that change what no object expresses ask for a power of their own. */
import type { ResourceRequest } from "../../core/model/access.ts";
import { parseKey } from "../../core/model/ids.ts";
import type { Command } from "../../core/protocol/command.ts";
import { GROUP } from "../group-version.ts";
import type { Caller } from "../http/caller.ts";

/** Undefined: the kind of the sender decides alone (`check-sender.ts`). */
export function powerFor({ kind }: Caller, { intent }: Command): ResourceRequest | undefined {
  if (kind !== "user") return undefined;
  if (intent.kind === "transition" && intent.to === "fenced") {
    return { verb: "fence", group: GROUP, resource: "nodes", name: parseKey(intent.key).name };
  }
  if (intent.kind === "region-gone") {
    return { verb: "fence", group: GROUP, resource: "regions", name: intent.region };
  }
  if (intent.kind === "activate") {
    return {
      verb: "activate",
      group: GROUP,
      resource: "policies",
      name: intent.policy,
    };
  }
  return undefined;
}
