/** The driver at which a plane asks for machines, with whom it was told to ask. */
import type { PlanePort } from "../../host/plane-port.ts";
import { ProvisionDriver } from "../../host/provision/provision-driver.ts";
import { ensureAgentToken } from "../client/own-tokens.ts";
import type { LineLog } from "../line-log.ts";
import { openProvisioners } from "../provision/open-provisioners.ts";
import { readInput } from "../../shell/read-input.ts";
import type { PlaneSettings } from "./plane-settings.ts";
import { parseTokens } from "../../serve/token-file.ts";

export function openProvisionDriver(
  plane: PlanePort,
  settings: PlaneSettings,
  log: LineLog,
): ProvisionDriver {
  const { folder, credentials, ownTokens, provisioners, provisionerServer: server } = settings;
  const onNote = (sentence: string): void => log.warn(sentence);
  const { tokens: list } = credentials.files;
  // Read when it is asked for: the plane itself keeps hashes only, and the list may have changed.
  const tokenOf = (node: string): string | undefined => {
    if (list === undefined) return undefined;
    // The node of a pool is there already, with what the pool says of it: its agent only joins.
    if (ownTokens !== undefined) return ensureAgentToken(ownTokens.list, { node, approved: {} });
    const lines = parseTokens(readInput(list), list);
    return lines.findLast(({ kind, name }) => kind === "agent" && name === node)?.token;
  };
  return new ProvisionDriver({
    plane,
    provisioners: openProvisioners(provisioners, { folder, onNote }),
    server,
    ...(list === undefined ? {} : { tokenOf }),
    counts: plane.meter.provisions,
    onNote,
  });
}
