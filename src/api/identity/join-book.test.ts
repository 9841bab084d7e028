import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scratchFolder } from "../../../test/contract/scratch-folder.ts";
import { makeAuthority, makeRequest } from "../../shell/certificates/sign-certificate.ts";
import type { Caller } from "../http/caller.ts";
import { JoinBook } from "./join-book.ts";
import { NodeSigner } from "./node-signer.ts";
import { SIGNER_LIMITS } from "./signer-limits.ts";

const folder = scratchFolder();
const NOW = Date.UTC(2030, 0);
const join1 = { token: "t1", node: "n1", uid: "u1", keyId: "k1", atMs: NOW };
const ONCE = { uses: 1 };

describe("the uses of bootstrap tokens", () => {
  test("[NJ2] a token is good for one key, also after a restart in the middle of a line", () => {
    const file = join(folder, "joins");
    const first = new JoinBook(file, NOW);
    expect(first.use(join1, ONCE)).toBeUndefined();
    appendFileSync(file, '{"token":"t9","no');
    const book = new JoinBook(file, NOW + 1);
    expect(book.use(join1, ONCE)).toBeUndefined();
    expect(book.use({ ...join1, keyId: "k2" }, ONCE)).toMatch(/with another key/);
    expect(book.use({ ...join1, uid: "u2" }, ONCE)).toMatch(/used 1 of 1 times/);
    expect(book.use({ ...join1, token: "t2", keyId: "k2" }, ONCE)).toBeUndefined();
    const later = new JoinBook(file, NOW + 2);
    expect([later.isUsedUp("t1", 1), later.isUsedUp("t2", 1)]).toEqual([true, true]);
    const old = new JoinBook(file, NOW + SIGNER_LIMITS.joinsKeptMs.value + 1);
    expect(old.isUsedUp("t1", 1)).toBe(false);
  });

  test("[NJ1] a token of a pool lets in so many nodes of that pool, and no other node", async () => {
    const life = { fromMs: Date.now() - 1_000, untilMs: Date.now() + 86_400_000 };
    const signer = new NodeSigner(await makeAuthority("agents", life), new JoinBook(undefined, 0));
    const joins = { uses: 2, pool: "burst", token: "t3" };
    const caller: Caller = { kind: "agent", name: "pool:burst", groups: [], joins };
    const buy = async (name: string, pool: string | undefined) => {
      const { request } = await makeRequest(`system:node:${name}`);
      const signed = await signer.sign(caller, { name, uid: `uid-${name}`, pool }, request);
      return signed.certificate;
    };
    expect(await buy("burst-1", "burst")).toMatch(/BEGIN CERTIFICATE/);
    await expect(buy("burst-1", "burst")).rejects.toThrow(/with another key/);
    await expect(buy("n1", undefined)).rejects.toThrow(/not made by pool burst/);
    await expect(buy("other-1", "other")).rejects.toThrow(/not made by pool burst/);
    expect(() => signer.checkNotUsedUp(caller)).not.toThrow();
    await buy("burst-2", "burst");
    await expect(buy("burst-3", "burst")).rejects.toThrow(/used 2 of 2 times/);
    expect(() => signer.checkNotUsedUp(caller)).toThrow(/no good/);
  });
});
