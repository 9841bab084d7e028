import { expect, test } from "vitest";
import { parseReference } from "../client/locate.ts";
import { workloadNamed } from "./workload-named.ts";

test.each([[["api"]], [["workload", "api"]], [["workload/api"]]])(
  "%j means the workload of that name",
  (words) => {
    expect(workloadNamed(words, "web")).toEqual(parseReference(["workload", "api"], "web"));
  },
);
