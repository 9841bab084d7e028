import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { editorSchema } from "./editor-schema.ts";

const check = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(
  JSON.parse(editorSchema().text) as object,
);

function yamlIn(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.filter((name) => name.endsWith(".yaml")).map((name) => join(folder, name));
}

const manifests = [...yamlIn("examples"), ...yamlIn("docs/reference/examples")].filter((file) =>
  /^kind:/m.test(readFileSync(file, "utf8")),
);

const workload = (spec: object) => ({
  apiVersion: "berth.dev/v1",
  kind: "Workload",
  metadata: { name: "api" },
  spec: { resources: { cpu: 1, memory: "64M" }, run: { command: ["serve"] }, ...spec },
});

describe("the schema for editors", () => {
  it.each(manifests)("accepts %s, whose first line names it", (file) => {
    const text = readFileSync(file, "utf8");
    const [, named = ""] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
    expect(join(dirname(file), named)).toBe(editorSchema().path);
    for (const document of parseAllDocuments(text)) {
      check(document.toJS());
      expect(check.errors ?? []).toEqual([]);
    }
  });

  it("refuses a field that a kind does not have, and a kind that there is not", () => {
    expect(check(workload({}))).toBe(true);
    expect(check(workload({ replcas: 3 }))).toBe(false);
    expect(check({ ...workload({}), kind: "Worklod" })).toBe(false);
  });
});
