/**
 * Tokens that callers send, in the right place and in wrong ones, against a plane of its own that writes everything
 * that it can write: none of them is found in any file afterwards.
 */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeFolder } from "../builders/remove-folder.ts";
import { adminHeaders } from "./admin-headers.ts";
import { PlaneAndAgents } from "./plane-and-agents.ts";

const berth = new PlaneAndAgents();
const outside = mkdtempSync(join(tmpdir(), "berth-tokens-"));

beforeAll(() =>
  berth.start("--log-level", "debug", "--decision-log", join(outside, "decisions.jsonl")),
);
afterAll(async () => {
  await berth.remove();
  await removeFolder(outside);
});

const WORKLOADS = "/apis/berth.dev/v1/namespaces/payments/workloads";

const ask = (path: string, init: RequestInit = {}): Promise<number> =>
  fetch(`${berth.server}${path}`, init).then(async (answer) => {
    await answer.text();
    return answer.status;
  });

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

function* filesIn(folder: string): Iterable<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else if (entry.isFile()) yield path;
  }
}

const filesWith = (words: readonly string[], ...folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) =>
    [...filesIn(folder)].filter((file) => {
      const text = readFileSync(file, "latin1");
      return words.some((word) => text.includes(word));
    }),
  );

test("[AN11] no log, audit, recording or answer has a token, wherever its caller put it", async () => {
  await berth.until("the plane", () => berth.berth("get", "tenants"));
  const own = adminHeaders(berth.folder);
  const admin = own.authorization.slice("Bearer ".length);
  const ana = (await berth.berth("token", "create", "ana", "--expires", "1h")).trim();
  const wrong = `berth_${"w".repeat(43)}`;
  await berth.until("the token to be accepted", async () =>
    (await ask("/whoami", bearer(ana))) === 200 ? true : undefined,
  );
  const body = { apiVersion: "berth.dev/v1", kind: "Tenant", metadata: { name: "payments" } };
  const create = await ask("/apis/berth.dev/v1/tenants", {
    method: "POST",
    headers: { ...own, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(create).toBe(201);
  expect(await ask(WORKLOADS, bearer(ana))).toBe(403);
  expect(await ask(WORKLOADS, bearer(wrong))).toBe(401);
  // People put a token into an address, and programs into another header.
  expect(await ask(`${WORKLOADS}?access_token=${ana}`)).toBe(401);
  expect(await ask(`${WORKLOADS}?token=${admin}`, bearer(ana))).toBe(403);
  expect(await ask(`${WORKLOADS}/${ana}`, bearer(ana))).toBe(403);
  expect(await ask("/whoami", { headers: { ...own, "x-token": ana } })).toBe(200);
  const audit = await fetch(`${berth.server}/audit`, { headers: own });
  const refusals = await fetch(`${berth.server}/audit/refusals`, { headers: own });
  const said = `${await audit.text()} ${await refusals.text()}`;
  expect(said).toContain("payments");
  expect([ana, admin, wrong].filter((token) => said.includes(token))).toEqual([]);
  expect(await berth.stopAndReplay()).toMatchObject({ code: 0 });
  expect(filesWith([ana, wrong], berth.folder, outside)).toEqual([]);
  expect(filesWith([admin], berth.folder, outside)).toEqual([join(berth.folder, "admin.token")]);
  // The search finds what is there.
  writeFileSync(join(outside, "planted"), `xx${wrong}`);
  expect(filesWith([wrong], outside)).toEqual([join(outside, "planted")]);
});
