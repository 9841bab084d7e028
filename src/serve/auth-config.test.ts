import { describe, expect, test } from "vitest";
import { parseAuthConfig } from "./auth-config.ts";

const HEAD = "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n";
const one = (issuer: string, claims = '{ username: { claim: sub, prefix: "" } }', more = "") =>
  `${HEAD}jwt:\n- issuer: ${issuer}\n  claimMappings: ${claims}\n${more}`;
const parse = (text: string) => parseAuthConfig(text, "auth.yaml");
const URL_AND = "url: https://a.example, audiences: [berth]";

describe("an authentication configuration", () => {
  test("[AN6] names issuers, audiences, claims and where keys are", () => {
    const claims = '{ username: { claim: email, prefix: "o:" }, groups: { claim: g, prefix: "" } }';
    const rules = "  claimValidationRules: [{ claim: hd, requiredValue: berth.dev }]\n";
    expect(parse(one(`{ ${URL_AND} }`, claims, rules))).toEqual([
      {
        issuer: "https://a.example",
        audiences: ["berth"],
        username: { claim: "email", prefix: "o:" },
        groups: { claim: "g", prefix: "" },
        required: [{ claim: "hd", value: "berth.dev" }],
        keys: {
          kind: "discovery",
          url: "https://a.example/.well-known/openid-configuration",
        },
      },
    ]);
    expect(parse(one(`{ ${URL_AND}, keysFile: keys.json }`))[0]?.keys).toEqual({
      kind: "file",
      file: "keys.json",
    });
  });

  test.each([
    ["jwt: []\n", /required field "apiVersion" is missing/],
    [one("{ url: http://a.example, audiences: [b] }"), /expected an https address/],
    [one("{ url: https://u:p@a.example, audiences: [b] }"), /without user, query/],
    [one("{ url: https://a.example, audiences: [] }"), /expected at least one audience/],
    [one("{ url: https://a.example, audiences: [a, b] }"), /audienceMatchPolicy: MatchAny/],
    [one(`{ ${URL_AND} }`, "{ username: { claim: sub } }"), /required field "prefix"/],
    [
      one(`{ ${URL_AND} }`, "{ username: { expression: claims.sub } }"),
      /unknown field "expression"/,
    ],
    [one(`{ ${URL_AND}, keysFile: k, discoveryURL: https://b.example }`), /keysFile stands in its/],
    [one(`{ ${URL_AND} }`) + one(`{ ${URL_AND} }`).split("jwt:\n")[1], /stands here twice/],
    [one(`{ ${URL_AND} }`, undefined, "  userValidationRules: []\n"), /unknown field "userVal/],
  ])("[AN10] refuses %j", (text, says) => {
    expect(() => parse(text)).toThrow(says);
  });
});
