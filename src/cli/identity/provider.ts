/** An OpenID provider, as `berth login` asks it for tokens. */
import { decodeJwt } from "jose";
import { fetchJson } from "../../api/identity/fetch-json.ts";
import { JWT_LIMITS } from "../../api/identity/jwt-limits.ts";
import { recordOf } from "../../api/identity/record-of.ts";
import { UserError } from "../../shell/errors.ts";

export interface Provider {
  readonly issuer: string;
  readonly ca: string | undefined;
  readonly clientId: string;
  readonly tokenUrl: string;
  readonly authorizeUrl: string | undefined;
  readonly deviceUrl: string | undefined;
}

/** What a provider hands out. */
export interface Handed {
  readonly idToken: string;
  readonly expiresMs: number;
  readonly refreshToken?: string;
}

const bounds = { withinMs: JWT_LIMITS.answerMs.value, mostBytes: JWT_LIMITS.answerBytes.value };

const failed = (why: string): UserError => new UserError("login-failed", why);

export async function findProvider(of: {
  readonly issuer: string;
  readonly ca: string | undefined;
  readonly clientId: string;
}): Promise<Provider> {
  const { issuer, ca } = of;
  if (!issuer.startsWith("https://") || !URL.canParse(issuer)) {
    throw new UserError("bad-usage", `--issuer: found "${issuer}", expected an https address.`);
  }
  const url = new URL(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
  const found = recordOf(await asked({ url, ca }));
  if (found["issuer"] !== issuer) {
    throw failed(
      `${url.href} is of another issuer than ${issuer}: give --issuer as it names itself.`,
    );
  }
  const address = (name: string): string | undefined => {
    const value = found[name];
    return typeof value === "string" && value.startsWith("https://") ? value : undefined;
  };
  const tokenUrl = address("token_endpoint");
  if (tokenUrl === undefined) throw failed(`${url.href} names no token_endpoint over https.`);
  return {
    ...of,
    tokenUrl,
    authorizeUrl: address("authorization_endpoint"),
    deviceUrl: address("device_authorization_endpoint"),
  };
}

/** The document that the provider answers a form with; with `error`, it has refused. */
export async function sendForm(
  { ca }: Provider,
  url: string,
  form: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  return recordOf(await asked({ url: new URL(url), ca, form }));
}

async function asked(of: {
  readonly url: URL;
  readonly ca: string | undefined;
  readonly form?: Readonly<Record<string, string>>;
}): Promise<unknown> {
  try {
    return await fetchJson({ ...of, ...bounds });
  } catch (error) {
    throw failed(`${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** Throws unless the tokens are for this client, from this issuer and, where asked, this login. */
export function readHanded(
  { issuer, clientId }: Provider,
  document: Readonly<Record<string, unknown>>,
  nonce?: string,
): Handed {
  const { error, error_description: about, id_token: idToken, refresh_token: refresh } = document;
  if (error !== undefined) {
    const detail = about === undefined ? "" : `: ${textOf(about)}`;
    throw failed(`${issuer} refused the login, ${textOf(error)}${detail}.`);
  }
  if (typeof idToken !== "string") {
    throw failed(`${issuer} sent no id_token: the scopes must include openid.`);
  }
  const { iss, aud, exp, nonce: given } = claimsOf(idToken, issuer);
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (iss !== issuer || !audiences.includes(clientId) || exp === undefined) {
    throw failed(`${issuer} sent a token for another client or from another issuer.`);
  }
  if (nonce !== undefined && given !== undefined && given !== nonce) {
    throw failed(`${issuer} sent a token of another login: start again.`);
  }
  return {
    idToken,
    expiresMs: exp * 1_000,
    ...(typeof refresh === "string" ? { refreshToken: refresh } : {}),
  };
}

function claimsOf(idToken: string, issuer: string) {
  try {
    return decodeJwt(idToken);
  } catch {
    throw failed(`${issuer} sent a token that cannot be read.`);
  }
}

const textOf = (value: unknown): string => JSON.stringify(value).slice(0, 300);
