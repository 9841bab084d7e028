import { describe } from "vitest";
import { describeDriver } from "./driver-contract.ts";
import { isRoot } from "./drivers-of.ts";

describe.runIf(isRoot)("a sandbox is run as every driver runs its replicas [DR10]", () => {
  describeDriver({ driver: "sandbox" });
});
