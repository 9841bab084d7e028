/** A real terminal for a real command: what tmux shows of it, and keys that are pressed in it. */
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { removeFolder } from "../builders/remove-folder.ts";

/** Far longer than anything here takes on a busy machine; it only bounds a hang. */
const PATIENCE_MS = 120_000;

export class ATerminal {
  private readonly folder = mkdtempSync(join(tmpdir(), "berth-terminal-"));
  private readonly socket = join(this.folder, "tmux");

  /** A shell, so that what is left of the terminal after the command can be looked at. */
  constructor({ width, height }: { readonly width: number; readonly height: number }) {
    const size = ["-x", String(width), "-y", String(height)];
    this.tmux("-f", "/dev/null", "new-session", "-d", ...size, "PS1='shell> ' exec /bin/sh");
    this.tmux("set-option", "-g", "remain-on-exit", "on");
  }

  /** What is on the screen now, blanks at the ends of lines left out. */
  screen(): string {
    return this.tmux("capture-pane", "-p");
  }

  /** As tmux names them, such as `Tab` and `Down`. */
  press(...keys: readonly string[]): void {
    this.tmux("send-keys", ...keys);
  }

  type(text: string): void {
    this.tmux("send-keys", "-l", text);
  }

  resize(width: number, height: number): void {
    this.tmux("resize-window", "-x", String(width), "-y", String(height));
  }

  /** `1 0`: on the alternate screen, without a cursor. */
  modes(): string {
    return this.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}").trim();
  }

  /** The process that the shell has started, and waits for. */
  child(): number {
    const shell = this.tmux("display-message", "-p", "#{pane_pid}").trim();
    return Number(execFileSync("pgrep", ["-P", shell], { encoding: "utf8" }).trim());
  }

  /** Resolves with the screen once it is as it is wanted. */
  async until(what: string, isSo: (screen: string) => boolean): Promise<string> {
    const endMs = Date.now() + PATIENCE_MS;
    for (;;) {
      const screen = this.screen();
      if (isSo(screen)) return screen;
      if (Date.now() > endMs) throw new Error(`Waited in vain for ${what}:\n${screen}`);
      await sleep(50);
    }
  }

  shows(text: string): Promise<string> {
    return this.until(JSON.stringify(text), (screen) => screen.includes(text));
  }

  /** Ends the server of this one socket, and all that runs in it. */
  async close(): Promise<void> {
    this.tmux("kill-server");
    await removeFolder(this.folder);
  }

  private tmux(...args: readonly string[]): string {
    return execFileSync("tmux", ["-S", this.socket, ...args], {
      encoding: "utf8",
      env: { ...process.env, TERM: "xterm-256color", LANG: "C.UTF-8", NO_COLOR: "" },
    });
  }
}
