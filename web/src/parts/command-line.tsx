/** The command that does the same, to read and to copy. */
import { CopyButton } from "./copy-button.tsx";

export const CommandLine = ({ text }: { readonly text: string }) => (
  <div class="command">
    <code>{text}</code>
    <CopyButton text={text} label="Copy the command" />
  </div>
);
