/** Callers that are known by JWTs of an OpenID provider on a real socket. */
import { writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listen } from "../../src/api/http/listen.ts";
import { TokenRegistry } from "../../src/api/identity/token-registry.ts";
import type { IssuerRules } from "../../src/api/identity/issuer-rules.ts";
import { JwtAuthenticator } from "../../src/api/identity/jwt-authenticator.ts";
import { JWT_LIMITS } from "../../src/api/identity/jwt-limits.ts";
import { AnIssuer } from "../builders/an-issuer.ts";
import { scratchFolder } from "../contract/scratch-folder.ts";
import { anApi, type Api, BERTH } from "./an-api.ts";

const folder = scratchFolder();
let issuer: AnIssuer;
let rules: IssuerRules;
let jwts: JwtAuthenticator;
let api: Api;
let url: string;
let nowMs = 0;
const troubles: string[] = [];

beforeAll(async () => {
  issuer = await AnIssuer.start();
  rules = {
    issuer: issuer.url,
    audiences: ["berth", "other"],
    username: { claim: "sub", prefix: "oidc:" },
    groups: { claim: "groups", prefix: "oidc:" },
    required: [],
    keys: {
      kind: "discovery",
      url: `${issuer.url}/.well-known/openid-configuration`,
      ca: issuer.ca,
    },
  };
  const registry = new TokenRegistry([
    { kind: "user", name: "bob", token: "secret-of-bob-0001", groups: [] },
  ]);
  const bearer = { find: (token: string) => jwts.find(token) };
  const auth = { registry, bearers: [bearer] };
  api = await anApi({ auth });
  url = await listen(api.app, { port: 0, auth });
});
afterAll(async () => {
  await api.close();
  await issuer.close();
});
beforeEach(() => begin());

/** A plane that has just started, which has read no keys. */
function begin(of: Partial<IssuerRules> = {}): void {
  nowMs = 0;
  troubles.length = 0;
  issuer.asked.length = 0;
  issuer.instead = undefined;
  jwts = new JwtAuthenticator({
    rules: [{ ...rules, ...of }],
    nowMs: () => nowMs,
    onTrouble: (message) => void troubles.push(message),
  });
}

const whoami = async (token: string) => {
  const answer = await fetch(`${url}/whoami`, { headers: { authorization: `Bearer ${token}` } });
  const { message, ...body } = (await answer.json()) as Record<string, unknown> & {
    readonly message?: string;
  };
  return { status: answer.status, says: message ?? "", body, headers: answer.headers };
};

const answerTo = async (claims: JWTPayload) => (await whoami(await issuer.sign({ claims }))).says;

describe("a JWT", () => {
  it("[AN6] makes its subject a user with the groups of its claims, and the keys are read once", async () => {
    for (let at = 0; at < 3; at += 1) {
      expect((await whoami(await issuer.sign({ claims: { jti: `${at}` } }))).body).toMatchObject({
        kind: "user",
        user: "oidc:ana",
        groups: ["oidc:devs", "system:authenticated"],
        how: "jwt",
      });
    }
    expect(issuer.asked).toEqual(["/.well-known/openid-configuration", "/keys"]);
    expect((await whoami("secret-of-bob-0001")).body).toMatchObject({ user: "bob" });
    expect((await whoami("not-a-known-token")).says).toMatch(/does not know this token/);
  });

  it("[AN6] is refused with its cause when it has expired, is for others, or comes from elsewhere", async () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      [await issuer.sign({ expiresIn: "-40s" }), /has expired/],
      [await issuer.sign({ audience: "kubernetes" }), /for another audience/],
      [await issuer.sign({ claims: { nbf: 4_000_000_000 } }), /not valid yet/],
      [await issuer.sign({ iss: "https://elsewhere.example" }), /issuer that the plane does not/],
      [await signedByStranger(), /wrong signature/],
      [new UnsecuredJWT({ sub: "ana" }).setIssuer(issuer.url).encode(), /does not know/],
      ["a.b.c", /cannot be read/],
      [`a.b.${"c".repeat(JWT_LIMITS.tokenBytes.value)}`, /more than 12288 bytes/],
    ];
    for (const [token, says] of cases) {
      const { status, says: said } = await whoami(token);
      expect([status, said]).toEqual([401, expect.stringMatching(says)]);
    }
    // Within the leeway of clocks.
    expect((await whoami(await issuer.sign({ expiresIn: "-10s" }))).status).toBe(200);
  });

  it("[AN7] signed with the public key as a shared secret is refused, as is one without a signature", async () => {
    const [key] = issuer.keys;
    const secret = new TextEncoder().encode(JSON.stringify(key?.shown).padEnd(64));
    const forged = await new SignJWT({ sub: "ana" })
      .setProtectedHeader({ alg: "HS256", kid: key?.kid ?? "" })
      .setIssuer(issuer.url)
      .setAudience("berth")
      .setExpirationTime("5m")
      .sign(secret);
    expect((await whoami(forged)).says).toMatch(/signature of a kind that the plane does not/);
    const [, claims] = forged.split(".");
    const none = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
    expect((await whoami(`${none}.${claims}.AA`)).says).toMatch(/kind that the plane does not/);
  });

  it("[AN8] that states a reserved or unreadable name is refused as a whole", async () => {
    begin({ username: { claim: "sub", prefix: "" }, groups: { claim: "groups", prefix: "" } });
    expect(await answerTo({ sub: "system:admin" })).toMatch(/name of the plane's own/);
    expect(await answerTo({ sub: "System:node:n1" })).toMatch(/name of the plane's own/);
    expect(await answerTo({ groups: ["devs", "system:masters"] })).toMatch(
      /name of the plane's own/,
    );
    expect(await answerTo({ groups: ["berth:controllers"] })).toMatch(/name of the plane's own/);
    expect(await answerTo({ groups: ["a\nb"] })).toMatch(/printable/);
    expect(await answerTo({ sub: "a\u202Eb" })).toMatch(/printable/);
    expect(await answerTo({ sub: "x".repeat(300) })).toMatch(/at most 256/);
    expect(await answerTo({ groups: [{}] })).toMatch(/no text in the claim groups/);
    expect(await answerTo({ groups: Array.from({ length: 300 }, () => "g") })).toMatch(
      /300 groups/,
    );
    begin({ username: { claim: "email", prefix: "" } });
    expect(await answerTo({})).toMatch(/no text in the claim email/);
    expect(await answerTo({ email: "a@b.c", email_verified: false })).toMatch(/not verified/);
    begin({ required: [{ claim: "hd", value: "berth.dev" }] });
    expect(await answerTo({ hd: "else" })).toMatch(/needs the claim hd to be "berth.dev"/);
    expect(await answerTo({ hd: "berth.dev" })).toBe("");
  });
});

describe("the keys of an issuer", () => {
  it("[AN9] are read again for a new key, and a withdrawn one ends what is open under it", async () => {
    const first = await issuer.sign();
    expect((await whoami(first)).status).toBe(200);
    const headers = { authorization: `Bearer ${first}` };
    const watch = await fetch(`${url}${BERTH}/tenants?watch=true`, { headers });
    await issuer.rotate({ alg: "RS256" });
    nowMs += JWT_LIMITS.askAgainMs.value;
    expect((await whoami(await issuer.sign())).status).toBe(200);
    await watch.text().catch(() => "cut");
    expect((await whoami(first)).says).toMatch(/key that its issuer does not have/);
  });

  it("[AN9] are asked for at most every ten seconds, whatever unknown keys callers name", async () => {
    expect((await whoami(await issuer.sign())).status).toBe(200);
    const before = issuer.asked.length;
    const flood = await Promise.all(
      Array.from({ length: 50 }, async (_, at) => whoami(await issuer.sign({ kid: `k${at}` }))),
    );
    expect(new Set(flood.map(({ status }) => status))).toEqual(new Set([401]));
    expect(issuer.asked.length).toBe(before);
    nowMs += JWT_LIMITS.askAgainMs.value;
    await Promise.all(
      Array.from({ length: 50 }, async (_, at) => whoami(await issuer.sign({ kid: `m${at}` }))),
    );
    expect(issuer.asked.length).toBe(before + 2);
  });

  it("[AN9] stay in force while the issuer is down, for a day", async () => {
    expect((await whoami(await issuer.sign())).status).toBe(200);
    issuer.instead = (reply) => void reply.writeHead(500).end();
    nowMs = JWT_LIMITS.staleMs.value - 1;
    expect((await whoami(await issuer.sign({ claims: { jti: "a" } }))).status).toBe(200);
    await expect.poll(() => troubles.join()).toMatch(/Cannot read the keys of .*status 500/);
    nowMs = 2 * JWT_LIMITS.staleMs.value;
    const late = await whoami(await issuer.sign({ claims: { jti: "b" } }));
    expect([late.status, late.headers.get("retry-after")]).toEqual([503, "10"]);
    expect(late.says).toMatch(/keys of the token's issuer cannot be read.*status 500/);
  });

  it("[AN9] are not read from an answer that is too long, redirects, or speaks for another issuer", async () => {
    const answers: readonly (readonly [(reply: ServerResponse) => void, RegExp])[] = [
      [(reply) => void reply.end("x".repeat(2_000_000)), /more than 1048576 bytes/],
      [(reply) => void reply.writeHead(302, { location: issuer.url }).end(), /status 302/],
      [(reply) => void reply.end("<html>"), /not JSON/],
      [
        (reply) => void reply.end('{"issuer":"https://b.example"}'),
        /expected "https:\/\/localhost/,
      ],
    ];
    for (const [instead, says] of answers) {
      begin();
      issuer.instead = instead;
      const { status, says: said } = await whoami(await issuer.sign());
      expect([status, said]).toEqual([503, expect.stringMatching(says)]);
    }
  });

  it("[AN9] come from a file where no address is to be asked", async () => {
    const file = join(folder, "keys.json");
    writeFileSync(file, JSON.stringify(issuer.keySet));
    begin({ keys: { kind: "file", file } });
    expect((await whoami(await issuer.sign())).status).toBe(200);
    expect(issuer.asked).toEqual([]);
    await issuer.rotate();
    nowMs += JWT_LIMITS.askAgainMs.value;
    expect((await whoami(await issuer.sign())).says).toMatch(/does not have/);
  });
});

describe("a configuration that changes", () => {
  it("[AN10] ends what was let in under the old rules, and nothing else", async () => {
    const token = await issuer.sign();
    expect((await whoami(token)).status).toBe(200);
    expect(jwts.replace([rules])).toBe(0);
    expect(jwts.replace([{ ...rules, audiences: ["elsewhere"] }])).toBe(1);
    expect((await whoami(token)).says).toMatch(/another audience/);
    jwts.replace([]);
    expect((await whoami(token)).says).toMatch(/issuer that the plane does not know/);
  });

  it("[AN6] a token that ends also ends what is open under it", async () => {
    const token = await issuer.sign();
    const headers = { authorization: `Bearer ${token}` };
    const watch = await fetch(`${url}${BERTH}/tenants?watch=true`, { headers });
    const over = watch.text().catch(() => "cut");
    jwts.look(Date.now());
    jwts.look(Date.now() + 400_000);
    await over;
    expect((await whoami(token)).status).toBe(200);
  });
});

async function signedByStranger(): Promise<string> {
  const other = await AnIssuer.start();
  const [own] = issuer.keys;
  const token = await other.sign({ claims: {}, kid: own?.kid ?? "" });
  const [header, , signature] = token.split(".");
  await other.close();
  const [, claims] = (await issuer.sign()).split(".");
  return `${header}.${claims}.${signature}`;
}
