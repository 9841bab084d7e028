/**
 * Lines of several replicas on one terminal, each behind the name of its replica. A line is written
 * as a whole: parts of it wait for its end, so that lines of two replicas never mix.
 */
import colors from "picocolors";
import { asWritten, styled } from "../text/terminal-text.ts";

type Style = (text: string) => string;

const { cyan, green, magenta, yellow, blue, red } = colors.createColors(true);
/** Told apart on dark and light ground; red comes last because it looks like an error. */
const STYLES: readonly Style[] = [cyan, green, magenta, yellow, blue, red];

export class PrefixedLines {
  private readonly write: (text: string) => void;
  private readonly hasColour: boolean;
  private readonly styles = new Map<string, Style>();

  constructor(write: (text: string) => void, { hasColour }: { readonly hasColour: boolean }) {
    this.write = write;
    this.hasColour = hasColour;
  }

  /** Where the text of one process goes; `end` writes what has no end of line. */
  open(name: string): { readonly add: (text: string) => void; readonly end: () => void } {
    let rest = "";
    const line = (text: string): void => this.write(`${this.prefix(name)} ${asWritten(text)}\n`);
    return {
      add: (text) => {
        const lines = (rest + text).split("\n");
        rest = lines.pop() ?? "";
        for (const each of lines) line(each);
      },
      end: () => {
        if (rest !== "") line(rest);
        rest = "";
      },
    };
  }

  private prefix(name: string): string {
    const text = `[${name}]`;
    return this.hasColour ? styled(this.styleOf(name), text) : text;
  }

  /** The same for a replica for as long as it is followed. */
  private styleOf(name: string): Style {
    const known = this.styles.get(name);
    if (known !== undefined) return known;
    const style = STYLES[this.styles.size % STYLES.length] as Style;
    this.styles.set(name, style);
    return style;
  }
}
