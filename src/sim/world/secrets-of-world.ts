/**
 * Secrets of a world. The core knows sealed values and never opens one, so any texts of their form
 * stand for them.
 */
import type { Desired } from "../../core/protocol/command.ts";
import type { World } from "./world.ts";

const SEAL = { id: "0".repeat(32), keyId: `k${"0".repeat(16)}`, dataKey: "AAAA" } as const;
const VALUE = { box: "AAAA", digest: "0".repeat(32), bytes: 1 } as const;

export const hasSecrets = ({ timeline }: World): boolean =>
  timeline.some(({ action }) => action.do === "set-secret");

export const secretOf = (keys: readonly string[]): Desired => ({
  kind: "Secret",
  spec: {
    type: "Opaque",
    seal: SEAL,
    values: Object.fromEntries(keys.map((key) => [key, VALUE])),
  },
});
