import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { aProvisionRequest } from "../../../test/builders/a-provision-request.ts";
import { HttpProvisioner } from "./http-provisioner.ts";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

type Answering = (request: IncomingMessage, response: ServerResponse, body: string) => void;

async function serving(answer: Answering): Promise<URL> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (text) => (body += String(text)));
    request.on("end", () => answer(request, response, body));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/machines`);
}

const never = new AbortController().signal;
const PATIENT_MS = 60_000;

async function ask(answer: Answering, timeoutMs = PATIENT_MS) {
  const provisioner = new HttpProvisioner({ url: await serving(answer), timeoutMs });
  return provisioner.ask(aProvisionRequest(), never);
}

const says =
  (status: number, text: string, headers: Record<string, string> = {}): Answering =>
  (_, response) =>
    response.writeHead(status, headers).end(text);

describe("a server that makes machines", () => {
  test("[AP219] is posted the request, its key and its token, which is read anew each time", async () => {
    const seen: unknown[] = [];
    const url = await serving(({ method, url: path, headers }, response, body) => {
      const { authorization, "idempotency-key": key, "content-type": type } = headers;
      seen.push({ method, path, authorization, key, type, body: JSON.parse(body) });
      response.writeHead(202).end(`{"accepted":true}`);
    });
    let token = "one";
    const provisioner = new HttpProvisioner({
      url,
      timeoutMs: PATIENT_MS,
      readToken: () => token,
    });
    expect(await provisioner.ask(aProvisionRequest(), never)).toEqual({ kind: "accepted" });
    token = "two";
    await provisioner.ask(aProvisionRequest(), never);
    const request = {
      method: "POST",
      path: "/machines",
      key: "create-burst-1-u7",
      type: "application/json",
      body: aProvisionRequest(),
    };
    expect(seen).toEqual([
      { ...request, authorization: "Bearer one" },
      { ...request, authorization: "Bearer two" },
    ]);
  });

  test.each([
    {
      title: "a no in words is a no",
      answering: says(200, `{"error":"no quota\\nleft"}`),
      answer: { kind: "refused", reason: "no quota left" },
    },
    {
      title: "a mistake of ours is a no, with its words",
      answering: says(422, `{"error":"no such zone"}`),
      answer: { kind: "refused", reason: "it answered 422: no such zone" },
    },
    {
      title: "one that is busy is asked again, and not too soon",
      answering: says(429, "", { "retry-after": "7" }),
      answer: { kind: "doubtful", reason: "it answered 429", afterMs: 7_000 },
    },
    {
      title: "one that failed may have done it",
      answering: says(500, `{"error":"half of it"}`),
      answer: { kind: "doubtful", reason: "it answered 500: half of it" },
    },
    {
      title: "an answer that is no JSON leaves it open",
      answering: says(200, "<html>"),
      answer: { kind: "doubtful", reason: "its answer is not a JSON object: <html>" },
    },
    {
      title: "an answer without a word for it leaves it open",
      answering: says(200, `{"accepted":"yes"}`),
      answer: { kind: "doubtful", reason: expect.stringContaining("neither") },
    },
    {
      title: "an answer that is too long is not read",
      answering: says(200, `{"accepted":true,"x":"${"x".repeat(70_000)}"}`),
      answer: { kind: "doubtful", reason: "it sent more than 65536 bytes" },
    },
    {
      title: "an answer that breaks off leaves it open",
      answering: (_: IncomingMessage, response: ServerResponse) => {
        response.writeHead(200, { "content-length": "100" }).write(`{"accepted":true}`);
        setImmediate(() => response.destroy());
      },
      answer: { kind: "doubtful", reason: expect.stringMatching(/cut short|ECONNRESET/) },
    },
  ])("$title", async ({ answering, answer }) => {
    expect(await ask(answering)).toEqual(answer);
  });

  test("a redirect is not followed: no other server hears of it", async () => {
    const heard: string[] = [];
    const elsewhere = await serving(({ url = "" }, response) => {
      heard.push(url);
      response.end(`{"accepted":true}`);
    });
    const answer = await ask(says(307, "", { location: elsewhere.href }));
    expect(answer).toMatchObject({ kind: "refused" });
    expect(answer).toMatchObject({ reason: expect.stringContaining("redirects are not followed") });
    expect(heard).toEqual([]);
  });

  test("one that hangs is not waited for, before its answer and in the middle of it", async () => {
    const late = { kind: "doubtful", reason: "no answer after 0.2 s" };
    expect(await ask(() => {}, 200)).toEqual(late);
    expect(await ask((_, response) => void response.write(`{"acc`), 200)).toEqual(late);
  });

  test("one without a listener leaves it open", async () => {
    const url = await serving(() => {});
    const [server] = servers.splice(0);
    await new Promise((resolve) => server!.close(resolve));
    const provisioner = new HttpProvisioner({ url, timeoutMs: PATIENT_MS });
    expect(await provisioner.ask(aProvisionRequest(), never)).toEqual({
      kind: "doubtful",
      reason: "connection refused at its address",
    });
  });

  test.each([
    ["readToken", "token"],
    ["readCa", "certificate"],
  ])(
    "[AU3] %s: a %s that cannot be read is a no, before the server is asked",
    async (read, what) => {
      let count = 0;
      const url = await serving(() => (count += 1));
      const provisioner = new HttpProvisioner({
        url,
        timeoutMs: PATIENT_MS,
        [read]: () => {
          throw new Error("no such file");
        },
      });
      const answer = await provisioner.ask(aProvisionRequest(), never);
      expect(answer).toMatchObject({
        kind: "refused",
        reason: expect.stringContaining(`the ${what} for it cannot be read`) as string,
      });
      expect(count).toBe(0);
    },
  );

  test("is not waited for when its plane leads no more, or stops", async () => {
    const lead = new AbortController();
    const url = await serving(() => lead.abort());
    const provisioner = new HttpProvisioner({ url, timeoutMs: PATIENT_MS });
    const answer = await provisioner.ask(aProvisionRequest(), lead.signal);
    expect(answer).toMatchObject({ kind: "doubtful" });
    expect(answer).toMatchObject({ reason: expect.stringContaining("no longer the leader") });
    await provisioner.close();
    const after = await provisioner.ask(aProvisionRequest(), never);
    expect(after).toMatchObject({ kind: "doubtful" });
  });
});
