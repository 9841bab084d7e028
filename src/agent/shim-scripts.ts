/**
 * The two small shell scripts between the agent and a process. They are text and not files of the package,
 * so that the bundle stays one file; /bin/sh because it is there on every node and costs half a megabyte.
 * docs/adr/0004-the-leash.md says why they exist and why they are cut like this.
 */
import { join } from "node:path";
import { writeDurably } from "./write-durably.ts";

/** The exit code of a process that could not be brought to run at all, as shells use it. */
export const NOT_STARTED = 126;

/** The time the kernel started a process: the twentieth word after the program's name. */
const STARTED_AT = `
started_at() {
  read -r line < "/proc/$1/stat" || return 1
  line=\${line##*) }
  set -- $line
  echo "\${20}"
}
`;

/**
 * Parent of one process for as long as it lives; outlives the agent.
 * Arguments: the process's folder, the leash file or "-", the cgroup or "-", the launch script, and then
 * the command.
 */
const SHIM = `# Written by the Berth agent. Runs one process, remembers how it ended, and ends it with its leash.
dir=$1 leash=$2 cgroup=$3 launch=$4
shift 4
leader=

# The agent never signals this script; whoever does must not cost us the exit code. A handler, not an
# ignored signal: the process would inherit that.
trap : HUP INT TERM
${STARTED_AT}
# Whatever cannot be read counts as over: no process may rest on a leash that nobody can see.
leash_over() {
  [ "$leash" = - ] && return 1
  { read -r until rest < "$leash"; } 2> /dev/null || return 0
  read -r up rest < /proc/uptime || return 0
  [ "\${up%.*}\${up#*.}" -lt "$until" ] && return 1
  return 0
}

# The group, and with a cgroup also whoever has left the group.
end_all() {
  { [ -n "$leader" ] || read -r leader rest < "$dir/running"; } 2> /dev/null
  [ -n "$leader" ] && kill -KILL "-$leader" 2> /dev/null
  [ "$cgroup" = - ] || { echo 1 > "$cgroup/cgroup.kill"; } 2> /dev/null
}

# Zombies do not count: they do nothing any more, and some machines never reap orphans.
is_anyone_left() {
  [ -n "$leader" ] && kill -0 "-$leader" 2> /dev/null || return 1
  for stat in /proc/[0-9]*/stat; do
    { read -r line < "$stat"; } 2> /dev/null || continue
    line=\${line##*) }
    set -- $line
    [ "$3" = "$leader" ] && [ "$1" != Z ] && return 0
  done
  return 1
}

# Whether the shim was killed: nobody else's child is ever ours. Reading it needs no process.
is_orphan() {
  read -r line < /proc/self/stat || return 1
  line=\${line##*) }
  set -- $line
  [ "$2" != "$$" ]
}

# Whether nothing is left to guard. A launch that has not said who it is may still become the process, so its place
# is taken first: either it was faster, and is looked at the next time, or it never begins.
is_all_over() {
  { [ -n "$leader" ] || read -r leader rest < "$dir/running"; } 2> /dev/null || {
    { echo > "$dir/running.guard" && ln "$dir/running.guard" "$dir/running"; } 2> /dev/null && return 0
    [ ! -d "$dir" ]
    return
  }
  is_anyone_left && return 1
  [ "$cgroup" = - ] && return 0
  while read -r what many; do
    [ "$what $many" = "populated 1" ] && return 1
  done 2> /dev/null < "$cgroup/cgroup.events"
  return 0
}

guard() {
  # A guard that cannot go on, because no process can be forked any more, ends what it guards.
  trap end_all EXIT
  trap 'exit 1' HUP INT TERM
  while :; do
    sleep 1
    if leash_over; then
      : > "$dir/leash-ended"
      end_all
    fi
    # Nobody ends a guard whose shim was killed but itself, and not while anything lives that it guards.
    if is_orphan && is_all_over; then
      trap - EXIT
      exit 0
    fi
  done
}

# Linking is all or nothing: either this shim has the claim, or an agent that gave up on us has.
echo "$$ $(started_at $$)" > "$dir/claim.shim" && ln "$dir/claim.shim" "$dir/claim" || exit 125

if leash_over; then
  : > "$dir/leash-ended"
  echo 137 > "$dir/exit"
  exit 0
fi

guard_pid=
if [ "$leash" != - ]; then
  guard &
  guard_pid=$!
fi

# In the foreground, because a shell makes its background processes deaf to SIGINT and SIGQUIT.
setsid /bin/sh "$launch" "$dir" "$cgroup" "$@" < /dev/null >> "$dir/stdout.log" 2>> "$dir/stderr.log"
code=$?

[ -z "$guard_pid" ] || kill -KILL "$guard_pid"
# What the process left behind goes with it, and the end is told when it is gone. SIGKILL is a matter of
# milliseconds unless the kernel itself is stuck; then waiting longer would not help either.
end_all
tries=0
while is_anyone_left && [ "$tries" -lt 20 ]; do
  sleep 0.1
  tries=$((tries + 1))
done
echo "$code" > "$dir/exit"
`;

/**
 * First in the process's own session: joins the cgroup, says who it is, and becomes the process. Nothing of
 * the replica has run before this line is there, so whoever finds it missing knows that nothing does. Linked like
 * the claim: the guard of a shim that was killed may have taken its place.
 */
const LAUNCH = `# Written by the Berth agent. Becomes a process of a replica.
dir=$1 cgroup=$2
shift 2
${STARTED_AT}
[ "$cgroup" = - ] || echo 0 > "$cgroup/cgroup.procs" || exit ${NOT_STARTED}
echo "$$ $(started_at $$)" > "$dir/running.launch" && ln "$dir/running.launch" "$dir/running" || exit ${NOT_STARTED}
exec "$@"
`;

/** Runs in the replica's own surroundings, as its own user: reads them, then becomes the command. */
export const IN_ENVIRONMENT = '. "$0" && exec "$@"';

export interface ShimScripts {
  readonly shim: string;
  readonly launch: string;
}

/** Renamed into place: a shim of an earlier agent goes on reading the file it has open. */
export function installShimScripts(folder: string): ShimScripts {
  const scripts = { shim: join(folder, "shim.sh"), launch: join(folder, "launch.sh") };
  writeDurably(scripts.shim, SHIM);
  writeDurably(scripts.launch, LAUNCH);
  return scripts;
}
