import { createServer } from "node:http";
import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../../../test/contract/scratch-folder.ts";
import { HttpCaller } from "../../shell/http-caller.ts";
import { AgentCredentials } from "./agent-credentials.ts";

const folder = scratchFolder();

test("[AU3] an agent sends its new token from the next request on, and keeps the old one when a file is wrong", async () => {
  const token = join(folder, "token");
  writeFileSync(token, "first\n");
  const notes: string[] = [];
  const credentials = new AgentCredentials({ token }, (note) => void notes.push(note));
  const seen: (string | undefined)[] = [];
  const server = createServer((request, reply) => {
    seen.push(request.headers.authorization);
    reply.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const caller = new HttpCaller(credentials);
  const ask = () =>
    caller.call({ server: new URL(`http://127.0.0.1:${port}`), method: "GET", path: "/" });
  await ask();
  writeFileSync(token, "second\n");
  credentials.reloadNow();
  await ask();
  for (const wrong of ["", "two words"]) {
    writeFileSync(token, wrong);
    credentials.reloadNow();
    await ask();
  }
  expect(seen).toEqual(["Bearer first", "Bearer second", "Bearer second", "Bearer second"]);
  expect(notes.at(-1)).toMatch(
    /cannot load the new token or certificate, the previous one stays in use/,
  );
  caller.close();
  server.close();
  credentials.close();
  expect(() => new AgentCredentials({ token }, () => {})).toThrow(/Expected exactly one token/);
});
