import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ownCommand } from "../text/own-command.ts";
import { explained } from "./plane-trouble.ts";

const called = process.argv[1];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "berth-trouble-"));
});
afterEach(() => {
  process.argv[1] = called ?? "";
  rmSync(folder, { recursive: true });
});

test("a command that cannot reach a plane says how to start one as it was called itself", () => {
  const script = join(folder, "berth");
  writeFileSync(script, "");
  process.argv[1] = script;
  const url = new URL("http://127.0.0.1:1");
  const server = { urls: [url], origin: "--server", token: undefined, ca: undefined };
  const refused = Object.assign(new Error("no"), { code: "ECONNREFUSED" });
  const { message } = explained(refused, url, server) as Error;
  expect(message).toContain("connection refused. Start a plane with `");
  expect(message).not.toContain("`berth ");
  expect(message).toContain(`\`${ownCommand()} plane\` or \`${ownCommand()} up\``);
});
