/** Commands that know several planes: real planes on real sockets around one log, some of them gone or silent. */
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ApiClient } from "../../src/cli/client/api-client.ts";
import { findServer } from "../../src/cli/client/find-server.ts";
import { writePlaneNote } from "../../src/cli/client/plane-file.ts";
import { get } from "../../src/cli/commands/get.ts";
import { until } from "../host/a-running-plane.ts";
import { type OnePlane, SeveralPlanes } from "../host/several-planes.ts";
import { runCommand } from "./a-served-plane.ts";
import { removeFolder } from "../builders/remove-folder.ts";

const TENANTS = "/apis/berth.dev/v1/tenants";
const NOBODY = "http://127.0.0.1:1";

let planes: SeveralPlanes;
let a: OnePlane;
let b: OnePlane;
const servers: Server[] = [];

beforeEach(async () => {
  planes = new SeveralPlanes();
  a = await planes.open("a");
  await planes.leader();
  b = await planes.open("b");
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  await planes.close();
});

async function listening(server: Server): Promise<string> {
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Takes every request and answers none, like a plane that was paused. */
const aSilentServer = (): Promise<string> => listening(createServer(() => {}));

/** Hands everything on to a plane, and loses its answer. */
const aLosingServer = (to: OnePlane): Promise<string> =>
  listening(
    createServer((request, response) => {
      const { method, headers, url } = request;
      const sent = httpRequest(`${to.url}${url}`, { method, headers }, (answer) => {
        answer.resume().once("end", () => response.destroy());
      });
      request.pipe(sent);
    }),
  );

const clientOf = (...urls: string[]): ApiClient =>
  new ApiClient(findServer({ server: urls.join(",") }));

const tenantNamed = (name: string) => ({
  apiVersion: "berth.dev/v1",
  kind: "Tenant",
  metadata: { name },
});

describe("a command with several planes", () => {
  test("goes on with the next when one is gone and one is silent, and stays there [HC5]", async () => {
    const client = clientOf(NOBODY, await aSilentServer(), b.url);
    await client.send("POST", TENANTS, { body: tenantNamed("shop") });
    expect(client.url.origin).toBe(b.url);
    expect(a.plane.objects.all("Tenant").size).toBe(1);
  });

  test("tells what happened at each address when none answers [HC5]", async () => {
    const silent = await aSilentServer();
    const nobody = `${NOBODY},http://127.0.0.1:2`;
    const { code, err } = await runCommand(["get", "tenants", "--server", nobody]);
    expect(code).toBe(1);
    expect(err).toMatch(
      /Tried 2 of 2 planes \(from --server\): \[plane-unreachable\]\n {2}http:\/\/127\.0\.0\.1:1: connection refused\n {2}http:\/\/127\.0\.0\.1:2: connection refused/,
    );
    const watching = clientOf(NOBODY, silent).lines(TENANTS, {}, new AbortController().signal);
    await expect(watching.next()).rejects.toThrow(`  ${silent}: timed out`);
  });

  test("sends a write whose answer was lost to the next plane, and it happens once [HC5]", async () => {
    const client = clientOf(await aLosingServer(a), b.url);
    const made = await client.send<{ readonly metadata: { readonly name: string } }>(
      "POST",
      TENANTS,
      { body: tenantNamed("shop") },
    );
    expect(made.metadata.name).toBe("shop");
    const changes = a.plane.since()?.flatMap((commit) => commit.changes) ?? [];
    expect(changes.filter(({ after }) => after?.kind === "Tenant")).toHaveLength(1);
    // Under another key it is another request, and is told what there is.
    await expect(client.send("POST", TENANTS, { body: tenantNamed("shop") })).rejects.toMatchObject(
      { status: { code: 409 } },
    );
  });

  test("takes a no for a no, without asking the others [HC5]", async () => {
    const silent = await aSilentServer();
    const server = `${b.url},${silent}`;
    const { code, err } = await runCommand(["get", "tenant", "none", "--server", server]);
    expect(code).toBe(2);
    expect(err).toContain("[not-found]");
  });

  test("watches on when the plane it watches is stopped, and misses nothing [HC5]", async () => {
    const over = new AbortController();
    const seen: string[] = [];
    const terminal = { out: (text: string) => void seen.push(text), err: () => {}, exitCode: 0 };
    const server = `${a.url},${b.url}`;
    const watching = get(["tenants"], { server, watch: true }, terminal, over.signal);
    const client = clientOf(server);
    const created = async (name: string): Promise<void> => {
      await client.send("POST", TENANTS, { body: tenantNamed(name) });
      await until(`${name} to be seen`, () => seen.some((row) => row.includes(name)) || undefined);
    };
    await until("the list", () => seen.length > 0 || undefined);
    await created("before");
    await a.stop();
    await created("after");
    over.abort();
    await watching;
    expect(seen.filter((row) => row.includes("before"))).toHaveLength(1);
  });

  test("finds all of them in one note, and kubectl gets the first that answers", async () => {
    const folder = mkdtempSync(join(tmpdir(), "berth-note-"));
    writePlaneNote(folder, { url: NOBODY, pid: process.pid, urls: [NOBODY, b.url, a.url] });
    expect(await runCommand(["get", "tenants", "--data", folder])).toMatchObject({ code: 0 });
    expect(await runCommand(["version", "--data", folder])).toMatchObject({
      out: expect.stringContaining(` at ${b.url} `),
    });
    const { out, err } = await runCommand(["kubeconfig", "--data", folder]);
    expect(parse(out)).toMatchObject({ clusters: [{ cluster: { server: b.url } }] });
    expect(err).toContain("kubectl uses one server");
    await removeFolder(folder);
  });
});
