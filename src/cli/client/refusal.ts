/**
 * What a plane said no with, as a mistake the caller can correct: what was found, and what to do
 * next.
 */
import { ownCommand } from "../text/own-command.ts";
import { UserError, type ErrorCode } from "../../shell/errors.ts";

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** A Kubernetes Status, as far as it is looked at here. */
export interface StatusBody {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details: {
    readonly name?: string;
    readonly kind?: string;
    readonly causes?: readonly StatusCause[];
    readonly retryAfterSeconds?: number;
  };
}

export class Refusal extends UserError {
  readonly status: StatusBody;

  constructor(status: StatusBody) {
    super(codeOf(status), `${sentence(status.message)}${nextStep(status)}`);
    this.status = status;
  }
}

/** Whatever the body is: a proxy in between may answer with something else than a Status. */
export function readStatus(code: number, text: string): StatusBody {
  try {
    const body = JSON.parse(text) as Partial<StatusBody> & { readonly kind?: string };
    if (body.kind === "Status") {
      return {
        code,
        reason: body.reason ?? "",
        message: body.message ?? "",
        details: body.details ?? {},
      };
    }
  } catch {
    // Not JSON; shown as it is below.
  }
  const message = `HTTP ${code}: ${text.slice(0, 200)}`;
  return { code, reason: "", message, details: {} };
}

function codeOf({ code, details }: StatusBody): ErrorCode {
  // A namespace that is missing is a mistake in what was sent, not the object that was asked for.
  if (code === 404 && details.kind !== undefined && details.kind !== "namespaces")
    return "not-found";
  return code >= 500 || code === 429 ? "plane-failed" : "request-refused";
}

function nextStep({ code, reason, details }: StatusBody): string {
  if (code === 401) return " Pass a valid token with --token-file or $BERTH_TOKEN_FILE.";
  if (code === 404 && details.kind === "namespaces") {
    return ` Create the tenant first: apply a manifest with "kind: Tenant" and "name: ${details.name ?? ""}". \`${ownCommand()} get tenants\` lists the existing ones.`;
  }
  if (code === 404 && details.kind !== undefined) {
    return ` \`${ownCommand()} get ${details.kind}\` lists the existing ones.`;
  }
  if (reason === "AlreadyExists") return " Change it with `berth apply`, or delete it first.";
  if (code === 429 || code === 503) return " Try again in a moment.";
  return "";
}

function sentence(message: string): string {
  const text = message.trim();
  if (text === "") return "No reason was given.";
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  // A name such as workloads.berth.dev stays as it is written everywhere else.
  const start = /^[a-z]+(?:\.|\s")/.test(text) ? text : capital;
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
