import { parse } from "yaml";
import { expect, test } from "vitest";
import { yamlOf } from "./yaml-of.ts";

const SPEC = {
  replicas: 3,
  resources: { cpu: "500m", memory: "256Mi", devices: {} },
  placement: {
    spread: [
      { by: "zone", maxSkew: 1 },
      { by: "rack", soft: true },
    ],
    zones: [],
  },
  run: {
    command: [
      "serve",
      "--on",
      "yes",
      "two\nlines",
      "if a\n\n  b\n",
      "- dash",
      "#",
      "",
      "a: b",
      "1e3",
      "ä",
    ],
    env: {
      EMPTY: "",
      NULL: "null",
      DATE: "2026-01-01",
      "odd key:": " x ",
      SCRIPT: "if a\n  b\n\nfi\n",
    },
    text: "one\ntwo",
    ends: "one\ntwo \n",
  },
  nested: [[1, [true, null]], []],
};

test("what is written as YAML is read back as it was", () => {
  expect(parse(yamlOf(SPEC))).toEqual(SPEC);
  expect(parse(yamlOf({ a: [] }))).toEqual({ a: [] });
});

test("YAML is written as people write it", () => {
  expect(yamlOf({ kind: "Workload", spec: SPEC.resources })).toBe(
    "kind: Workload\nspec:\n  cpu: 500m\n  memory: 256Mi\n  devices: {}\n",
  );
  expect(yamlOf({ script: SPEC.run.env.SCRIPT })).toBe("script: |\n  if a\n    b\n\n  fi\n");
});
