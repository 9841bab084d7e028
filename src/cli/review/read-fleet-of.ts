/** The fleet that a review is about: a file, a world, a backup, or the running plane. */
import { readFleet } from "../../fleet/fleet-file.ts";
import { allOf, type Fleet } from "../../fleet/fleet.ts";
import type { Review } from "../../review/review.ts";
import { readWorldFile } from "../../scenario/world-file.ts";
import { UserError } from "../../shell/errors.ts";
import { fleetOfWorld } from "../../twin/fleet-of-world.ts";
import { readBackup } from "../backup/read-backup.ts";
import type { ServerOptions } from "../client/server-options.ts";
import { readPlaneFleet } from "./read-plane-fleet.ts";

export interface FleetOptions extends ServerOptions {
  readonly fleet?: string;
  readonly world?: string;
  readonly backup?: string;
}

export async function readFleetOf(options: FleetOptions): Promise<Fleet> {
  const given = (["fleet", "world", "backup"] as const).filter((each) => options[each]);
  if (given.length > 1) {
    const found = given.map((each) => `--${each}`).join(" and ");
    throw new UserError("bad-usage", `Found ${found}; a review is about one fleet. Leave one out.`);
  }
  const { fleet, world, backup } = options;
  if (fleet !== undefined) return readFleet(fleet);
  if (world !== undefined) return fleetOfWorld(readWorldFile(world));
  if (backup === undefined) return readPlaneFleet(options);
  const { fold } = await readBackup(backup);
  const objects = fold.ledger === undefined ? [] : allOf(fold.ledger.objects);
  return { source: `backup ${backup}`, objects };
}

/** A fleet that was read from Kubernetes is run by Kubernetes, until a person says otherwise. */
export const profileOf = ({ source }: Fleet): Review["profile"] =>
  /kubernetes/i.test(source) ? "kubernetes" : "berth";
