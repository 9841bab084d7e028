import { existsSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readIncident } from "../../src/cli/up/demo.ts";
import type { UpOptions } from "../../src/cli/commands/up.ts";
import { runCommand } from "./a-served-plane.ts";
import { removeFolder } from "../builders/remove-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "berth-up-options-"));
afterAll(() => removeFolder(folder));

describe("the incident of berth up", () => {
  it.each<[readonly string[], RegExp]>([
    [["--incident", "soon"], /--incident: found "soon", expected a duration/],
    [["--incident", "1s", "--no-apply"], /--incident needs the examples/],
    [["--incident", "1s", "--apply", "x.yaml"], /--incident needs the examples/],
  ])("refuses %j before anything is started", async (args, expected) => {
    const data = join(folder, "none");
    const { code, err } = await runCommand(["up", ...args, "--data", data]);
    expect(code).toBe(2);
    expect(err).toMatch(expected);
    expect(existsSync(data)).toBe(false);
  });

  it.each<[UpOptions, number | undefined]>([
    [{}, 30_000],
    [{ incident: "5s" }, 5_000],
    [{ incident: false }, undefined],
    [{ apply: false }, undefined],
    [{ apply: ["mine.yaml"] }, undefined],
  ])("with %j a node is killed after %s ms: never under anybody's own work", (options, afterMs) => {
    expect(readIncident(options)).toBe(afterMs);
  });
});

describe("berth up with several planes", () => {
  it.each<[readonly string[], RegExp]>([
    [["--planes", "3"], /--planes: 3 planes need a shared log.*Add --etcd/],
    [["--planes", "0"], /--planes: found 0, expected 1 to 7/],
    [["--planes", "8", "--etcd"], /--planes: found 8, expected 1 to 7/],
    [["--etcd", "http://127.0.0.1"], /--etcd: .*does not begin with etcd:\/\//],
    [
      ["--etcd", "--listen", "127.0.0.1:65534"],
      /--listen: 3 planes need 3 ports, and there are fewer after 65534/,
    ],
  ])("refuses %j before anything is started", async (args, expected) => {
    const data = join(folder, "none");
    const { code, err } = await runCommand(["up", ...args, "--data", data]);
    expect(code).toBe(2);
    expect(err).toMatch(expected);
    expect(existsSync(data)).toBe(false);
  });

  it.each<[readonly string[], readonly string[], RegExp]>([
    [["log.db"], ["--etcd"], /the log of a single plane: run it without --etcd/],
    [["planes", "etcd"], [], /a local etcd: run them with --etcd and no address/],
    [["planes", "etcd"], ["--etcd", "etcd://127.0.0.1"], /a local etcd: run them with --etcd/],
    [["planes"], ["--etcd"], /an external etcd: run them with --etcd ADDRESS/],
  ])(
    "a folder with %j is not used with %j: its agents know another log",
    async (has, args, says) => {
      const data = mkdtempSync(join(folder, "used-"));
      for (const name of has) mkdirSync(join(data, name));
      const { code, err } = await runCommand(["up", ...args, "--data", data]);
      expect(code).toBe(2);
      expect(err).toMatch(says);
      expect(readdirSync(data)).toEqual([...has].toSorted());
    },
  );
});
