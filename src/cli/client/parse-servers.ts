/**
 * Addresses of planes as people write them: one, or several that share a log, with commas between.
 */
import { UserError } from "../../shell/errors.ts";

/** `origin`: where the text was found, for the sentence that says what is wrong with it. */
export function parseServers(text: string, origin: string): readonly URL[] {
  const words = text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  if (words.length === 0) throw wrong(text, origin);
  return words.map((word) => {
    try {
      const url = new URL(word.includes("://") ? word : `http://${word}`);
      if (url.protocol === "http:" || url.protocol === "https:") return url;
    } catch {
      // Falls through: whatever the parser has against it, the person needs to see the expected
      // form.
    }
    throw wrong(word, origin);
  });
}

const wrong = (found: string, origin: string): UserError =>
  new UserError(
    "bad-usage",
    `${origin}: found "${found}", expected an address such as http://127.0.0.1:6900, or several separated by commas.`,
  );
