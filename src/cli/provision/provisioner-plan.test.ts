import { describe, expect, test } from "vitest";
import { provisionerWords } from "../up/provisioner-words.ts";
import { parseProvisioner, parseProvisionerFile, readProvisioners } from "./provisioner-plan.ts";

const open = { hasTokens: false };
const read = (provisioner: readonly string[], of = open) => readProvisioners({ provisioner }, of);

describe("who makes machines, on the command line", () => {
  test.each([
    { text: "here=local", plan: { name: "here", kind: "local" } },
    { text: "here=local:/srv/x", plan: { kind: "local", folder: "/srv/x" } },
    {
      text: "racks=exec:/usr/bin/add-machine --fleet  a",
      plan: { name: "racks", kind: "exec", command: ["/usr/bin/add-machine", "--fleet", "a"] },
    },
    { text: "c=http:https://m.example/x", plan: { url: new URL("https://m.example/x") } },
    { text: "c=http:http://127.0.0.1:1", plan: { url: new URL("http://127.0.0.1:1") } },
    { text: "c=https://m.example", plan: { kind: "http", url: new URL("https://m.example") } },
    { text: "c=http://127.0.0.1:1/", plan: { kind: "http", url: new URL("http://127.0.0.1:1") } },
  ])("$text is understood", ({ text, plan }) => {
    expect(parseProvisioner(text)).toMatchObject({ timeoutMs: 60_000, ...plan });
  });

  test.each(["local", "=local", "A=local", "a=", "a=exec:", "a=exec:  ", "a=ftp://x", "a=http:x"])(
    "%s is refused with what is expected",
    (text) => {
      expect(() => parseProvisioner(text)).toThrow(/expected NAME=exec:COMMAND, NAME=http:URL/);
    },
  );

  test("each has a name of its own, and no secret is said where others see it", () => {
    expect(() => read(["a=local", "a=local"])).toThrow(/duplicate name a;/);
    expect(() => read(["a=https://me:word@m.example"])).toThrow(/contains a password/);
    expect(() => read(["a=http://m.example"], { hasTokens: true })).toThrow(/over plain http/);
    expect(read(["a=http://m.example"])).toHaveLength(1);
    expect(read(["a=http://127.0.0.1:1", "b=http://[::1]:1"], { hasTokens: true })).toHaveLength(2);
  });
});

const FILE = `
provisioners:
  - { name: racks, exec: [/usr/bin/add-machine, "--fleet a"], timeout: 45s }
  - { name: cloud, http: "https://m.example/x", tokenFile: cloud.token, caFile: ca.pem }
  - { name: here, local: true }
  - { name: there, local: /srv/agents }
`;

describe("who makes machines, in a file", () => {
  test("says the same, and more", () => {
    expect(parseProvisionerFile(FILE, "p.yaml")).toEqual([
      {
        name: "racks",
        timeoutMs: 45_000,
        kind: "exec",
        command: ["/usr/bin/add-machine", "--fleet a"],
      },
      {
        name: "cloud",
        timeoutMs: 60_000,
        kind: "http",
        url: new URL("https://m.example/x"),
        tokenFile: "cloud.token",
        caFile: "ca.pem",
      },
      { name: "here", timeoutMs: 60_000, kind: "local" },
      { name: "there", timeoutMs: 60_000, kind: "local", folder: "/srv/agents" },
    ]);
  });

  test.each([
    {
      text: "{ name: a, local: true, exec: [x] }",
      says: /expected exactly one of exec, http, local/,
    },
    { text: "{ name: a }", says: /expected exactly one of exec, http, local/ },
    { text: "{ name: a, exec: [] }", says: /a program and its arguments/ },
    { text: "{ name: a, exec: rm }", says: /expected a list/ },
    { text: "{ name: A, local: true }", says: /a valid object name/ },
    { text: "{ name: a, http: 'ftp://x' }", says: /an address such as https/ },
    { text: "{ name: a, local: true, tokenFile: x }", says: /allowed with http only/ },
    { text: "{ name: a, local: true, timeout: 5m }", says: /expected 1s to 60s/ },
    { text: "{ name: a, locall: true }", says: /unknown field "locall"/ },
  ])("$text is refused with its place", ({ text, says }) => {
    const file = `provisioners:\n  - ${text}\n`;
    expect(() => parseProvisionerFile(file, "p.yaml")).toThrow(says);
  });
});

describe("what berth up tells its planes", () => {
  const at = { folder: "/srv/b", listens: ["127.0.0.1:1", "127.0.0.1:2"] };

  test("is nothing, unless it was told who makes machines", () => {
    expect(provisionerWords({}, at)).toEqual([]);
  });

  test("is where agents are and find all planes, whichever of them leads", () => {
    expect(provisionerWords({ provisioner: ["here=local", "x=exec:y z"] }, at)).toEqual([
      "--provisioner",
      "here=local:/srv/b/agents",
      "--provisioner",
      "x=exec:y z",
      "--provisioner-server",
      "http://127.0.0.1:1,http://127.0.0.1:2",
    ]);
  });
});
