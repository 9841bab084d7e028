import { describe, expect, test } from "vitest";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { RunningProcess } from "./cpu-samples.ts";
import { RequestSamples } from "./request-samples.ts";
import type { ScrapeAnswer } from "./scrape-counter.ts";

const key = (index: number): ObjectKey => `Replica/payments/api.1.${index}` as ObjectKey;

const running = (index = 0, incarnation = 1): RunningProcess => ({
  replica: key(index),
  incarnation,
  pid: 1,
  cgroups: [],
  cpuMillis: 100,
  scraped: {
    metrics: { port: "http", path: "/metrics", requests: "http_requests_total" },
    address: { host: "127.0.0.1", ports: { http: index } },
  },
});

/** What the process says, one look after the other. */
function samplesOf(...answers: readonly ScrapeAnswer[]) {
  const left = [...answers];
  const samples = new RequestSamples(() => Promise.resolve(left.shift()!));
  return (of = running()) => samples.take([of]);
}

const at = (atMs: number, total: number): ScrapeAnswer => ({ atMs, total });
const failed = (atMs: number): ScrapeAnswer => ({ atMs, missing: "GET /metrics answered 404" });
const sample = (value: number) => [{ replica: key(0), metric: "requests", value }];
const missing = (why: string) => [{ replica: key(0), metric: "requests", missing: why }];

describe("requests a second", () => {
  test("are what a counter has grown by, over the time between two looks [AS10]", async () => {
    const take = samplesOf(at(1_000, 500), at(11_000, 750), at(16_000, 750));
    expect(await take()).toEqual([]);
    expect(await take()).toEqual(sample(25));
    expect(await take()).toEqual(sample(0));
  });

  test("are not known when a look failed, which is not none, and are again afterwards [AS10]", async () => {
    const take = samplesOf(at(0, 100), failed(10_000), at(20_000, 300), failed(70_000));
    await take();
    expect(await take()).toEqual(missing("GET /metrics answered 404"));
    // Twenty seconds since the last number: what was counted meanwhile is spread over all of them.
    expect(await take()).toEqual(sample(10));
    expect(await take()).toEqual(missing("GET /metrics answered 404"));
  });

  test("begin anew where a counter went back, with another incarnation, and after a long silence [AS10]", async () => {
    const back = samplesOf(at(0, 500), at(10_000, 3), at(20_000, 13));
    await back();
    expect(await back()).toEqual(missing("its counter was reset from 500 to 3"));
    expect(await back()).toEqual(sample(1));
    const reborn = samplesOf(at(0, 5), at(10_000, 900));
    await reborn();
    expect(await reborn(running(0, 2))).toEqual([]);
    const silent = samplesOf(at(0, 5), failed(40_000), at(60_001, 900));
    await silent();
    await silent();
    expect(await silent()).toEqual([]);
  });

  test("are nothing that a plane would refuse, nor that could move a cursor [AS10]", async () => {
    const wild = samplesOf(at(0, 0), at(1, 2 ** 52));
    await wild();
    expect(await wild()).toMatchObject([{ missing: expect.stringContaining("implausible") }]);
    const rude = samplesOf({ atMs: 0, missing: `\u009b2J${"x".repeat(300)}` });
    const [said] = await rude();
    expect(said).toMatchObject({ missing: `?2J${"x".repeat(247)}` });
  });

  test("are asked of those that tell them, each once at a time and not all at once [AS10]", async () => {
    let under = 0;
    let most = 0;
    const samples = new RequestSamples(async ({ address }) => {
      most = Math.max(most, ++under);
      await new Promise((resolve) => setImmediate(resolve));
      under -= 1;
      return at(0, address?.ports["http"] ?? 0);
    });
    const { scraped: _, ...silent } = running(99);
    await samples.take([silent, ...Array.from({ length: 40 }, (_each, index) => running(index))]);
    expect(most).toBe(16);
  });
});
