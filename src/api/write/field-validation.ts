/**
 * `fieldValidation`: whether fields the server does not know are an error, a warning, or ignored.
 */
import type { FastifyReply } from "fastify";
import { ApiError } from "../errors.ts";
import { echoed } from "../http/echoed.ts";

export type FieldValidation = "Strict" | "Warn" | "Ignore";

/** One header must stay well below what clients and proxies take. */
const WARNING_BYTES_MAX = 4_096;

export function parseFieldValidation(text: string | undefined): FieldValidation {
  if (text === undefined || text === "") return "Warn";
  if (text === "Strict" || text === "Warn" || text === "Ignore") return text;
  throw new ApiError(
    "bad-request",
    `fieldValidation is "${echoed(text)}"; it can be Strict, Warn or Ignore.`,
  );
}

/** Unknown fields are rejected, or returned as the warnings to send. */
export function checkUnknown(
  validation: FieldValidation,
  mistakes: readonly string[],
): readonly string[] {
  if (mistakes.length === 0 || validation === "Ignore") return [];
  if (validation === "Warn") return mistakes;
  throw new ApiError("unknown-field", mistakes.join(", "), {
    causes: mistakes.map((message) => ({ reason: "FieldValueInvalid", message })),
  });
}

export function sendWarnings(reply: FastifyReply, warnings: readonly string[]): void {
  let left = WARNING_BYTES_MAX;
  const values: string[] = [];
  for (const warning of warnings) {
    // Header values are Latin text: whatever else a field name holds is shown as a question mark.
    const text = warning.replaceAll(/[^\x20-\x7E]/g, "?").replaceAll(/["\\]/g, "\\$&");
    left -= text.length + 12;
    if (left < 0) break;
    values.push(`299 - "${text}"`);
  }
  if (values.length > 0) void reply.header("Warning", values.join(", "));
}
