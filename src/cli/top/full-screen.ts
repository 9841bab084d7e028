/**
 * The whole terminal as a screen of lines. Only lines that have changed are sent, in one write, so
 * that nothing flickers. It is drawn on the alternate screen: the terminal's content returns
 * afterwards, however that happens.
 */
import { terminalText } from "../text/terminal-text.ts";

export interface Output {
  write(text: string): void;
}

/** The alternate screen; no cursor; no wrapping of what is a letter too long. */
const ENTER = "\u001B[?1049h\u001B[?25l\u001B[?7l\u001B[2J";
const LEAVE = "\u001B[0m\u001B[?7h\u001B[?25h\u001B[?1049l";

export class FullScreen {
  private readonly output: Output;
  private drawn: readonly string[] = [];
  private isEntered = false;

  constructor(output: Output) {
    this.output = output;
  }

  enter(): void {
    this.isEntered = true;
    this.output.write(ENTER);
  }

  /** Does nothing the second time: several ways out may meet. */
  leave(): void {
    if (!this.isEntered) return;
    this.isEntered = false;
    this.output.write(LEAVE);
  }

  /** The terminal has another size, or somebody else has drawn on it: everything is sent again. */
  forget(): void {
    if (!this.isEntered) return;
    this.drawn = [];
    this.output.write("\u001B[0m\u001B[2J");
  }

  draw(lines: readonly string[]): void {
    if (!this.isEntered) return;
    let text = "";
    for (const [at, shown] of lines.entries()) {
      // The rest of the line is cleared after it, never before, so that no blank is ever seen.
      if (this.drawn[at] !== shown)
        text += `\u001B[${at + 1};1H${terminalText(shown, true)}\u001B[K`;
    }
    if (this.drawn.length > lines.length) text += `\u001B[${lines.length + 1};1H\u001B[J`;
    this.drawn = lines;
    if (text !== "") this.output.write(text);
  }
}
