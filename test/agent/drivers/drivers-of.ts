/** The drivers of an agent of a test, which allows this one; plain processes when left out. */
import { type Drivers, plainDrivers } from "../../../src/agent/drivers/drivers.ts";
import { nodeDrivers } from "../../../src/agent/drivers/node-drivers.ts";
import { ReplicaFiles } from "../../../src/agent/replica-files.ts";
import type { DriverName } from "../../../src/core/model/node/driver-name.ts";

export function driversOf(
  folder: string,
  driver: DriverName = "process",
  servers: readonly URL[] = [],
): Promise<Drivers> {
  if (driver === "process") return Promise.resolve(plainDrivers(folder));
  return nodeDrivers({ folder, files: new ReplicaFiles(folder), allowed: [driver], servers });
}

/** Sandboxes are made by root; in CI there is one, and what is missing there is a failure. */
export const isRoot = process.getuid?.() === 0 || process.env["CI"] !== undefined;
