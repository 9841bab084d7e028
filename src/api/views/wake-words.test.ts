import { expect, test } from "vitest";
import {
  companyFacts,
  groupFact,
  NODES_FACT,
  quotaFact,
  roomFact,
} from "../../core/observe/facts.ts";
import { nodeKey, workloadKey } from "../../core/model/ids.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { wakeWords } from "./wake-words.ts";

test("[AP185] what ends a wait is said in words, each once", () => {
  const near = aReplica({
    affinity: {
      required: [{ by: "zone", labels: { app: "db" } }],
      preferred: [],
      antiRequired: [],
      antiPreferred: [],
    },
  });
  const facts = [NODES_FACT, NODES_FACT, quotaFact("shop"), roomFact("n1"), ...companyFacts(near)];
  expect(wakeWords([...facts, workloadKey("shop", "api"), nodeKey("n1")])).toEqual([
    "a node joins, recovers or gains room",
    "quota of tenant shop becomes free or larger",
    "room is freed on n1",
    "a replica of tenant payments with app=db is bound",
    "the workload shop/api changes",
    "the node n1 changes",
  ]);
});

test("[AP185] of very many the first are said, and how many are left", () => {
  const tenants = Array.from({ length: 20 }, (_, at) => quotaFact(`t${at}`));
  const words = wakeWords([groupFact("retail"), ...tenants]);
  expect(words).toHaveLength(7);
  expect(words.at(-1)).toBe("15 other things");
});
