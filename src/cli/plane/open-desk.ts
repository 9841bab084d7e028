/** The desk at which a plane asks for machines, with whom it was told to ask. */
import type { PlanePort } from "../../host/plane-port.ts";
import { ProvisionDesk } from "../../host/provision/provision-desk.ts";
import type { LineLog } from "../line-log.ts";
import { openProvisioners } from "../provision/open-provisioners.ts";
import type { PlaneSettings } from "./plane-settings.ts";

export function openDesk(plane: PlanePort, settings: PlaneSettings, log: LineLog): ProvisionDesk {
  const { folder, auth, provisioners, provisionerServer: server } = settings;
  const onNote = (sentence: string): void => log.warn(sentence);
  // Agents are let in by the lines of the token file, those of new machines as any others.
  const agents = new Map(
    (auth?.tokens ?? [])
      .filter(({ kind }) => kind === "agent")
      .map(({ name, token }) => [name, token]),
  );
  return new ProvisionDesk({
    plane,
    provisioners: openProvisioners(provisioners, { folder, onNote }),
    server,
    ...(auth === undefined ? {} : { tokenOf: (node) => agents.get(node) }),
    counts: plane.meter.provisions,
    onNote,
  });
}
