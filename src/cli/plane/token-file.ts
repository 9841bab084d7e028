/**
 * The list of who may speak to a plane, one on each line: `user NAME TOKEN`, `agent NODE TOKEN` or
 * `controller NAME TOKEN`.
 */
import type { ApiToken } from "../../api/server/authenticate.ts";
import { UserError } from "../errors.ts";

/** Shorter ones can be guessed by trying. */
const SHORTEST = 16;

export function parseTokens(text: string, file: string): readonly ApiToken[] {
  const tokens = text.split("\n").flatMap((line, index): ApiToken[] => {
    const words = line.trim().split(/\s+/);
    if (line.trim() === "" || line.trim().startsWith("#")) return [];
    const [kind, name, token] = words;
    const place = { file, line: index + 1 };
    if (!isKind(kind) || !name || !token || words.length > 3) {
      throw new UserError(
        "invalid-file",
        "Expected `user NAME TOKEN`, `agent NODE TOKEN` or `controller NAME TOKEN` on each line.",
        place,
      );
    }
    if (token.length < SHORTEST) {
      throw new UserError(
        "invalid-file",
        `The token of ${name} has ${token.length} characters; expected at least ${SHORTEST}, such as \`openssl rand -hex 16\` makes.`,
        place,
      );
    }
    return [{ kind, name, token }];
  });
  if (tokens.length > 0) return tokens;
  throw new UserError("invalid-file", "It names nobody, so nobody could use the plane.", { file });
}

const isKind = (word: string | undefined): word is ApiToken["kind"] =>
  word === "user" || word === "agent" || word === "controller";
