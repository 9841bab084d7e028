import { describe, expect, test } from "vitest";
import type { Credential } from "../../core/model/actor.ts";
import { credentialMark, credentialText } from "./credential-text.ts";

const token = "1f2e3d4c";

describe("[ID5] how a sender was known", () => {
  test.each<[name: string, by: Credential | undefined, text?: string, mark?: string]>([
    ["place", undefined],
    ["ana", { kind: "user", token }, `token ${token} of user ana`, token],
    ["agent:n1", { kind: "agent", token }, `token ${token} of agent n1`],
    ["scaler", { kind: "controller", token }, `token ${token} of controller scaler`, token],
    ["root", { kind: "local", token }, `token ${token} of administrator root`, token],
    [
      "ana",
      { kind: "user", token: "certificate 01AB", address: "10.0.0.7" },
      "certificate 01AB of user ana from 10.0.0.7",
      "certificate 01AB",
    ],
    // The administrator who says another name is told apart from its owner.
    [
      "ana",
      { kind: "local", name: "root", token },
      `token ${token} of administrator root`,
      `${token} of root`,
    ],
    ["local", { kind: "local" }, "no token: on the plane's own machine"],
    ["ana", { kind: "local", name: "local" }, "no token: on the plane's own machine", "local"],
  ])("%s by %j", (name, by, text, mark) => {
    const actor = { name, ...(by && { by }) };
    expect(credentialText(actor)).toBe(text);
    expect(credentialMark(actor)).toBe(mark);
  });
});
