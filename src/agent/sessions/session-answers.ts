/**
 * Answers planes that ask for sessions: opens a connection to the plane that asked, for this one
 * session, and carries it out. The agent keeps its own bound on sessions, and checks itself that
 * the replica is one of its own that runs.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { AGENT_LIMITS } from "../agent-limits.ts";
import { type Drivers, plainDrivers } from "../drivers/drivers.ts";
import { findProcessLogs } from "../logs/process-logs.ts";
import type { HttpCaller } from "../../shell/http-caller.ts";
import { ProcessFolder } from "../process/process-folder.ts";
import { failureStatus } from "../../shell/web-socket/channels.ts";
import type { WebSocketLink } from "../../shell/web-socket/web-socket.ts";
import { endLeftCommands, runExec } from "./run-exec.ts";
import { runForward } from "./run-forward.ts";
import type { SessionRequest } from "./session-request.ts";

const MOST = AGENT_LIMITS.sessions.value;

export interface SessionAnswersOptions {
  /** The agent's. */
  readonly folder: string;
  readonly caller: HttpCaller;
  /** Left out: they are plain processes. */
  readonly drivers?: Drivers;
}

export class SessionAnswers {
  private readonly options: SessionAnswersOptions;
  private readonly open = new Set<WebSocketLink>();
  private underWay = 0;

  constructor(options: SessionAnswersOptions) {
    this.options = options;
    endLeftBehind(options.folder);
  }

  answer(server: URL, asked: SessionRequest): void {
    this.underWay += 1;
    this.carryOut(server, asked)
      // The client finds out by the silence; a plane that cannot be reached is said by the other
      // link.
      .catch(() => undefined)
      .finally(() => {
        this.underWay -= 1;
      });
  }

  /** Ends all of them, and what they run. */
  close(): void {
    for (const link of this.open) link.destroy("the agent is stopping");
  }

  private async carryOut(server: URL, asked: SessionRequest): Promise<void> {
    const link = await this.options.caller.upgrade(server, `/stream/sessions/${asked.id}`);
    this.open.add(link);
    try {
      await this.serve(link, asked);
    } catch (error) {
      link.send(failureStatus(error instanceof Error ? error.message : String(error)));
      link.close(1000);
    } finally {
      this.open.delete(link);
    }
  }

  private async serve(link: WebSocketLink, asked: SessionRequest): Promise<void> {
    if (this.underWay > MOST) throw new Error(`The node already has ${MOST} sessions.`);
    const folder = findProcessLogs(this.options.folder, asked.replica)[0]?.folder;
    const record = folder?.readRecord();
    if (folder === undefined || record?.uid !== asked.uid || folder.state().kind !== "running") {
      throw new Error("The replica has no running process on its node.");
    }
    if (asked.kind === "exec") {
      if (asked.tty) throw new Error(NO_TERMINAL);
      const script = join(this.options.folder, "probe.sh");
      const { drivers = plainDrivers(this.options.folder) } = this.options;
      await runExec({ asked, link, folder, record, drivers, script });
      return;
    }
    const isEnded = (): boolean => folder.state().kind === "ended";
    await runForward({ link, address: record.address, port: asked.port, isEnded });
  }
}

const NO_TERMINAL = "Sessions have no terminal yet: leave out -t, and use -i to send input.";

/** A command whose agent was killed goes when the next agent comes. */
function endLeftBehind(agentFolder: string): void {
  const folders = join(agentFolder, "processes");
  let names: readonly string[] = [];
  try {
    names = readdirSync(folders);
  } catch {
    // The agent has run nothing yet.
  }
  for (const name of names) endLeftCommands(new ProcessFolder(join(folders, name)));
}
