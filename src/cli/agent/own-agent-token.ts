/**
 * The token of an agent that is started without one, beside a plane of the same user: the agent
 * adds a line for its node to that plane's own list. Only the plane's operator may write the list,
 * so the command line speaks for the operator.
 */
import { dirname, join } from "node:path";
import type { NodeDescription } from "../../agent/register-node.ts";
import type { NodeApproval } from "../../core/model/node/node-approval.ts";
import { ownTokensIn, writeAgentToken } from "../client/own-tokens.ts";
import { isOfOwnPlane, readNotedToken, readPlaneNote } from "../client/plane-file.ts";
import { DEFAULT_DATA } from "../client/server-options.ts";

/** Undefined: no plane of this user is there, so the agent comes without a token. */
export function ownAgentToken(of: {
  readonly node: NodeDescription;
  readonly servers: readonly URL[];
  readonly folder: string;
}): string | undefined {
  const { node, servers, folder } = of;
  // A plane keeps its agents' folders below its own, unless it was told otherwise.
  const folders = [process.env["BERTH_DATA"] ?? DEFAULT_DATA, join(folder, "..", "..")];
  for (const planes of folders) {
    const note = readPlaneNote(planes);
    if (note?.tokenFile === undefined || !isOfOwnPlane(note, servers)) continue;
    // Where the token has another owner than the note, so has the list beside it.
    if (readNotedToken(note) === undefined) continue;
    const { list } = ownTokensIn(dirname(note.tokenFile));
    return writeAgentToken(list, folder, { node: node.name, approved: approvalOf(node) });
  }
  return undefined;
}

/** All that the node will claim. */
export function approvalOf(node: Omit<NodeDescription, "name">): NodeApproval {
  const { cpuMillis, memoryMiB, region, zone, deviceClass, deviceIds, labels } = node;
  return {
    cpuMillis,
    memoryMiB,
    region,
    zone,
    ...(deviceIds.length === 0 ? {} : { devices: { [deviceClass]: deviceIds.length } }),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
  };
}
