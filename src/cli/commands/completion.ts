/**
 * `berth completion`: a script that teaches a shell the commands, their options, the kinds and the
 * names of objects. The shell asks the plane for names at each completion; without a plane it
 * offers none.
 */
import { type Command, Argument } from "commander";
import { ALL_DEFINITIONS } from "../../core/kinds/kind-definitions.ts";
import type { Terminal } from "../main.ts";

/** Of this build: the plane may know more, and may not be there while one types. */
const KINDS = [...ALL_DEFINITIONS.map(({ plural }) => plural), "endpoints"];
const TAKE_KIND = ["get", "describe", "explain", "delete", "scale", "wait"];
/** What the shell asks the plane for: bare names, or names with their kind in front. */
const ASK = { names: "_berth_names", objects: "_berth_objects" } as const;
type Asked = readonly (readonly [how: keyof typeof ASK, kind: string])[];

const NODES: Asked = [["names", "nodes"]];
const PROCESSES: Asked = [
  ["names", "replicas"],
  ["objects", "workloads"],
];
/** Commands whose argument is the name of an object of one kind, which is not typed. */
const TAKE_NAME: Readonly<Record<string, Asked>> = {
  logs: PROCESSES,
  exec: PROCESSES,
  "port-forward": PROCESSES,
  restart: [["objects", "workloads"]],
  cordon: NODES,
  uncordon: NODES,
  drain: NODES,
  undrain: NODES,
  "confirm-gone": NODES,
};
/** Commands with commands of their own, which take the name of an object of one kind. */
const PARTS_TAKE: Readonly<Record<string, Asked>> = {
  rollout: [["objects", "workloads"]],
  policy: [["names", "policies"]],
  override: [["names", "overrides"]],
  node: NODES,
};

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

export function registerCompletion(program: Command, terminal: Terminal): void {
  program
    .command("completion")
    .description("print a completion script: source <(berth completion bash)")
    .addArgument(new Argument("<shell>", "your shell").choices(SHELLS))
    .action((shell: Shell) => terminal.out(SCRIPTS[shell](wordsOf(program))));
}

interface Words {
  readonly name: string;
  readonly description: string;
  readonly options: readonly string[];
  /** What comes after its name, for a command that has commands of its own. */
  readonly parts: readonly string[];
}

const wordsOf = (program: Command): readonly Words[] =>
  program.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    options: [...new Set([command, ...command.commands].flatMap(flagsOf))],
    parts: command.commands.map((part) => part.name()),
  }));

const flagsOf = ({ options }: Command): readonly string[] =>
  options.flatMap(({ long, short }) =>
    [long, short].filter((flag) => flag !== undefined && flag !== null),
  );

const withParts = (words: readonly Words[]): readonly Words[] =>
  words.filter(({ parts }) => parts.length > 0);

/** Each command with the calls that ask for what it takes. */
const branches = (
  of: Readonly<Record<string, Asked>>,
  separator = "; ",
): readonly (readonly [name: string, calls: string])[] =>
  Object.entries(of).map(([name, asked]) => [
    name,
    asked.map(([how, kind]) => `${ASK[how]} ${kind}`).join(separator),
  ]);

const SCRIPTS: Readonly<Record<Shell, (words: readonly Words[]) => string>> = {
  bash: (words) => `# bash completion for berth
_berth_objects() { berth get "$1" -o name 2>/dev/null </dev/null; }
_berth_names() { _berth_objects "$1" | sed "s|^[^/]*/||"; }
_berth() {
  local word=\${COMP_WORDS[COMP_CWORD]} command=\${COMP_WORDS[1]} choices=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    choices="${words.map(({ name }) => name).join(" ")}"
  elif [[ $word == -* ]]; then
    case $command in
${words.map(({ name, options }) => `      ${name}) choices="${options.join(" ")}" ;;`).join("\n")}
    esac
  elif [ "$COMP_CWORD" -eq 2 ]; then
    case $command in
      ${TAKE_KIND.join("|")}) choices="${KINDS.join(" ")}" ;;
${withParts(words)
  .map(({ name, parts }) => `      ${name}) choices="${parts.join(" ")}" ;;`)
  .join("\n")}
${branches(TAKE_NAME)
  .map(([name, calls]) => `      ${name}) choices=$(${calls}) ;;`)
  .join("\n")}
    esac
  elif [ "$COMP_CWORD" -ge 3 ]; then
    case $command in
      ${TAKE_KIND.join("|")}) choices=$(_berth_names "\${COMP_WORDS[2]}") ;;
${branches(PARTS_TAKE)
  .map(([name, calls]) => `      ${name}) choices=$(${calls}) ;;`)
  .join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$choices" -- "$word"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$word"))
}
complete -F _berth berth
`,
  zsh: (words) => `#compdef berth
# zsh completion for berth
_berth_objects() { compadd -- \${(f)"$(berth get $1 -o name 2>/dev/null </dev/null)"} }
_berth_names() { compadd -- \${(f)"$(berth get $1 -o name 2>/dev/null </dev/null | sed 's|^[^/]*/||')"} }
_berth() {
  if (( CURRENT == 2 )); then
    local -a commands=(
${words.map(({ name, description }) => `      ${quoted(`${name}:${description.replaceAll(":", "\\:")}`)}`).join("\n")}
    )
    _describe command commands
    return
  fi
  if [[ $words[CURRENT] == -* ]]; then
    case $words[2] in
${words.map(({ name, options }) => `      ${name}) compadd -- ${options.join(" ")} ;;`).join("\n")}
    esac
  elif (( CURRENT == 3 )) && [[ $words[2] == (${TAKE_KIND.join("|")}) ]]; then
    compadd -- ${KINDS.join(" ")}
${withParts(words)
  .map(
    ({ name, parts }) =>
      `  elif (( CURRENT == 3 )) && [[ $words[2] == ${name} ]]; then\n    compadd -- ${parts.join(" ")}`,
  )
  .join("\n")}
${branches(TAKE_NAME)
  .map(([name, calls]) => `  elif [[ $words[2] == ${name} ]]; then\n    ${calls}`)
  .join("\n")}
  elif [[ $words[2] == (${TAKE_KIND.join("|")}) ]]; then
    _berth_names $words[3]
${branches(PARTS_TAKE)
  .map(([name, calls]) => `  elif [[ $words[2] == ${name} ]]; then\n    ${calls}`)
  .join("\n")}
  else
    _files
  fi
}
compdef _berth berth
`,
  fish: (words) =>
    [
      "# fish completion for berth",
      "function _berth_objects; berth get $argv[1] -o name 2>/dev/null </dev/null; end",
      "function _berth_names; _berth_objects $argv[1] | string replace -r '^[^/]*/' ''; end",
      "function __berth_word; set -l words (commandline -opc); echo $words[$argv[1]]; end",
      "function __berth_has; test (count (commandline -opc)) -ge $argv[1]; end",
      ...words.map(
        ({ name, description }) =>
          `complete -c berth -n __fish_use_subcommand -f -a ${name} -d ${quoted(description)}`,
      ),
      ...words.flatMap(({ name, options }) =>
        options.map((flag) => {
          const isLong = flag.startsWith("--");
          const what = isLong ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`;
          return `complete -c berth -n "__fish_seen_subcommand_from ${name}" ${what}`;
        }),
      ),
      ...withParts(words).map(
        ({ name, parts }) =>
          `complete -c berth -n "__fish_seen_subcommand_from ${name}" -f -a "${parts.join(" ")}"`,
      ),
      `complete -c berth -n "__fish_seen_subcommand_from ${TAKE_KIND.join(" ")}; and not __berth_has 3" -f -a "${KINDS.join(" ")}"`,
      `complete -c berth -n "__fish_seen_subcommand_from ${TAKE_KIND.join(" ")}; and __berth_has 3" -f -a "(_berth_names (__berth_word 3))"`,
      ...branches(TAKE_NAME).map(
        ([name, calls]) =>
          `complete -c berth -n "__fish_seen_subcommand_from ${name}" -f -a "(${calls})"`,
      ),
      ...branches(PARTS_TAKE).map(
        ([name, calls]) =>
          `complete -c berth -n "__fish_seen_subcommand_from ${name}; and __berth_has 3" -f -a "(${calls})"`,
      ),
      "",
    ].join("\n"),
};

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
