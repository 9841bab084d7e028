import { describe } from "vitest";
import { describeDriver } from "./driver-contract.ts";

describe("a plain process is run as every driver runs its replicas [DR10]", () => {
  describeDriver({ driver: "process" });
});
