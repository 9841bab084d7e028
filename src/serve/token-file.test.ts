import { describe, expect, test } from "vitest";
import { storedForm } from "../api/identity/token-digest.ts";
import { approvalWords, parseTokens } from "./token-file.ts";

const T = "0123456789abcdef";
const parse = (text: string) => parseTokens(text, "tokens");

describe("the list of tokens", () => {
  test("[AU1] names users, agents, controllers and administrators, and says when a token ends", () => {
    const text = `# comment\n\nuser ana ${T} expires=2027-01-31T12:00:00Z\ncontroller c ${T}2\nadmin root ${T}3\n`;
    expect(parse(text)).toEqual([
      { kind: "user", name: "ana", token: T, expiresMs: Date.UTC(2027, 0, 31, 12) },
      { kind: "controller", name: "c", token: `${T}2` },
      { kind: "local", name: "root", token: `${T}3` },
    ]);
  });

  test("[AN2] states groups of a user, and takes no name or group of the plane's own", () => {
    expect(parse(`user ana ${T} groups=devs,payments`)[0]?.groups).toEqual(["devs", "payments"]);
    const refused = [
      `user ana ${T} groups=devs,system:masters`,
      `user ana ${T} groups=berth:controllers`,
      `user ana ${T} groups=a,,b`,
      `user system:node:n1 ${T}`,
      `controller berth:x ${T}`,
      `agent n1 ${T} groups=a`,
      `controller c ${T} groups=a`,
    ];
    for (const line of refused) expect(() => parse(line)).toThrow(/own|groups/);
  });

  test("[AN4] takes hashes in place of tokens, and a line that revokes one ends its others", () => {
    const hash = storedForm(T);
    expect(parse(`user ana ${hash}`)).toEqual([{ kind: "user", name: "ana", token: hash }]);
    for (const of of [T, hash]) {
      expect(parse(`user ana ${of}\nrevoked ${hash}\nuser ana ${of} groups=a`)).toEqual([]);
    }
    expect(parse(`user ana ${hash}\nuser bob ${T}2\nrevoked ${hash}`)).toHaveLength(1);
    const wrong = [`revoked ${T}`, `revoked ${hash} more`, "revoked", "revoked sha256:12"];
    for (const line of wrong) expect(() => parse(line)).toThrow(/Expected `revoked sha256:HEX`/);
  });

  test("[NR4] states of an agent's node what its operator approves", () => {
    const fields = "cpu=64 memory=256Gi devices=gpu:8,fpga:1 region=eu zone=eu-a labels=a=b,c=d=e";
    const approved = {
      cpuMillis: 64_000,
      memoryMiB: 262_144,
      devices: { gpu: 8, fpga: 1 },
      region: "eu",
      zone: "eu-a",
      labels: { a: "b", c: "d=e" },
    };
    expect(parse(`agent n1 ${T} ${fields}`)).toEqual([
      { kind: "agent", name: "n1", token: T, approved },
    ]);
    expect(parse(`agent n1 ${T} ${approvalWords(approved)}`)[0]?.approved).toEqual(approved);
    expect(parse(`agent n1 ${T}`)[0]?.approved).toEqual({});
  });

  test("[NR4] a label that would cut the line is not stated", () => {
    const approved = { region: "a b", labels: { ok: "x", "k k": "x", bad: "x y", worse: "x,y" } };
    expect(approvalWords(approved)).toBe("labels=ok=x");
  });

  test.each([
    ["", /contains no tokens/],
    ["user ana", /Expected `user NAME TOKEN`/],
    ["root ana 0123456789abcdef", /Expected `user NAME TOKEN`/],
    [`user ${"n".repeat(129)} ${T}`, /has 129 characters; expected at most 128/],
    [`user ana ${T} groups=${"g,".repeat(64)}g`, /found 65, expected at most 64/],
    ["user ana short", /has 5 characters; expected at least 16/],
    [`user ana ${T} cpu=1`, /Found cpu=, expected only groups= and expires= after/],
    [`agent n1 ${T} more`, /Expected cpu=, memory=/],
    [`agent n1 ${T} cpu=1 cpu=2`, /Found cpu= twice/],
    [`agent n1 ${T} cpu=many`, /cpu: found "many"/],
    [`agent n1 ${T} devices=gpu`, /devices: found "gpu", expected CLASS:COUNT/],
    [`agent n1 ${T} labels=x`, /labels: found "x"/],
    [`user ana ${T} expires=soon`, /expires: found "soon", expected a time such as/],
  ])("[AU1] refuses %j", (text, says) => {
    expect(() => parse(text)).toThrow(says);
  });
});
