import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { parse } from "yaml";
import { ALL_KINDS } from "../../src/api/kinds/all-kinds.ts";
import { specIn } from "../../src/api/kinds/kubernetes-form.ts";
import { checkObject } from "../../src/api/schema/check-object.ts";
import { malformed } from "../../src/core/commit/validate/well-formed.ts";
import { keyOf, operationId } from "../../src/core/model/ids.ts";
import type { Desired } from "../../src/core/protocol/command.ts";
import { putting } from "../builders/a-plane.ts";
import { examplePath, REFERENCE, referencePages } from "./reference-pages.ts";

const pageOf = (name: string): string =>
  referencePages().find(({ path }) => path === `${REFERENCE}/${name}.md`)!.text;

const WRITTEN = ALL_KINDS.filter(({ isWritable }) => isWritable);

describe("referencePages()", () => {
  it("has a page for every kind, and the folder has no other", () => {
    const pages = referencePages().map(({ path }) => path);
    expect(pages).toHaveLength(ALL_KINDS.length + 1);
    const there = readdirSync(REFERENCE).filter((name) => name.endsWith(".md"));
    expect(there.map((name) => `${REFERENCE}/${name}`).toSorted()).toEqual(pages.toSorted());
  });

  it("shows type, default, bounds and meaning of a field, and those of fields within", () => {
    const page = pageOf("workload");
    expect(page).toContain(
      "| `spec.replicas` | integer | `1` | 0 to 100,000 | The number of replicas. |",
    );
    expect(page).toContain("| `spec.rollout.deadline` | string | `10m` |");
    expect(page).toContain(
      "| `spec.rollout.steps[].replicas` | integer | required | 1 to 100,000 |",
    );
    expect(page).toContain("| `spec.type` | string | `service` | `service`, `batch` |");
    expect(page).toContain(
      "```yaml\napiVersion: berth.dev/v1\nkind: Workload\nmetadata:\n  name: risk-api\n",
    );
  });

  it("shows no example of what only the control plane writes", () => {
    expect(pageOf("lease")).not.toContain("## Example");
    expect(pageOf("lease")).toContain("Written by: the control plane.");
  });
});

test.each(WRITTEN)("the example of $kind is an object that the plane takes", (kind) => {
  const object = parse(readFileSync(examplePath(kind), "utf8")) as {
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly namespace?: string };
  } & Readonly<Record<string, unknown>>;
  expect(object.kind).toBe(kind.kind);
  expect(checkObject(kind, object)).toEqual({ unknownFields: [], mistakes: [] });
  const desired = kind.toDesired(specIn(kind, object)) as Desired;
  expect(desired).toHaveProperty("kind", kind.kind);
  const { name, namespace = "" } = object.metadata;
  const put = putting(keyOf({ kind: kind.kind, namespace, name }), desired);
  expect(malformed({ ...put, operation: operationId("put") })).toBeUndefined();
});
