/** The command that gives a tenant without a quota its first one. */
import type { Amounts } from "../amounts.ts";

/** e.g. `echo '{"apiVersion":"berth.dev/v1","kind":"Quota",…}' | berth apply -f -` */
export function firstQuotaCommand(tenant: string, limit: Amounts): string {
  const { cpuMillis, memoryMiB, deviceMillis } = limit;
  const manifest = {
    apiVersion: "berth.dev/v1",
    kind: "Quota",
    metadata: { name: "default", namespace: tenant },
    spec: {
      limit: {
        cpu: `${cpuMillis}m`,
        memory: `${memoryMiB}Mi`,
        ...(deviceMillis === 0 ? {} : { devices: `${deviceMillis}m` }),
      },
    },
  };
  return `echo '${JSON.stringify(manifest)}' | berth apply -f -`;
}
