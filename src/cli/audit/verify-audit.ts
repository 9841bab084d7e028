/**
 * `berth audit --verify` and `--head`: the chain of the log, computed anew by the plane or from a
 * store whose plane is stopped.
 */
import { type VerifyLine, type VerifyResult, verifyChain } from "../../api/audit/verify-chain.ts";
import type { ChainHead } from "../../host/store/chain-link.ts";
import { explaining } from "../../host/store/etcd/etcd-log-errors.ts";
import type { AuditOptions } from "../commands/audit.ts";
import { keptIn, storePlace } from "../backup/store-place.ts";
import { connect } from "../client/connect.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import { explainingLog } from "../../serve/open-store.ts";
import { ProgressBar, stderrTarget } from "../text/progress-bar.ts";

export async function verifyAudit(
  kept: ChainHead | undefined,
  options: AuditOptions,
  terminal: Terminal,
): Promise<void> {
  const result = await resultOf(kept, options, terminal);
  terminal.out(options.json === true ? `${JSON.stringify(result)}\n` : `${result.says}\n`);
  if (!result.isGood) terminal.exitCode = 1;
}

export async function showHead(options: AuditOptions, terminal: Terminal): Promise<void> {
  const head =
    options.store === undefined
      ? await connect(options).get<ChainHead>("/audit/head")
      : (await resultOf(undefined, options, terminal)).head;
  if (head === undefined) {
    throw new UserError("not-found", "The kept log has no head of the chain.");
  }
  const { revision, hash } = head;
  terminal.out(
    options.json === true ? `${JSON.stringify({ revision, hash })}\n` : `${revision}:${hash}\n`,
  );
}

async function resultOf(
  kept: ChainHead | undefined,
  options: AuditOptions,
  terminal: Terminal,
): Promise<VerifyResult> {
  const bar = new ProgressBar(stderrTarget((text) => terminal.err(text)));
  try {
    for await (const line of linesOf(kept, options)) {
      if (line.type === "result") return line;
      if (line.type === "failure") throw new UserError("log-unavailable", line.says);
      bar.show(line.revision, line.end, "revisions verified");
    }
  } finally {
    bar.clear();
  }
  throw new UserError(
    "plane-unreachable",
    "The plane closed the connection before it finished. Try again.",
  );
}

async function* linesOf(
  kept: ChainHead | undefined,
  options: AuditOptions,
): AsyncGenerator<VerifyLine> {
  if (options.store === undefined) {
    const query = kept === undefined ? {} : { head: `${kept.revision}:${kept.hash}` };
    const over = new AbortController().signal;
    yield* connect(options).lines("/audit/verify", { query }, over) as AsyncGenerator<VerifyLine>;
    return;
  }
  const place = storePlace(options);
  const lines = verifyChain(() => keptIn(place), kept);
  for (;;) {
    const next = await explainingLog(() => explaining("verify the log", () => lines.next()));
    if (next.done === true) return;
    yield next.value;
  }
}
