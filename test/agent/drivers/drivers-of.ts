/** The drivers of an agent of a test, which allows this one; plain processes when left out. */
import { type Drivers, plainDrivers } from "../../../src/agent/drivers/drivers.ts";
import { nodeDrivers } from "../../../src/agent/drivers/node-drivers.ts";
import { ReplicaFiles } from "../../../src/agent/replica-files.ts";
import type { DriverName } from "../../../src/core/model/node/driver-name.ts";

export interface DriversAsked {
  readonly driver?: DriverName | undefined;
  readonly servers?: readonly URL[];
  /** Where its images are. */
  readonly images?: string | undefined;
}

export function driversOf(folder: string, of: DriversAsked = {}): Promise<Drivers> {
  const { driver = "process", servers = [], images } = of;
  if (driver === "process") return Promise.resolve(plainDrivers(folder));
  const sources = images === undefined ? {} : { images: { sources: images } };
  const files = new ReplicaFiles(folder);
  return nodeDrivers({ folder, files, allowed: [driver], servers, ...sources });
}

/** Sandboxes are made by root; in CI there is one, and what is missing there is a failure. */
export const isRoot = process.getuid?.() === 0 || process.env["CI"] !== undefined;
