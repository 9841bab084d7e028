import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("a command whose output has no reader ends without a word, as programs of a pipe do", async () => {
  const script = fileURLToPath(new URL("./command-without-end.ts", import.meta.url));
  const command = spawn(process.execPath, ["--import", "tsx", script], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  command.stderr.on("data", (part: Buffer) => void (said += String(part)));
  await once(command.stdout, "readable");
  command.stdout.destroy();
  const [code] = (await once(command, "close")) as [number | null];
  expect({ code, said }).toEqual({ code: 141, said: "" });
});
