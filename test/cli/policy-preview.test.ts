import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { PreviewReport } from "../../src/cli/policy/preview-report.ts";
import { RecordedFleet } from "../host/a-recorded-fleet.ts";
import { type Ran, runCommand } from "./a-served-plane.ts";
import { removeFolder } from "../builders/remove-folder.ts";

const revision = (name: string, spec: string): string => `
apiVersion: berth.dev/v1
kind: PolicyRevision
metadata: { name: ${name} }
spec: ${spec}
`;

let folder = "";
let recording = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "berth-preview-"));
  recording = join(folder, "recording");
  const fleet = await RecordedFleet.open({ folder: recording, nodes: ["n1", "n2"] });
  const revisions = {
    fit: { scoring: "best-fit", spread: [] },
    spread: { scoring: "spread-out", spread: [] },
  } as const;
  await fleet.furnish(revisions, "fit");
  await fleet.putDesired("api", { replicas: 2, quarters: 1 });
  await fleet.serving(2);
  await fleet.close();
});
afterAll(async () => {
  vi.useRealTimers();
  await removeFolder(folder);
});

const preview = (...args: string[]): Promise<Ran> =>
  runCommand(["policy", "preview", "default", "--data", folder, ...args]);

const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

describe("berth policy preview", () => {
  it("lists what would be placed elsewhere, with scores and reasons, after its control [PY9] [PY10]", async () => {
    const { code, out } = await preview("--revision", "spread");
    expect(code).toBe(0);
    const lines = out.split("\n");
    expect(lines[0]).toMatch(/^policy\/default with spread active everywhere, from \S+ to \S+$/);
    expect(lines[1]).toBe(
      "control run without the change: 0 of 2 placements diverge from the recording",
    );
    expect(out).toMatch(
      /^shop\/api\.1\.1 +n1 \(fit\) +n2 \(spread\) +bound together with api\.1\.0/m,
    );
    expect(out).toMatch(/^eu +eu-a +50%\/50% +25%\/25%$/m);
    expect(out).toMatch(/\n1 of 2 placements would differ\n$/);
  });

  it("says the same as one JSON object, also of a revision in a file and of one region [PY9]", async () => {
    const file = write("new.yaml", revision("new", "{ scoring: spread-out, spread: [] }"));
    const one = {
      replica: "shop/api.1.1",
      incarnation: 1,
      before: { node: "n1", policyRevision: "fit" },
    };
    for (const where of [[], ["--region", "eu"]]) {
      const { code, out } = await preview("-f", file, "--json", "--chapter", "1", ...where);
      expect(code).toBe(0);
      const report = JSON.parse(out) as PreviewReport;
      expect(report).toMatchObject({
        policy: "default",
        revision: "new",
        summary: "1 of 2 placements would differ",
        control: { compared: 2, placements: 0, waits: 0, preemptions: 0 },
        counts: { compared: 2, placements: 1, waits: 0, preemptions: 0 },
        placements: [{ ...one, after: { node: "n2", policyRevision: "new" } }],
      });
    }
    const elsewhere = await preview("-f", file, "--json", "--region", "us");
    expect(JSON.parse(elsewhere.out)).toMatchObject({ placements: [] });
    const same = JSON.parse((await preview("--revision", "fit", "--json")).out) as PreviewReport;
    expect(same.summary).toBe("0 of 2 placements would differ");
  });

  it("says what is wrong with what it was asked, and what to ask instead [PY12]", async () => {
    const other = write("other.yaml", revision("fit", "{ scoring: spread-out }"));
    const wrong = write("wrong.yaml", revision("wrong", "{ scoring: upwards }"));
    const cases: [string[], string][] = [
      [[], "--revision NAME for one in the recording, or -f FILE"],
      [["--revision", "nope"], "has the revisions fit, spread. Give its manifest with -f."],
      [["--revision", "spread", "--recording", join(folder, "none")], "No recording found"],
      [["--revision", "spread", "--chapter", "7"], "the recording has the chapters 1."],
      [
        ["--revision", "spread", "--chapter", "1", "--last", "1h"],
        "--chapter and --last cannot be used together",
      ],
      [["--revision", "spread", "--last", "soon"], "expected a duration such as"],
      [["-f", other], "revision-immutable"],
      [["-f", wrong], "wrong.yaml:5:"],
    ];
    for (const [args, sentence] of cases) {
      const { code, err } = await preview(...args);
      expect([args, code]).toEqual([args, 2]);
      expect(err).toContain(sentence);
    }
  });
});
