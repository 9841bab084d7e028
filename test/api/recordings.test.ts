import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiAuth } from "../../src/api/http/authenticate.ts";
import { createApiServer } from "../../src/api/http/create-api-server.ts";
import type { ApiLimits } from "../../src/api/http/limits.ts";
import { createHostClock } from "../../src/host/host-clock.ts";
import { Plane } from "../../src/host/plane.ts";
import type { PlanePort } from "../../src/host/plane-port.ts";
import { Recorder } from "../../src/host/recording/recorder.ts";
import { MemoryLog } from "../../src/host/store/memory-log.ts";
import type { IncidentDocument } from "../../src/incident/incident-document.ts";
import type { FoundTurns } from "../../src/incident/find-in-chapter.ts";
import { PlaneUser } from "../host/a-running-plane.ts";

const clock = createHostClock();
const log = { info: () => {}, warn: () => {}, error: () => {} };
const folder = mkdtempSync(path.join(tmpdir(), "berth-recordings-"));
const servers: FastifyInstance[] = [];
let plane: Plane;

beforeAll(async () => {
  const recorder = new Recorder({ folder, version: "test", chapterBytes: 3_000 });
  plane = await Plane.open({ store: new MemoryLog(), clock, recorder });
  const user = new PlaneUser(plane);
  await user.furnish();
  await user.lease("n1", 1);
  await user.lease("n2", 1);
  await user.putDesired(3);
  for (const index of [0, 1, 2]) await user.bound(index);
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await plane.close();
  rmSync(folder, { recursive: true });
});

function served(
  of: {
    readonly recordings?: string;
    readonly limits?: Partial<ApiLimits>;
    readonly auth?: ApiAuth;
    readonly port?: PlanePort;
  } = {},
): FastifyInstance {
  const { port = plane, ...options } = of;
  const app = createApiServer({ plane: port, clock, log, ...options });
  servers.push(app);
  return app;
}

interface ListAnswer {
  readonly recording: boolean;
  readonly reason?: string;
  readonly chapters: readonly {
    readonly number: number;
    readonly from: string;
    readonly until: string;
    readonly firstRevision: number;
    readonly lastRevision: number;
    readonly bytes: number;
    readonly canReplay: boolean;
    readonly obstacle?: string;
  }[];
}

async function chaptersOf(app: FastifyInstance): Promise<ListAnswer> {
  const answer = await app.inject({ url: "/recordings" });
  expect(answer.statusCode).toBe(200);
  return answer.json<ListAnswer>();
}

test("[AP190] the chapters of a plane's recording are listed, with times, revisions and sizes", async () => {
  const app = served({ recordings: folder });
  const listed = (): Promise<ListAnswer> => chaptersOf(app);
  // The newest lines are written a moment after they happen.
  let { recording, chapters } = await listed();
  while (chapters.at(-1)?.lastRevision !== plane.revision) {
    await sleep(5);
    ({ recording, chapters } = await listed());
  }
  expect(recording).toBe(true);
  const files = readdirSync(folder).filter((name) => name.startsWith("chapter-"));
  expect(chapters.map(({ number }) => number)).toEqual(files.map((_, at) => at + 1));
  expect(chapters.length).toBeGreaterThan(1);
  for (const [
    at,
    { from, until, firstRevision, lastRevision, bytes, canReplay },
  ] of chapters.entries()) {
    expect(Date.parse(from)).toBeLessThanOrEqual(Date.parse(until));
    expect(firstRevision).toBeLessThanOrEqual(lastRevision);
    expect(firstRevision).toBeGreaterThanOrEqual(chapters[at - 1]?.lastRevision ?? 0);
    expect(bytes).toBeGreaterThan(1_000);
    expect(canReplay).toBe(true);
  }
});

test("[AP190] a chapter whose state is lost is listed with what keeps it from being replayed", async () => {
  const other = mkdtempSync(path.join(tmpdir(), "berth-recordings-part-"));
  try {
    cpSync(path.join(folder, "chapter-000002.jsonl"), path.join(other, "chapter-000002.jsonl"));
    const { chapters } = await chaptersOf(served({ recordings: other }));
    expect(chapters).toMatchObject([{ number: 2, canReplay: false }]);
    expect(chapters[0]?.obstacle).toMatch(/^The state [0-9a-f]{32}\.(json|claim) .* is not there/);
  } finally {
    rmSync(other, { recursive: true });
  }
});

test("[AP190] a plane that does not record says so, and so does one that has not led", async () => {
  const off = await chaptersOf(served());
  expect(off).toMatchObject({ recording: false, chapters: [] });
  expect(off.reason).toMatch(/does not record/);
  const idle = await chaptersOf(served({ recordings: path.join(folder, "none") }));
  expect(idle).toMatchObject({
    recording: true,
    chapters: [],
    reason: "This plane has not been the leader yet.",
  });
});

test("[AP190] a plane that does not lead answers about its own recording, and controllers are turned away", async () => {
  const standby = Object.create(plane, {
    isShared: { value: true },
    isLeading: { value: false },
    leader: { value: undefined },
  }) as PlanePort;
  const app = served({ recordings: folder, port: standby });
  expect((await chaptersOf(app)).chapters.length).toBeGreaterThan(1);
  const tokens = [{ token: "t", kind: "controller", name: "place-9" } as const];
  const guarded = served({ recordings: folder, auth: { tokens } });
  const headers = { authorization: "Bearer t" };
  for (const url of ["/recordings", "/recordings/1/incident"]) {
    const { statusCode } = await guarded.inject({ url, headers });
    expect(statusCode).toBe(403);
  }
});

test("[AP191] a part of a chapter is an incident document, around a revision or the newest", async () => {
  const app = served({ recordings: folder });
  const revision = (await chaptersOf(app)).chapters[0]?.lastRevision ?? 0;
  const part = await app.inject({ url: `/recordings/1/incident?around=${revision}&turns=6` });
  expect(part.statusCode).toBe(200);
  const document = part.json<IncidentDocument>();
  expect(document).toMatchObject({ berthIncident: 1, source: { kind: "recording" } });
  const { turns, commits } = document;
  expect(new Set(turns.map(({ turn }) => turn)).size).toBeLessThanOrEqual(7);
  expect(commits.map((commit) => commit.revision)).toContain(revision);
});

test.each([
  ["/recordings/99/incident", 404, /Cannot replay chapter 99/],
  ["/recordings/1/incident?around=999999", 404, /Cannot find revision 999999/],
  ["/recordings/one/incident", 400, /chapter: found "one", expected a whole number/],
  ["/recordings/1/incident?turns=-4", 400, /turns: found "-4"/],
])("[AP191] %s is %i", async (url, status, sentence) => {
  const answer = await served({ recordings: folder }).inject({ url });
  expect(answer.statusCode).toBe(status);
  expect(answer.json<{ readonly message: string }>().message).toMatch(sentence);
});

test("[AP192] one is made at a time, and the plane goes on meanwhile", async () => {
  const app = served({ recordings: folder });
  const done: string[] = [];
  const make = async (): Promise<void> => {
    const { statusCode } = await app.inject({ url: "/recordings/1/incident" });
    done.push(`document ${statusCode}`);
  };
  const first = make();
  const second = await app.inject({ url: "/recordings/1/incident" });
  expect(second.statusCode).toBe(429);
  expect(second.headers["retry-after"]).toBe("2");
  const health = await app.inject({ url: "/livez" });
  done.push(`health ${health.statusCode}`);
  await first;
  expect(done).toEqual(["health 200", "document 200"]);
});

test("[AP192] what takes too long is given up, and what is too long is cut", async () => {
  const hasty = served({ recordings: folder, limits: { incidentMs: 1 } });
  const late = await hasty.inject({ url: "/recordings/1/incident" });
  expect(late.statusCode).toBe(504);
  expect(late.json<{ readonly message: string }>().message).toMatch(
    /Replaying this part of the recording timed out/,
  );
  const narrow = served({ recordings: folder, limits: { incidentBytes: 3_000 } });
  const short = await narrow.inject({ url: "/recordings/1/incident" });
  expect(short.statusCode).toBe(200);
  expect(short.payload.length).toBeLessThanOrEqual(3_000);
  expect(short.json<IncidentDocument>().leftOut?.turns).toBeGreaterThan(0);
});

test("[AP311] words are found in all turns of a chapter, not only in the part that is shown", async () => {
  const app = served({ recordings: folder });
  const { payload } = await app.inject({ url: "/recordings/1/turns?find=COMMIT+n1" });
  const { turns, count, found } = JSON.parse(payload) as FoundTurns;
  expect(count).toBeGreaterThan(0);
  expect(turns).toBeGreaterThan(count);
  expect(found).toHaveLength(count);
  expect(found.filter(({ text, what }) => !/commit/i.test(`${text} ${what}`))).toEqual([]);
  for (const find of ["", "x".repeat(201)]) {
    const { statusCode } = await app.inject({ url: `/recordings/1/turns?find=${find}` });
    expect(statusCode).toBe(400);
  }
});
