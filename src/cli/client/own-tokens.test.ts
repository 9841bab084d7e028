import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scratchFolder } from "../../../test/contract/scratch-folder.ts";
import { dataFolderMode } from "../../shell/private-folder.ts";
import { storedForm } from "../../api/identity/token-digest.ts";
import { parseTokens } from "../../serve/token-file.ts";
import { ensureAgentToken, ensureOwnTokens, writeAgentToken } from "./own-tokens.ts";
import { isOfOwnPlane } from "./plane-file.ts";

const folder = scratchFolder();
const modeOf = (file: string): number => statSync(file).mode & 0o777;
const read = (file: string) => parseTokens(readFileSync(file, "utf8"), file);

describe("[AU4] the tokens that a plane makes itself", () => {
  test("are readable by their owner only, and stay the same", () => {
    const data = join(folder, "first");
    const { list, admin } = ensureOwnTokens(data);
    expect([modeOf(data), modeOf(list), modeOf(admin)]).toEqual([dataFolderMode(), 0o600, 0o600]);
    const token = readFileSync(admin, "utf8").trim();
    expect(token).toMatch(/^berth_[\w-]{43}$/);
    expect(read(list)).toMatchObject([{ kind: "local", token: storedForm(token) }]);
    expect(readFileSync(list, "utf8")).not.toContain(token);
    ensureOwnTokens(data);
    expect(readFileSync(admin, "utf8").trim()).toBe(token);
  });

  test("are kept from an earlier build's list, and made anew beside the lines of agents when lost", () => {
    const data = join(folder, "kept");
    const { list, admin } = ensureOwnTokens(data);
    const inClear = "f".repeat(64);
    writeFileSync(list, `admin ana ${inClear}\nagent n1 ${"e".repeat(64)}\n`);
    ensureOwnTokens(data);
    expect(readFileSync(admin, "utf8").trim()).toBe(inClear);
    writeFileSync(list, `admin ana ${storedForm(inClear)}\nagent n1 ${"e".repeat(64)}\n`);
    rmSync(admin);
    ensureOwnTokens(data);
    const token = readFileSync(admin, "utf8").trim();
    expect(token).not.toBe(inClear);
    expect(read(list).map(({ kind }) => kind)).toEqual(["local", "agent", "local"]);
    expect(read(list).at(-1)?.token).toBe(storedForm(token));
  });

  test("are made anew when others could have read them", () => {
    const data = join(folder, "open");
    const { list, admin } = ensureOwnTokens(data);
    const before = readFileSync(admin, "utf8");
    chmodSync(list, 0o644);
    ensureOwnTokens(data);
    expect(readFileSync(admin, "utf8")).not.toBe(before);
    expect(modeOf(list)).toBe(0o600);
  });

  test("give each agent one of its own, with what its node is, and a file that no other user reads", () => {
    const data = join(folder, "agents");
    const { list, admin } = ensureOwnTokens(data);
    const approved = { cpuMillis: 2_000, region: "eu" };
    const file = writeAgentToken(list, join(data, "agents", "n1"), { node: "n1", approved });
    expect(modeOf(file)).toBe(0o600);
    const token = readFileSync(file, "utf8").trim();
    expect(token).not.toBe(readFileSync(admin, "utf8").trim());
    expect(read(list)[1]).toEqual({ kind: "agent", name: "n1", token, approved });
    expect(ensureAgentToken(list, { node: "n1", approved })).toBe(token);
    expect(read(list)).toHaveLength(2);
    // What the node is has changed: the same token, and the last line about it counts.
    expect(ensureAgentToken(list, { node: "n1", approved: {} })).toBe(token);
    expect(read(list).at(-1)).toEqual({ kind: "agent", name: "n1", token, approved: {} });
    expect(() => ensureAgentToken(list, { node: "n 1", approved })).toThrow(
      /is not a valid node name/,
    );
  });

  test("are not made from a faulty list: an operator has to look at it", () => {
    const data = join(folder, "wrong");
    const { list, admin } = ensureOwnTokens(data);
    writeFileSync(list, "nonsense\n");
    expect(() => ensureOwnTokens(data)).toThrow(/Expected `user NAME TOKEN`/);
    expect(existsSync(admin)).toBe(true);
  });

  test("are sent only to the plane that left its address, while it runs", () => {
    const url = "http://127.0.0.1:6900";
    const note = { url, pid: process.pid };
    expect(isOfOwnPlane(note, [new URL(url)])).toBe(true);
    expect(isOfOwnPlane(note, [new URL("http://127.0.0.1:6901")])).toBe(false);
    expect(isOfOwnPlane(note, [new URL(url), new URL("http://elsewhere:6900")])).toBe(false);
    // Beyond what any system gives to a process.
    expect(isOfOwnPlane({ url, pid: 2 ** 30 }, [new URL(url)])).toBe(false);
  });
});
