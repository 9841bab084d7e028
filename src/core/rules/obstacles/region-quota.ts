/** The quota of a region, as a rule among those that reject nodes (QT7). */
import { shortage } from "../../model/amounts.ts";
import { quotaFact } from "../../observe/facts.ts";
import { regionRoom } from "../../observe/accounts/quota-room.ts";
import type { PlacementRule } from "./placement-rule.ts";

/** Its tenant may use more there once another replica leaves the region, or the quota grows. */
export const regionQuota: PlacementRule = {
  name: "region-quota",
  wakes: ({ meta }) => [quotaFact(meta.namespace)],
  obstacles({ node, replica }, { quotas }) {
    const { region } = node.spec;
    const tenant = replica.meta.namespace;
    const room = regionRoom(quotas, tenant, region);
    const { amounts } = replica.spec.template.ask;
    const short = room && shortage(amounts, room);
    if (room === undefined || short === undefined) return [];
    const bound = { of: "region", tenant, region } as const;
    const amount = amounts[short] - room[short];
    return [
      {
        rule: regionQuota.name,
        code: "quota-exceeded",
        what: `quota of ${tenant} in ${region}, ${short}`,
        expected: amounts[short],
        actual: room[short],
        remedy: { kind: "raise-quota", bound, name: short, amount },
      },
    ];
  },
};
