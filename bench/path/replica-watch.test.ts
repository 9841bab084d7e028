import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { ReplicaWatch } from "./replica-watch.ts";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Each stream sends the next of these and ends; when there is none left, it is told so. */
async function serving(streams: readonly (readonly string[])[]): Promise<{
  readonly url: string;
  readonly asked: readonly string[];
}> {
  const asked: string[] = [];
  server = createServer((request, response) => {
    const pieces = streams[asked.length];
    asked.push(request.url ?? "");
    if (pieces === undefined) {
      response.writeHead(410).end();
      return;
    }
    response.writeHead(200);
    for (const piece of pieces) response.write(piece);
    response.end();
  });
  await new Promise<void>((resolve) => server?.listen({ host: "127.0.0.1", port: 0 }, resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const line = (name: string, revision: number): string =>
  `{"type":"ADDED","object":{"metadata":{"name":"${name}","resourceVersion":"${revision}"}}}`;

const TOO_SLOW = '{"type":"ERROR","object":{"kind":"Status","code":410}}';

async function watchUntilLost(url: string): Promise<{ lines: string[]; lost: string }> {
  const lines: string[] = [];
  let watch: ReplicaWatch | undefined;
  const lost = await new Promise<string>((resolve, reject) => {
    ReplicaWatch.open({ url, onLine: (text) => lines.push(text), onLost: resolve }).then(
      (opened) => void (watch = opened),
      reject,
    );
  });
  watch?.close();
  return { lines, lost };
}

const startsOf = (asked: readonly string[]): readonly string[] =>
  asked.map((path) => /resourceVersion=(\d+)/.exec(path)?.[1] ?? "everything");

describe("ReplicaWatch", () => {
  it("puts lines together, and goes on where a stream ended", async () => {
    const { url, asked } = await serving([
      [`${line("a", 7)}\n${line("b", 9).slice(0, 20)}`, `${line("b", 9).slice(20)}\n`],
      [`${line("c", 12)}\n`],
    ]);
    const { lines } = await watchUntilLost(url);
    expect(lines).toEqual([line("a", 7), line("b", 9), line("c", 12)]);
    expect(startsOf(asked).slice(0, 3)).toEqual(["everything", "9", "12"]);
  });

  it("begins anew when it is told that it fell behind, and says so when even that is refused", async () => {
    const { url, asked } = await serving([
      [`${line("a", 7)}\n${TOO_SLOW}\n`],
      [`${line("a", 7)}\n${line("b", 9)}\n`],
    ]);
    const { lines, lost } = await watchUntilLost(url);
    expect(lines).toEqual([line("a", 7), line("a", 7), line("b", 9)]);
    expect(startsOf(asked)).toEqual(["everything", "everything", "9", "everything"]);
    expect(lost).toContain("410");
  });
});
