/** `berth token` beside a plane that runs. */
import { readFileSync, chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scratchFolder } from "../contract/scratch-folder.ts";
import { runBerth } from "../builders/run-berth.ts";
import { type Running, startPlane } from "./a-running-plane.ts";

const data = join(scratchFolder(), "plane");
let plane: Running;
beforeAll(async () => {
  plane = await startPlane({ data });
});
afterAll(() => plane.stop());

const list = join(data, "tokens");
const ask = (path: string, token: string): Promise<Response> =>
  fetch(`${plane.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
const status = async (token: string) => (await ask("/whoami", token)).status;
const create = async (...args: readonly string[]) => {
  const { code, out, err } = await runBerth("token", "create", ...args, "--data", data);
  expect(err).toMatch(/shown only now/);
  expect(code).toBe(0);
  return out.trim();
};

describe("berth token", () => {
  it("[AN5] makes a token that the running plane accepts with its groups, and keeps no more than its hash", async () => {
    const token = await create("ana", "--group", "devs", "--group", "ops", "--expires", "12h");
    await expect.poll(() => status(token), { timeout: 60_000 }).toBe(200);
    const known = (await (await ask("/whoami", token)).json()) as object;
    expect(known).toMatchObject({ user: "ana" });
    expect(JSON.stringify(known)).toContain("devs");
    expect(readFileSync(list, "utf8")).not.toContain(token);
    expect(readFileSync(list, "utf8")).toMatch(
      /^user ana sha256:[0-9a-f]{64} expires=\S+ groups=/m,
    );
  });

  it("[AN4] gives nothing to a caller who has read the hash", async () => {
    await create("eve");
    const hash = /sha256:[0-9a-f]{64}/.exec(readFileSync(list, "utf8"))?.[0] ?? "";
    expect(await status(hash)).toBe(401);
    expect(await status(hash.slice(7))).toBe(401);
  });

  it("[AN5] revokes by name or id without a restart, and the open watches end", async () => {
    const token = await create("bob", "--kind", "admin");
    await expect.poll(() => status(token), { timeout: 60_000 }).toBe(200);
    const watch = await ask("/apis/berth.dev/v1/tenants?watch=true", token);
    const over = watch.text().catch(() => "cut");
    const shown = await runBerth("token", "list", "--data", data);
    const id = /^(\S+) +admin +bob/m.exec(shown.out)?.[1] ?? "";
    expect(await runBerth("token", "revoke", id, "--data", data)).toMatchObject({
      code: 0,
      out: `Token ${id} of bob is revoked.\n`,
    });
    await over;
    expect(await status(token)).toBe(401);
    expect((await runBerth("token", "list", "--data", data)).out).toMatch(/bob.+revoked/);
    const unknown = await runBerth("token", "revoke", "carol", "--data", data);
    expect(unknown.err).toMatch(/no token with the name or id "carol"/);
  });

  it("[AN5] refuses reserved names, long lives and a list that others may write", async () => {
    const refused = async (...args: readonly string[]) =>
      (await runBerth("token", "create", ...args, "--data", data)).err;
    expect(await refused("system:admin")).toMatch(/name of the plane's own/);
    expect(await refused("ana", "--group", "system:masters")).toMatch(/name of the plane's own/);
    expect(await refused("ana", "--group", "a,b")).toMatch(/expected one name/);
    expect(await refused("a b")).toMatch(/without spaces/);
    expect(await refused("ana", "--expires", "400d")).toMatch(/at most 366d/);
    expect(await refused("ana", "--kind", "admin", "--group", "x")).toMatch(/only a user/);
    const open = join(data, "open-list");
    writeFileSync(open, "");
    chmodSync(open, 0o666);
    const { err } = await runBerth("token", "create", "ana", "--file", open);
    expect(err).toMatch(/Other users may write it/);
  });
});
