import { describe, expect, it } from "vitest";
import { partsOfField, placeOfField } from "./place-of-field.ts";
import { parseManifests } from "./read-manifests.ts";

const TEXT = `# first line
kind: Workload
metadata:
  name: api
  labels: { example.com/team: core }
spec:
  spread:
    - by: zone
    - { by: node, maxSkew: 2 }
  run: &run
    command: [a, b]
  again: *run
`;

const [manifest] = parseManifests(TEXT, "api.yaml").manifests;

describe("placeOfField()", () => {
  it.each([
    ["", 2, 1],
    ["kind", 2, 1],
    ["metadata.labels[example.com/team]", 5, 13],
    ["spec.spread[1].maxSkew", 9, 19],
    ["spec.spread[1]", 9, 7],
    ["spec.run.command[1]", 11, 18],
  ])("finds %s at line %i, column %i", (field, line, column) => {
    expect(placeOfField(manifest!, field)).toEqual({ line, column });
  });

  it.each([
    ["spec.replicas", 6, 1],
    ["spec.spread[7].by", 7, 3],
    ["status", 2, 1],
  ])("shows what is missing, %s, at what is around it", (field, line, column) => {
    expect(placeOfField(manifest!, field)).toEqual({ line, column });
  });

  it("looks behind an alias", () => {
    expect(placeOfField(manifest!, "spec.again.command")).toEqual({ line: 11, column: 5 });
  });
});

describe("partsOfField()", () => {
  it("takes names apart at dots, and not within brackets", () => {
    expect(partsOfField("a.b[0].c[x.y/z]")).toEqual(["a", "b", "0", "c", "x.y/z"]);
    expect(partsOfField(".spec.replicas")).toEqual(["spec", "replicas"]);
  });
});
