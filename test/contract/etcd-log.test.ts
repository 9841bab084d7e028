/** The log in a real etcd of one member, held to the contracts, and what is peculiar to it. */
import { describe } from "vitest";
import { aLocalEtcd, placeIn } from "./a-local-etcd.ts";
import { logChainContract } from "./log-chain-contract.ts";
import { logStoreContract } from "./log-store-contract.ts";
import { sharedLogContract } from "./shared-log-contract.ts";

const etcd = aLocalEtcd();

describe("EtcdLog [LG1] [LG2] [LG3] [LG4] [LG5] [LG6] [LG7]", () => {
  logStoreContract("EtcdLog", (of) => placeIn(etcd, of));
});

describe("EtcdLog [LG19]", () => {
  logChainContract("EtcdLog", (of) => placeIn(etcd, of));
});

describe("EtcdLog [LG14] [LG15] [LG17] [LG18]", () => {
  // So long that no renewal comes to tell what the plane should hear without one.
  sharedLogContract("EtcdLog", (of) => placeIn(etcd, { ...of, ttlSeconds: 300 }));
});
