import { connect } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, describe, expect, it, vi } from "vitest";
import { setCaller } from "../http/caller.ts";
import { SeatGate } from "../shares/seat-gate.ts";
import { DEFAULT_SHARE_LIMITS } from "../shares/share-limits.ts";
import { ByteBudget } from "./byte-budget.ts";
import { type Paced, partsOf, sendPaced } from "./paced-answer.ts";

const LIMITS = {
  answerChunkBytes: 1_000,
  turnBytes: 4_000,
  turnItems: 10,
  turnMs: Number.POSITIVE_INFINITY,
  answerSlowMs: 60_000,
  answerMs: 60_000,
  slowReaderMs: 60_000,
};

let app: FastifyInstance | undefined;
afterEach(() => app?.close());

/** How many pieces were made in each turn of the event loop. */
async function turnsOf(sizes: readonly number[], answers = 1): Promise<readonly number[]> {
  const turns: number[] = [0];
  let isCounting = true;
  const nextTurn = (): void => {
    turns.push(0);
    if (isCounting) setImmediate(nextTurn);
  };
  setImmediate(nextTurn);
  const pieces = function* (): Generator<string> {
    for (const size of sizes) {
      turns.push((turns.pop() ?? 0) + 1);
      yield "x".repeat(size);
    }
  };
  let parts = 0;
  const read = async (): Promise<void> => {
    for await (const part of partsOf(pieces(), LIMITS)) {
      expect(part.length).toBeLessThan(LIMITS.answerChunkBytes + Math.max(...sizes));
      parts += part.length;
    }
  };
  await Promise.all(Array.from({ length: answers }, read));
  isCounting = false;
  expect(parts).toBe(answers * sizes.reduce((sum, size) => sum + size, 0));
  return turns;
}

async function served(pieces: () => Iterator<string>, of: Partial<Paced> = {}) {
  const failures: unknown[] = [];
  const answers = of.answers ?? new ByteBudget({ total: 10_000, perCaller: 5_000 });
  const onFailure = (error: unknown): unknown => failures.push(error);
  const seats = new SeatGate(DEFAULT_SHARE_LIMITS);
  const paced = { limits: LIMITS, answers, seats, onFailure };
  const server = fastify();
  app = server;
  server.addHook("onRequest", async (request) =>
    setCaller(request, { kind: "user", name: "ana", groups: [] }),
  );
  server.get("/list", (_, reply) => sendPaced({ ...paced, ...of }, reply, pieces()));
  const url = await server.listen({ port: 0, host: "127.0.0.1" });
  return { url: `${url}/list`, port: Number(new URL(url).port), answers, failures };
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe("sendPaced()", () => {
  it("[HB5] others get their turn after so many items, and after so many bytes", async () => {
    const many = await turnsOf(Array.from({ length: 100 }, () => 10));
    expect(Math.max(...many)).toBeLessThanOrEqual(LIMITS.turnItems);
    const large = await turnsOf(Array.from({ length: 20 }, () => 2_000));
    expect(Math.max(...large)).toBe(2);
  });

  it("[HB5] of many long answers one goes on in each turn, so others wait as for one", async () => {
    const sizes = Array.from({ length: 50 }, () => 10);
    // Each makes its first slice when it begins, and that is bounded by seats.
    const [, ...later] = await turnsOf(sizes, 20);
    expect(Math.max(...later)).toBeLessThanOrEqual(LIMITS.turnItems);
    expect(later.length).toBeGreaterThanOrEqual((20 * 50) / LIMITS.turnItems - 20);
  });

  it("[HB5] all of it arrives, whatever its length, and never as one text", async () => {
    let most = 0;
    const answers = new ByteBudget({ total: 1e9, perCaller: 1e9 });
    const pieces = function* (): Generator<string> {
      for (let at = 0; at < 500; at += 1) {
        most = Math.max(most, answers.held);
        yield `${at},`.padEnd(700, "ä");
      }
    };
    const { url, failures } = await served(pieces, { answers });
    const text = await (await fetch(url)).text();
    expect(text).toBe([...pieces()].join(""));
    // At most a part and the piece that made it whole, at two bytes for each character.
    expect(most).toBeLessThanOrEqual(2 * (LIMITS.answerChunkBytes + 700));
    expect([failures, answers.held]).toEqual([[], 0]);
  });

  it("[HB5] a short one has a length, and an error in its first part is an answer of its own", async () => {
    const { url } = await served(() => ["{}"].values());
    const response = await fetch(url);
    expect(response.headers.get("content-length")).toBe("2");
    await app?.close();
    const broken = await served(() => {
      throw new Error("It cannot be shown.");
    });
    expect((await fetch(broken.url)).status).toBe(500);
  });

  it("[HB5] an error after the first part breaks it off, and is told to the server", async () => {
    const { url, failures } = await served(function* () {
      for (let at = 0; at < 10; at += 1) yield "x".repeat(900);
      throw new Error("It cannot be shown.");
    });
    const response = await fetch(url);
    await expect(response.text()).rejects.toThrow(/terminated|aborted|closed/);
    expect(failures).toHaveLength(1);
  });

  it("[HB7] nothing more is made for a reader that does not read, and it is cut off", async () => {
    let made = 0;
    const endless = function* (): Generator<string> {
      for (;;) {
        made += 1;
        yield "x".repeat(64 * 1024);
      }
    };
    const limits = { ...LIMITS, turnBytes: 1e6, answerSlowMs: 200 };
    const { port, answers } = await served(endless, { limits });
    const deaf = connect({ port, host: "127.0.0.1" });
    deaf.pause();
    deaf.write("GET /list HTTP/1.1\r\nHost: localhost\r\n\r\n");
    // Only the server can tell that it is over: a socket that nobody reads does not notice.
    const server = app?.server;
    await until(async () => made > 0);
    const open = (): Promise<number> =>
      new Promise((resolve) => server?.getConnections((_, count) => resolve(count)));
    await until(async () => (await open()) === 0);
    // What the kernel takes for a reader that does not read is some megabytes.
    expect(made).toBeLessThan(500);
    // The server counts a socket as closed before it tells the answer, which then gives back its
    // bytes.
    await until(async () => answers.held === 0);
    deaf.destroy();
  });

  it("[HB7] an answer waits while its caller has too much on the way", async () => {
    const answers = new ByteBudget({ total: 1e9, perCaller: 1_500 });
    const { url } = await served(() => Array.from({ length: 20 }, () => "y".repeat(500)).values(), {
      answers,
    });
    const giveBack = answers.take({ caller: "user ana", bytes: 1_000 });
    let isThere = false;
    // Compressed, it would be little.
    const text = fetch(url, { headers: { "accept-encoding": "identity" } })
      .then((response) => response.text())
      .finally(() => {
        isThere = true;
      });
    while (answers.of("user ana") < 1_000) await new Promise(setImmediate);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isThere).toBe(false);
    giveBack?.();
    expect((await text).length).toBe(10_000);
    expect(answers.held).toBe(0);
  });
});

it("[HB7] nothing waits for a reader that went before the answer began", async () => {
  const reader = { isGone: false };
  const pieces = function* (): Generator<string> {
    while (!reader.isGone) yield "";
    yield "y".repeat(2 * LIMITS.answerChunkBytes);
    yield "z".repeat(2 * LIMITS.answerChunkBytes);
  };
  const limits = { ...LIMITS, answerMs: 59_999 };
  let isOver = false;
  const timers = vi.spyOn(globalThis, "setTimeout");
  const server = fastify();
  app = server;
  server.addHook("onRequest", async (request, { raw }) => {
    setCaller(request, { kind: "user", name: "ana", groups: [] });
    raw.once("close", () => (reader.isGone = true));
  });
  const paced = {
    limits,
    answers: new ByteBudget({ total: 10_000, perCaller: 5_000 }),
    seats: new SeatGate(DEFAULT_SHARE_LIMITS),
    onFailure: () => {},
  };
  server.get("/list", async (_, reply) => {
    await sendPaced(paced, reply, pieces());
    isOver = true;
  });
  const url = new URL(await server.listen({ port: 0, host: "127.0.0.1" }));
  const socket = connect(Number(url.port), "127.0.0.1");
  socket.write("GET /list HTTP/1.1\r\nHost: x\r\n\r\n");
  setTimeout(() => socket.destroy(), 50);
  await expect.poll(() => isOver, { timeout: 60_000 }).toBe(true);
  expect(timers.mock.calls.filter(([, ms]) => ms === limits.answerMs)).toEqual([]);
  timers.mockRestore();
});
