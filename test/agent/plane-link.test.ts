import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { HttpPlaneLink, type PlaneInput } from "../../src/agent/plane/plane-link.ts";
import type { Request } from "../../src/core/kernel/component.ts";
import { operationId } from "../../src/core/model/ids.ts";
import { AGENT_PROTOCOL, PROTOCOL_HEADER } from "../../src/shell/agent-protocol.ts";
import { eventually } from "./a-driver.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const servers: Server[] = [];
const links: HttpPlaneLink[] = [];
afterEach(() => {
  for (const link of links.splice(0)) link.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server that answers as the test says, and remembers what it was asked. */
async function aServer(answer: Answer): Promise<{ url: URL; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), asked };
}

function aLink(urls: readonly URL[], token?: string): { link: HttpPlaneLink; heard: PlaneInput[] } {
  const heard: PlaneInput[] = [];
  const link = new HttpPlaneLink({
    node: "a-1",
    servers: urls,
    folder: "/nowhere",
    credentials: token === undefined ? {} : { token },
    give: (input) => void heard.push(input),
    note: () => undefined,
  });
  links.push(link);
  return { link, heard };
}

const json = (response: ServerResponse, value: unknown): void => {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
};
const line = (to: number): string => `${JSON.stringify({ commits: [], to, epoch: 2 })}\n`;

const LOOKUP: Request = { kind: "lookup", operation: operationId("x"), attempt: 1 };
const NOT_FOUND = { kind: "not-found", epoch: 2 } as const;
const NOBODY = new URL("http://127.0.0.1:1");

/** Lists at ever later revisions; what the watch does is up to the test. */
function listing(watch: Answer): Answer {
  let revision = 0;
  return (request, response) => {
    if (request.url?.startsWith("/stream/list") !== true) return watch(request, response);
    revision += 10;
    return json(response, { objects: [], revision, epoch: 2, protocol: AGENT_PROTOCOL });
  };
}

describe("the stream", () => {
  test("is a list, and what happens after it", async () => {
    const { url, asked } = await aServer(
      listing((_, response) => {
        const text = line(11) + line(12);
        response.write(text.slice(0, 20));
        setTimeout(() => response.write(text.slice(20)), 20);
      }),
    );
    const { link, heard } = aLink([url]);
    link.list();
    await eventually("three inputs", () => heard.length === 3);
    expect(heard).toMatchObject([
      { kind: "listed", revision: 10, epoch: 2 },
      { kind: "watch", to: 11 },
      { kind: "watch", to: 12 },
    ]);
    expect(asked).toEqual(["GET /stream/list?node=a-1", "GET /stream/watch?node=a-1&from=10"]);
  });

  test.each<{ title: string; watch: Answer }>([
    {
      title: "the plane has forgotten so old a revision",
      watch: (_, response) => response.writeHead(410).end("{}"),
    },
    { title: "it ends", watch: (_, response) => response.end(line(11)) },
    { title: "it breaks", watch: (request) => request.destroy() },
    { title: "it says something else", watch: (_, response) => response.write('{"to":"x"}\n') },
  ])("begins again with a list when $title", async ({ watch }) => {
    const { url } = await aServer(listing(watch));
    const { link, heard } = aLink([url]);
    link.list();
    await eventually("a second list", () =>
      heard.some((input) => input.kind === "listed" && input.revision === 20),
    );
    expect(heard[0]).toMatchObject({ kind: "listed", revision: 10 });
  });

  test("of an earlier list says nothing any more", async () => {
    const open: ServerResponse[] = [];
    const { url } = await aServer(listing((_, response) => void open.push(response)));
    const { link, heard } = aLink([url]);
    link.list();
    await eventually("the first stream", () => open.length === 1);
    link.list();
    await eventually("the second stream", () => open.length === 2);
    open[0]?.write(line(11));
    open[1]?.write(line(21));
    await eventually("the second stream's line", () => heard.at(-1)?.kind === "watch");
    expect(heard.filter(({ kind }) => kind === "watch")).toMatchObject([{ to: 21 }]);
  });

  test("moves on from a plane of an earlier version, whose list it would misread", async () => {
    const { url: earlier } = await aServer((_, response) =>
      json(response, { objects: [], revision: 10, epoch: 2 }),
    );
    const said: (string | string[] | undefined)[] = [];
    const today = listing((_, response) => response.write(line(11)));
    const { url } = await aServer((request, response) => {
      said.push(request.headers[PROTOCOL_HEADER]);
      today(request, response);
    });
    const { link, heard } = aLink([earlier, url]);
    link.list();
    await eventually("a list of the other", () => heard.length > 0);
    expect(heard[0]).toMatchObject({ kind: "listed", revision: 10 });
    expect(said[0]).toBe(`${AGENT_PROTOCOL}`);
  });

  test("moves to another server when one cannot list", async () => {
    const { url } = await aServer(listing((_, response) => response.write(line(11))));
    const { link, heard } = aLink([NOBODY, url]);
    link.list();
    await eventually("a list", () => heard.length > 0);
    expect(heard[0]).toMatchObject({ kind: "listed" });
  });
});

describe("a request", () => {
  test("is sent in the agent's name, with its token, and answered under its call", async () => {
    let said = "";
    let token: string | undefined;
    const { url } = await aServer((request, response) => {
      token = request.headers.authorization;
      request.setEncoding("utf8").on("data", (text: string) => (said += text));
      request.on("end", () => json(response, NOT_FOUND));
    });
    const { link, heard } = aLink([url], "secret");
    link.send(7, LOOKUP);
    await eventually("the reply", () => heard.length === 1);
    expect(heard).toEqual([{ kind: "reply", call: 7, reply: NOT_FOUND }]);
    expect(JSON.parse(said)).toEqual({ from: "agent:a-1", request: LOOKUP });
    expect(token).toBe("Bearer secret");
  });

  test("without an answer gets no reply, and the next goes to another server", async () => {
    const { url } = await aServer((_, response) => json(response, NOT_FOUND));
    const { link, heard } = aLink([NOBODY, url]);
    link.send(1, LOOKUP);
    let call = 1;
    await eventually("a reply", () => {
      link.send((call += 1), LOOKUP);
      return heard.length > 0;
    });
    expect(heard.some((input) => input.kind === "reply" && input.call === 1)).toBe(false);
  });

  test("to a plane that does not lead is told so, and the next goes to another", async () => {
    const first = await aServer((_, response) => json(response, { kind: "unavailable" }));
    const second = await aServer((_, response) => json(response, NOT_FOUND));
    const { link, heard } = aLink([first.url, second.url]);
    link.send(1, LOOKUP);
    await eventually("the first reply", () => heard.length === 1);
    link.send(2, LOOKUP);
    await eventually("the second reply", () => heard.length === 2);
    expect(heard).toEqual([
      { kind: "reply", call: 1, reply: { kind: "unavailable" } },
      { kind: "reply", call: 2, reply: NOT_FOUND },
    ]);
  });

  test("that is answered late is still answered, while others go elsewhere", async () => {
    const held: ServerResponse[] = [];
    const slow = await aServer((_, response) => void held.push(response));
    const quick = await aServer((_, response) => json(response, NOT_FOUND));
    const { link, heard } = aLink([slow.url, quick.url]);
    link.send(1, LOOKUP);
    let call = 1;
    await eventually("patience to end", async () => {
      link.send((call += 1), LOOKUP);
      await new Promise((resolve) => setTimeout(resolve, 200));
      return heard.length > 0;
    });
    json(held[0]!, NOT_FOUND);
    await eventually("the late reply", () =>
      heard.some((input) => input.kind === "reply" && input.call === 1),
    );
    expect(quick.asked.length).toBeGreaterThan(0);
  });
});

const busy: Answer = (_, response) =>
  void response.writeHead(503, { "retry-after": "3600" }).end("busy");

describe("a server that asks to be left alone", () => {
  test("is not asked again before its time, and the agent hears so at once [HC2]", async () => {
    const { url, asked } = await aServer(busy);
    const { link, heard } = aLink([url]);
    link.send(1, LOOKUP);
    await eventually("the first answer", () => heard.length === 1);
    for (let call = 2; call <= 50; call += 1) link.send(call, LOOKUP);
    await eventually("every answer", () => heard.length === 50);
    expect(asked).toEqual(["POST /commands"]);
    const replies = heard.map((input) => input.kind === "reply" && input.reply.kind);
    expect(new Set(replies)).toEqual(new Set(["unavailable"]));
  });

  test("does not keep the agent from another one [HC2]", async () => {
    const one = await aServer(busy);
    const other = await aServer((_, response) => json(response, NOT_FOUND));
    const { link, heard } = aLink([one.url, other.url]);
    link.send(1, LOOKUP);
    await eventually("the first answer", () => heard.length === 1);
    link.send(2, LOOKUP);
    await eventually("the second answer", () => heard.length === 2);
    expect(heard[1]).toEqual({ kind: "reply", call: 2, reply: NOT_FOUND });
  });

  test("and says no for good is no reason to pause: the component is left to its own patience [HC2]", async () => {
    const { url, asked } = await aServer((_, response) => void response.writeHead(400).end("no"));
    const { link, heard } = aLink([url]);
    link.send(1, LOOKUP);
    await eventually("the first question", () => asked.length === 1);
    link.send(2, LOOKUP);
    await eventually("the second question", () => asked.length === 2);
    expect(heard).toEqual([]);
  });
});
