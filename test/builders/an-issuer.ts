/**
 * A small OpenID provider on a real socket over TLS: discovery, keys that can be rotated, and the flows in which
 * `berth login` asks for tokens. Everybody who asks is the person that the test names.
 */
import { createHash, randomUUID } from "node:crypto";
import { createServer, type Server } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
} from "jose";
import { aCertificate } from "./a-certificate.ts";

interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly shown: JWK;
}

export interface SignedAs {
  readonly claims?: JWTPayload;
  readonly audience?: string;
  readonly expiresIn?: string | number;
  /** Instead of the present one. */
  readonly key?: SigningKey;
  readonly kid?: string;
  /** Instead of its own address. */
  readonly iss?: string;
}

export class AnIssuer {
  readonly ca: string;
  readonly url: string;
  private readonly server: Server;
  keys: SigningKey[] = [];
  /** Paths that were asked for. */
  readonly asked: string[] = [];
  /** Answers nothing but this, while it is set. */
  instead: ((reply: ServerResponse) => void) | undefined;
  /** The person who logs in. */
  person: JWTPayload = { sub: "ana", groups: ["devs"] };
  /** By code or refresh token, what was asked for with it. */
  private readonly codes = new Map<string, string>();
  readonly refreshTokens = new Set<string>();

  static async start(): Promise<AnIssuer> {
    const certificate = aCertificate();
    const server = createServer(certificate);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const issuer = new AnIssuer(server, certificate.cert);
    server.on("request", (request, reply) => void issuer.answer(request, reply));
    await issuer.rotate();
    return issuer;
  }

  private constructor(server: Server, ca: string) {
    this.server = server;
    this.ca = ca;
    this.url = `https://localhost:${(server.address() as AddressInfo).port}`;
  }

  /** From now on a new key signs; the others go with `keep: false`. */
  async rotate({ alg = "ES256", keep = false } = {}): Promise<SigningKey> {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    const kid = randomUUID();
    const shown = { ...(await exportJWK(publicKey)), kid, alg, use: "sig" };
    const key = { kid, alg, privateKey, shown };
    this.keys = keep ? [key, ...this.keys] : [key];
    return key;
  }

  sign({ claims = {}, audience = "berth", expiresIn = "5m", key, kid, iss }: SignedAs = {}) {
    const [present] = this.keys;
    const by = key ?? present;
    if (by === undefined) throw new Error("The issuer has no key: rotate() makes one.");
    return new SignJWT({ ...this.person, ...claims })
      .setProtectedHeader({ alg: by.alg, kid: kid ?? by.kid })
      .setIssuer(iss ?? this.url)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(expiresIn)
      .sign(by.privateKey);
  }

  get keySet(): { readonly keys: readonly JWK[] } {
    return { keys: this.keys.map(({ shown }) => shown) };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", this.url);
    this.asked.push(pathname);
    let body = "";
    for await (const part of request) body += String(part);
    if (this.instead !== undefined) return this.instead(reply);
    const json = (value: unknown, status = 200): void => {
      reply.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    };
    switch (pathname) {
      case "/.well-known/openid-configuration":
        return json({
          issuer: this.url,
          jwks_uri: `${this.url}/keys`,
          authorization_endpoint: `${this.url}/authorize`,
          token_endpoint: `${this.url}/token`,
          device_authorization_endpoint: `${this.url}/device`,
        });
      case "/keys":
        return json(this.keySet);
      case "/authorize": {
        const code = randomUUID();
        this.codes.set(code, searchParams.get("code_challenge") ?? "");
        const back = new URL(searchParams.get("redirect_uri") ?? "");
        back.searchParams.set("code", code);
        back.searchParams.set("state", searchParams.get("state") ?? "");
        reply.writeHead(302, { location: back.href }).end();
        return;
      }
      case "/device":
        return json({
          device_code: "device-1",
          user_code: "ABCD-EFGH",
          verification_uri: `${this.url}/activate`,
          expires_in: 60,
          interval: 0,
        });
      case "/token":
        return this.token(new URLSearchParams(body), json);
      default:
        return json({ error: "not_found" }, 404);
    }
  }

  private async token(
    form: URLSearchParams,
    json: (value: unknown, status?: number) => void,
  ): Promise<void> {
    const grant = form.get("grant_type");
    const given = form.get("refresh_token") ?? "";
    if (grant === "refresh_token" && !this.refreshTokens.delete(given)) {
      return json({ error: "invalid_grant" }, 400);
    }
    if (grant === "authorization_code") {
      const challenge = this.codes.get(form.get("code") ?? "");
      const verifier = form.get("code_verifier") ?? "";
      const hashed = createHash("sha256").update(verifier).digest("base64url");
      if (challenge !== hashed) return json({ error: "invalid_grant" }, 400);
      this.codes.delete(form.get("code") ?? "");
    }
    const refreshToken = randomUUID();
    this.refreshTokens.add(refreshToken);
    json({
      token_type: "Bearer",
      id_token: await this.sign({ audience: form.get("client_id") ?? "" }),
      refresh_token: refreshToken,
      expires_in: 300,
    });
  }
}
