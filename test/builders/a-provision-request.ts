/** A request for a machine, as a plane makes it. */
import type { ProvisionRequest } from "../../src/host/provision/provision-protocol.ts";

export const aProvisionRequest = (more: Partial<ProvisionRequest> = {}): ProvisionRequest => ({
  version: 1,
  action: "create",
  key: "create-burst-1-u7",
  node: {
    name: "burst-1",
    uid: "u7",
    region: "eu",
    zone: "eu-a",
    capacity: { cpuMillis: 2_000, memoryMiB: 1_024, deviceMillis: 0 },
    devices: [],
    labels: {},
    taints: [],
  },
  pool: "burst",
  server: "http://127.0.0.1:6900",
  ...more,
});
