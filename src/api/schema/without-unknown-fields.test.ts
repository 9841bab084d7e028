import { expect, test } from "vitest";
import { workloadKind } from "../kinds/workload.ts";
import { withoutUnknownFields } from "./without-unknown-fields.ts";

test("unknown fields are dropped at every depth, and maps keep their keys", () => {
  const known = {
    apiVersion: "berth.dev/v1",
    metadata: { name: "api", labels: { anything: "goes" }, managedFields: [{ any: { thing: 1 } }] },
    spec: {
      placement: { spread: [{ by: "zone" }], nodeSelector: { disk: "ssd" } },
      run: { command: ["a"], env: { A: "b" } },
    },
  };
  const written = {
    ...known,
    extra: 1,
    spec: {
      ...known.spec,
      selector: {},
      placement: { ...known.spec.placement, spread: [{ by: "zone", typo: 1 }] },
    },
  };
  expect(withoutUnknownFields(workloadKind, written)).toEqual(known);
});

test("values of another form than the schema's are left for the check to refuse", () => {
  expect(withoutUnknownFields(workloadKind, { spec: "text", metadata: [1] })).toEqual({
    spec: "text",
    metadata: [1],
  });
  expect(withoutUnknownFields(workloadKind, 3)).toBe(3);
});
