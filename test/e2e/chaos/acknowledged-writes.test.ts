import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { AcknowledgedWrites } from "./acknowledged-writes.ts";

let server: Server | undefined;
afterEach(() => server?.close());

const REPLICAS = /"replicas":(\d+)/;

/** A plane that acknowledges everything, forgets what it is told to, and hangs up on the first so many requests. */
async function aPlane(of: { readonly forgets: readonly string[]; readonly hangsUp?: number }) {
  const objects = new Map<string, number>();
  const keys: string[] = [];
  let hangUps = of.hangsUp ?? 0;
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      const { method = "" } = request;
      const path = (request.url ?? "").replace("/apis/berth.dev/v1/", "").replace("/scale", "");
      if (method === "GET") {
        response.statusCode = objects.has(path) ? 200 : 404;
        response.end(JSON.stringify({ spec: { replicas: objects.get(path) } }));
        return;
      }
      keys.push(String(request.headers["idempotency-key"]));
      if (hangUps > 0) {
        hangUps -= 1;
        request.socket.destroy();
        return;
      }
      const name = /"name":"([^"]*)"/.exec(body)?.[1];
      const target = method === "POST" ? `${path}/${name}` : path;
      if (!of.forgets.includes(`${method} ${target}`)) {
        if (method === "DELETE") objects.delete(target);
        else objects.set(target, Number(REPLICAS.exec(body)?.[1] ?? 1));
      }
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { writes: new AcknowledgedWrites(`http://127.0.0.1:${port}`), keys };
}

async function write(writes: AcknowledgedWrites): Promise<void> {
  await writes.create("tenants", { metadata: { name: "a" } });
  await writes.create("tenants", { metadata: { name: "b" } });
  await writes.scale("tenants/a", 3);
  await writes.delete("tenants/b");
}

describe("AcknowledgedWrites", () => {
  it("has nothing to say of a plane that keeps its promises", async () => {
    const { writes } = await aPlane({ forgets: [] });
    await write(writes);
    expect(await writes.broken()).toEqual([]);
  });

  it("names a creation, a deletion and a scaling that were acknowledged and are not so", async () => {
    const forgets = ["POST tenants/c", "PATCH tenants/a", "DELETE tenants/b"];
    const { writes } = await aPlane({ forgets });
    await write(writes);
    await writes.create("tenants", { metadata: { name: "c" } });
    expect(await writes.broken()).toEqual([
      "tenants/c was created and is gone",
      "tenants/b was deleted and is there",
      "tenants/a was scaled to 3 and has 1",
    ]);
  });

  it("sends what was not answered again, under the same key", async () => {
    const { writes, keys } = await aPlane({ forgets: [], hangsUp: 2 });
    await writes.create("tenants", { metadata: { name: "a" } });
    expect([keys.length, new Set(keys).size, writes.unanswered]).toEqual([3, 1, 2]);
  });
});
