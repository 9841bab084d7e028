import { describe, expect, it } from "vitest";
import { checkGuarded, parseListen } from "./listen-address.ts";
import { parseTokens } from "./token-file.ts";

describe("parseListen()", () => {
  it.each([
    ["127.0.0.1:6900", { host: "127.0.0.1", port: 6900 }],
    ["localhost:0", { host: "localhost", port: 0 }],
    ["[::1]:80", { host: "::1", port: 80 }],
  ])("reads %s", (text, expected) => expect(parseListen(text)).toEqual(expected));

  it.each(["6900", ":6900", "::1:80", "a:b", "a:70000", "http://a:1"])("refuses %s", (text) =>
    expect(() => parseListen(text)).toThrow(/--listen: found ".*", expected HOST:PORT/),
  );
});

describe("checkGuarded()", () => {
  const everywhere = { host: "0.0.0.0", port: 6900 };

  it("lets a plane without tokens serve its own machine", () => {
    const none = { hasCertificate: false, hasTokens: false };
    for (const host of ["127.0.0.1", "127.1.2.3", "::1", "localhost"]) {
      expect(() => checkGuarded({ host, port: 1 }, none)).not.toThrow();
    }
  });

  it.each([
    [{ hasCertificate: false, hasTokens: false }, /a certificate .* and tokens/],
    [{ hasCertificate: true, hasTokens: false }, /configure tokens/],
    [{ hasCertificate: false, hasTokens: true }, /configure a certificate/],
  ])("asks for what is missing where others can reach it: %j", (guards, expected) => {
    expect(() => checkGuarded(everywhere, guards)).toThrow(expected);
  });

  it("lets a plane with a certificate and tokens serve others", () => {
    expect(() => checkGuarded(everywhere, { hasCertificate: true, hasTokens: true })).not.toThrow();
  });
});

describe("parseTokens()", () => {
  it("reads users, agents and controllers, and skips comments", () => {
    const text =
      "# people\nuser ann 0123456789abcdef\n\nagent n1  fedcba9876543210\ncontroller scaler 00112233445566778899";
    expect(parseTokens(text, "tokens")).toEqual([
      { kind: "user", name: "ann", token: "0123456789abcdef" },
      { kind: "agent", name: "n1", token: "fedcba9876543210", approved: {} },
      { kind: "controller", name: "scaler", token: "00112233445566778899" },
    ]);
  });

  it.each([
    ["0123456789abcdef", /Expected `user NAME TOKEN`/],
    ["root ann 0123456789abcdef", /Expected `user NAME TOKEN`/],
    ["user ann short", /The token of ann has 5 characters; expected at least 16/],
    ["# nobody", /The file contains no tokens/],
  ])("refuses %j", (text, expected) => expect(() => parseTokens(text, "tokens")).toThrow(expected));
});
