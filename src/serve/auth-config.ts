/**
 * Reads `--auth-config`: the issuers of JWTs that a plane accepts, in the form of Kubernetes'
 * AuthenticationConfiguration. A field that Kubernetes has and Berth has not is a mistake, because
 * a rule that is read and not applied would let in what it was to keep out.
 */
import type { ClaimName, IssuerRules } from "../api/identity/issuer-rules.ts";
import { JWT_LIMITS } from "../api/identity/jwt-limits.ts";
import type { KeySource } from "../api/identity/issuer-keys.ts";
import type { Cursor, Fields } from "../scenario/cursor.ts";
import { openYaml } from "../scenario/open-yaml.ts";

const VERSIONS = ["apiserver.config.k8s.io/v1", "apiserver.config.k8s.io/v1beta1"] as const;

/** `file` is only for the messages. Throws every mistake in it. */
export function parseAuthConfig(text: string, file: string): readonly IssuerRules[] {
  const { root, mistakes } = openYaml(text, file);
  const fields = root.fields(["apiVersion", "kind", "jwt"]);
  fields.need("apiVersion").choice(VERSIONS);
  fields.need("kind").choice(["AuthenticationConfiguration"]);
  const rules = fields.need("jwt").list(readIssuer);
  if (rules.length > JWT_LIMITS.issuers.value) {
    fields
      .need("jwt")
      .fail(`found ${rules.length} issuers, expected at most ${JWT_LIMITS.issuers.value}.`);
  }
  rules.forEach(({ issuer }, at) => {
    const isTwice = rules.findIndex((each) => each.issuer === issuer) < at;
    if (isTwice) fields.place(`jwt[${at}].issuer.url`).fail(`"${issuer}" stands here twice.`);
  });
  mistakes.throwIfAny("invalid-file");
  return rules;
}

function readIssuer(cursor: Cursor): IssuerRules {
  const fields = cursor.fields(["issuer", "claimMappings", "claimValidationRules"]);
  const issuer = fields
    .need("issuer")
    .fields([
      "url",
      "discoveryURL",
      "certificateAuthority",
      "keysFile",
      "audiences",
      "audienceMatchPolicy",
    ]);
  const url = readAddress(issuer.need("url"));
  const mappings = fields.need("claimMappings").fields(["username", "groups"]);
  const groups = mappings.get<ClaimName | undefined>("groups", readClaimName, undefined);
  return {
    issuer: url,
    audiences: readAudiences(issuer),
    username: readClaimName(mappings.need("username")),
    ...(groups === undefined ? {} : { groups }),
    required: fields.get("claimValidationRules", (rules) => rules.list(readRequired), []),
    keys: readKeySource(issuer, url),
  };
}

function readAudiences(issuer: Fields): readonly string[] {
  const cursor = issuer.need("audiences");
  const audiences = cursor.list((each) => readText(each, "an audience"));
  if (audiences.length === 0) cursor.expected("at least one audience");
  issuer.get("audienceMatchPolicy", (value) => value.choice(["MatchAny"]), "MatchAny");
  if (audiences.length > 1 && !issuer.has("audienceMatchPolicy")) {
    cursor.fail("several audiences need audienceMatchPolicy: MatchAny.");
  }
  return audiences;
}

function readKeySource(issuer: Fields, url: string): KeySource {
  if (issuer.has("keysFile")) {
    for (const other of ["discoveryURL", "certificateAuthority"]) {
      if (issuer.has(other)) issuer.need(other).fail("keysFile stands in its place; remove one.");
    }
    return { kind: "file", file: readText(issuer.need("keysFile"), "a file") };
  }
  const wellKnown = `${url.replace(/\/$/, "")}/.well-known/openid-configuration`;
  return {
    kind: "discovery",
    url: issuer.get("discoveryURL", readAddress, wellKnown),
    ca: issuer.get(
      "certificateAuthority",
      (value) => readText(value, "a PEM text") || undefined,
      undefined,
    ),
  };
}

/** Others on the way to an issuer could put keys of their own in the place of its keys. */
function readAddress(cursor: Cursor): string {
  const text = cursor.text("an https address");
  if (text === "") return text;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain =
    url?.protocol === "https:" &&
    [url.username, url.password, url.search, url.hash].every((part) => part === "");
  if (!isPlain) cursor.expected("an https address without user, query and fragment");
  return text;
}

function readClaimName(cursor: Cursor): ClaimName {
  const fields = cursor.fields(["claim", "prefix"]);
  const claim = readText(fields.need("claim"), "the name of a claim");
  // As in Kubernetes: without a prefix, two issuers could speak of different people by one name.
  const prefix = fields.need("prefix").text('a prefix, or "" for none');
  return { claim, prefix };
}

function readRequired(cursor: Cursor): { readonly claim: string; readonly value: string } {
  const fields = cursor.fields(["claim", "requiredValue"]);
  const claim = readText(fields.need("claim"), "the name of a claim");
  return { claim, value: fields.need("requiredValue").text("the value of the claim") };
}

function readText(cursor: Cursor, what: string): string {
  const text = cursor.text(what);
  if (text.trim() === "" && !cursor.isMissing) cursor.expected(what);
  return text;
}
