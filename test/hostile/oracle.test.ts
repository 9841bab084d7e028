/** Each promise of the oracle is broken once, in a world of its own: an oracle that cannot see is worse than none. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { CANARY } from "./a-hostile-plane.ts";
import type { CallerName, HostileCase } from "./hostile-case.ts";
import { joinedCase, checkTogether, type Together } from "./check-together.ts";
import { keepCase } from "./keep-case.ts";
import { type Finding, type CheckedWorld, Oracle, type Verdict } from "./oracle.ts";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A plane of which a test says what each look at it finds. */
class AWorld implements CheckedWorld {
  readonly plane = { starts: 1 };
  busy = 0;
  gapMs = 0;
  state = "as it was";
  /** What happens before the plane answers again. */
  meanwhile: () => void = () => undefined;
  port = 0;

  async serve(answer: RequestListener): Promise<Oracle> {
    const made = createServer(answer);
    server = made;
    await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
    this.port = (made.address() as AddressInfo).port;
    const oracle = new Oracle(this, { worstMs: () => Promise.resolve(this.gapMs) });
    await oracle.begin();
    return oracle;
  }

  get target() {
    return { port: this.port, tokenOf: () => "t", revision: () => Promise.resolve(1) };
  }
  busyMs(): number {
    return this.busy;
  }
  get(): Promise<unknown> {
    this.meanwhile();
    return Promise.resolve("ok");
  }
  async until<T>(_: string, look: () => Promise<T | undefined>): Promise<T> {
    return (await look()) as T;
  }
  untilServing(): Promise<void> {
    return Promise.resolve();
  }
  honestState(): Promise<string> {
    return Promise.resolve(this.state);
  }
  lastWords(): string {
    return "heap out of memory";
  }
}

const aCase = (of: Partial<HostileCase> = {}, caller: CallerName = "mallory"): HostileCase => ({
  name: "one",
  requests: [{ caller, method: "GET", path: "/x" }],
  ...of,
});

const ok: RequestListener = (_, response) => void response.end("ok");
/** Its sender gives up before anything comes. */
const silent: RequestListener = () => undefined;

describe("the oracle", () => {
  it("finds nothing where nothing is wrong", async () => {
    const oracle = await new AWorld().serve(ok);
    expect((await oracle.check(aCase())).finding).toBeUndefined();
    expect(await oracle.honestFinding()).toBeUndefined();
  });

  it("finds a read that the plane was still busy with when its sender had given up", async () => {
    const world = new AWorld();
    const oracle = await world.serve(silent);
    world.meanwhile = () => (world.busy += 5_000);
    expect((await oracle.check(aCase())).finding?.kind).toBe("slow");
    const [joined] = await oracle.together([aCase(), aCase()]);
    expect(joined.costMs).toBeGreaterThanOrEqual(5_000);
  });

  it("finds a silence that ended after its sender had given up", async () => {
    const world = new AWorld();
    const oracle = await world.serve(silent);
    world.meanwhile = () => (world.gapMs = 5_000);
    expect((await oracle.check(aCase())).finding?.kind).toBe("silent");
    const [joined] = await oracle.together([aCase()]);
    expect(joined.finding?.kind).toBe("silent");
  });

  it("finds a plane that died, whatever was answered before", async () => {
    const world = new AWorld();
    const oracle = await world.serve(ok);
    world.meanwhile = () => (world.plane.starts = 2);
    expect((await oracle.check(aCase())).finding?.kind).toBe("died");
  });

  it.each([
    { kind: "internal-error", status: 500, text: "{}", caller: "mallory" },
    { kind: "leak", status: 200, text: CANARY, caller: "n2" },
    { kind: undefined, status: 200, text: CANARY, caller: "mallory" },
  ] as const)(
    "takes an answer $status to $caller for $kind",
    async ({ kind, status, text, caller }) => {
      const oracle = await new AWorld().serve((_, response) =>
        response.writeHead(status).end(text),
      );
      expect((await oracle.check(aCase({}, caller))).finding?.kind).toBe(kind);
    },
  );

  it("finds an answer that a kept case does not allow, and one that does not hold what it must", async () => {
    const oracle = await new AWorld().serve(ok);
    const kindOf = async (one: HostileCase) => (await oracle.check(one)).finding?.kind;
    expect(await kindOf(aCase({ answers: [[403]] }))).toBe("wrong-answer");
    expect(await kindOf(aCase({ answers: [[200]], holds: ["mine"] }))).toBe("wrong-answer");
    expect(await kindOf(aCase({ answers: [[200]], holds: ["ok"] }))).toBeUndefined();
  });

  it("finds what the honest tenant lost", async () => {
    const world = new AWorld();
    const oracle = await world.serve(ok);
    world.state = "since another time";
    expect((await oracle.honestFinding())?.kind).toBe("changed");
  });
});

describe("cases that are sent at once", () => {
  const cases = [aCase({ name: "a" }), aCase({ name: "b" })];
  const quiet: Verdict = { costMs: 1, answers: [] };
  const died: Finding = { kind: "died", what: "heap" };
  const run = async (
    verdicts: readonly [Verdict, ...Verdict[]],
    again?: Finding["kind"],
  ): Promise<{ readonly noted: readonly string[]; readonly checked: number }> => {
    const noted: string[] = [];
    let checked = 0;
    const of: Together = {
      send: () => Promise.resolve(verdicts),
      check: () => ((checked += 1), Promise.resolve(again)),
      note: (found) =>
        void noted.push(`${found.kind} ${found.case.name} ${found.case.requests.length}`),
      count: () => undefined,
    };
    await checkTogether(of, cases);
    return { noted, checked };
  };

  it("are left alone where nothing was dear or found", async () => {
    expect(await run([quiet, quiet, quiet])).toEqual({ noted: [], checked: 0 });
  });

  it("are noted together when the plane died of them and of none alone", async () => {
    expect(await run([{ ...quiet, finding: died }, quiet, quiet])).toEqual({
      noted: ["died a-and-1-more 2"],
      checked: 2,
    });
    const other = await run([{ ...quiet, finding: died }, quiet, quiet], "internal-error");
    expect(other.noted).toEqual(["died a-and-1-more 2"]);
  });

  it("are noted once when one of them shows it again", async () => {
    expect((await run([{ ...quiet, finding: died }, quiet, quiet], "died")).noted).toEqual([]);
  });

  it("name the one that was answered by an error, also when it is not again", async () => {
    const wrong: Verdict = { ...quiet, finding: { kind: "internal-error", what: "" } };
    expect((await run([quiet, quiet, wrong])).noted).toEqual(["internal-error b 1"]);
  });

  it("are noted when they were too dear for any machine, and not for a silence that may be the machine's", async () => {
    expect((await run([{ ...quiet, costMs: 10_000 }, quiet, quiet])).noted).toEqual([
      "slow a-and-1-more 2",
    ]);
    const silence: Verdict = { ...quiet, finding: { kind: "silent", what: "" } };
    expect(await run([silence, quiet, quiet])).toEqual({ noted: [], checked: 2 });
  });

  it("are sent again as they were: none waits for another", () => {
    expect(joinedCase(cases).requests.every(({ isParallel }) => isParallel === true)).toBe(true);
  });
});

it("what was found is kept as a case that can be sent again", () => {
  const folder = mkdtempSync(join(tmpdir(), "berth-kept-"));
  try {
    const one = aCase({ name: "patch~7" });
    const file = keepCase({ kind: "slow", what: "", case: one }, folder);
    expect(file).toBe(join(folder, "found-slow-patch-7.json"));
    expect(JSON.parse(readFileSync(file ?? "", "utf8"))).toEqual({
      ...one,
      name: "found-slow-patch-7",
    });
    const whole = { name: "memory", requests: [] };
    expect(keepCase({ kind: "memory", what: "", case: whole }, folder)).toBeUndefined();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
