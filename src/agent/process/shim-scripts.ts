/**
 * The small shell scripts between the agent and a process. They are text and not files of the
 * package, so that the bundle stays one file; /bin/sh because it is there on every node and costs
 * half a megabyte. docs/adr/0004-the-leash.md says why they exist,
 * docs/adr/0016-logs-through-a-pipe.md how output is kept.
 */
import { join } from "node:path";
import { KEEP_LOG } from "../logs/keep-log-script.ts";
import { writeDurably } from "../../shell/write-durably.ts";

/** The exit code of a process that could not be brought to run at all, as shells use it. */
export const NOT_STARTED = 126;

/** The time to kill that leases reckon with is several of these (model/timing.ts). */
const GUARD_LOOK_MS = 1_000;

/** Joins the cgroups that stand before the "--", and leaves the command. */
const JOIN = `
while [ "$1" != -- ]; do
  echo 0 > "$1/cgroup.procs" || exit ${NOT_STARTED}
  shift
done
shift
`;

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
 * Parent of one process for as long as it lives; outlives the agent. Arguments: the process's
 * folder, the leash file or "-", the owner of its output or "-", three numbers about its logs
 * (log-sizes.ts), the launch script, and then what that script is to be given: the cgroups, "--",
 * the command.
 */
const shimScript = (
  lookMs: number,
): string => `# Written by the Berth agent. Runs one process, remembers how it ended, and ends it with its leash.
dir=$1 leash=$2 owner=$3 block=$4 blocks=$5 full=$6 launch=$7
shift 7
cgroup=$1
[ "$cgroup" != -- ] || cgroup=-
leader=
umask 077

# The agent never signals this script; another sender must not cost us the exit code. A handler, not an
# ignored signal: the process would inherit that.
trap : HUP INT TERM
${STARTED_AT}
# Whatever cannot be read counts as over: no process may rest on an unreadable leash.
leash_over() {
  [ "$leash" = - ] && return 1
  { read -r until rest < "$leash"; } 2> /dev/null || return 0
  read -r up rest < /proc/uptime || return 0
  [ "\${up%.*}\${up#*.}" -lt "$until" ] && return 1
  return 0
}

# The cgroup and those below it, one process after the other. The fake process 0 is skipped.
kill_members() {
  for procs in "$cgroup/cgroup.procs" "$cgroup"/*/cgroup.procs; do
    while read -r pid; do
      [ "$pid" = 0 ] || kill -KILL "$pid"
    done < "$procs"
  done 2> /dev/null
}

# Version 2 kills a whole cgroup in one step. Version 1 freezes it first, so that nothing can fork meanwhile; what
# stays frozen never ends, so it is thawed in any case.
kill_cgroup() {
  [ "$cgroup" = - ] && return
  if [ -e "$cgroup/cgroup.kill" ]; then
    { echo 1 > "$cgroup/cgroup.kill"; } 2> /dev/null
    return
  fi
  round=0
  while is_populated && [ "$round" -lt 3 ]; do
    if [ -e "$cgroup/freezer.state" ]; then
      { echo FROZEN > "$cgroup/freezer.state"; } 2> /dev/null
      looks=0
      while { read -r state < "$cgroup/freezer.state"; } 2> /dev/null &&
        [ "$state" != FROZEN ] && [ "$looks" -lt 100 ]; do
        looks=$((looks + 1))
      done
      kill_members
      { echo THAWED > "$cgroup/freezer.state"; } 2> /dev/null
    else
      kill_members
    fi
    round=$((round + 1))
  done
}

# Whether anything is in the cgroup or in those below it.
is_populated() {
  [ "$cgroup" = - ] && return 1
  for procs in "$cgroup/cgroup.procs" "$cgroup"/*/cgroup.procs; do
    { read -r pid < "$procs"; } 2> /dev/null && [ "$pid" != 0 ] && return 0
  done
  return 1
}

# The group, and with a cgroup also processes that left the group.
end_all() {
  { [ -n "$leader" ] || read -r leader rest < "$dir/running"; } 2> /dev/null
  [ -n "$leader" ] && kill -KILL "-$leader" 2> /dev/null
  kill_cgroup
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

# Whether the shim was killed: we have no other children. Reading it needs no process.
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
  is_anyone_left || is_populated && return 1
  return 0
}

${KEEP_LOG}
is_log_open() {
  for keeper in $keepers; do
    { read -r line < "/proc/$keeper/stat"; } 2> /dev/null || continue
    line=\${line##*) }
    [ "\${line%% *}" = Z ] || return 0
  done
  return 1
}

guard() {
  # A guard that cannot go on, because no process can be forked any more, ends what it guards.
  trap end_all EXIT
  trap 'exit 1' HUP INT TERM
  while :; do
    sleep ${lookMs / 1_000}
    if leash_over; then
      : > "$dir/leash-ended"
      end_all
    fi
    # A guard whose shim was killed ends by itself, after the last process that it guards.
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

# Named pipes: a process of another user may open /dev/stdout again, because they are its own.
mkfifo "$dir/stdout.pipe" "$dir/stderr.pipe" && { [ "$owner" = - ] || chown "$owner" "$dir/stdout.pipe" "$dir/stderr.pipe"; } || {
  [ -z "$guard_pid" ] || kill -KILL "$guard_pid"
  echo ${NOT_STARTED} > "$dir/exit"
  exit 0
}
keepers=
for stream in stdout stderr; do
  keep_log "$dir/$stream.log" < "$dir/$stream.pipe" &
  keepers="$keepers $!"
done

# In the foreground, because a shell makes its background processes deaf to SIGINT and SIGQUIT.
setsid /bin/sh "$launch" "$dir" "$@" < /dev/null > "$dir/stdout.pipe" 2> "$dir/stderr.pipe"
code=$?

[ -z "$guard_pid" ] || kill -KILL "$guard_pid"
# What the process left behind goes with it, and the end is told when it is gone and its last words are written. SIGKILL
# is a matter of milliseconds unless the kernel itself is stuck; then waiting longer would not help either. Only
# without a cgroup can anything go on that has the pipes open.
end_all
tries=0
while { is_anyone_left || is_populated || is_log_open; } && [ "$tries" -lt 40 ]; do
  if [ "$tries" -lt 20 ]; then sleep 0.01; else sleep 0.1; fi
  tries=$((tries + 1))
done
is_log_open && kill -KILL $keepers
rm -f "$dir/stdout.pipe" "$dir/stderr.pipe"
echo "$code" > "$dir/exit"
`;

/**
 * First in the process's own session: joins its cgroups, says who it is, and becomes the process.
 * Nothing of the replica has run before this line is there, so a missing line proves that nothing
 * runs. Linked like the claim: the guard of a shim that was killed may have taken its place.
 */
const LAUNCH = `# Written by the Berth agent. Becomes a process of a replica.
dir=$1
shift
${STARTED_AT}
${JOIN}
echo "$$ $(started_at $$)" > "$dir/running.launch" && ln "$dir/running.launch" "$dir/running" || exit ${NOT_STARTED}
exec "$@"
`;

/**
 * Becomes the command of a probe. It forks nothing: a replica that has used up its processes can
 * still be asked.
 */
const PROBE = `# Written by the Berth agent. Becomes the command of an exec probe.
${JOIN}
exec "$@"
`;

/**
 * Runs in the replica's own surroundings, as its own user: reads them, then becomes the command.
 * Files that the agent makes are for its own user alone; what a replica makes is as open as on any
 * machine.
 */
export const IN_ENVIRONMENT = 'umask 022; . "$0" && exec "$@"';

export interface ShimScripts {
  readonly shim: string;
  readonly launch: string;
  readonly probe: string;
}

/** Renamed into place: a shim of an earlier agent goes on reading the file it has open. */
export function installShimScripts(folder: string, lookMs = GUARD_LOOK_MS): ShimScripts {
  const at = (name: string): string => join(folder, name);
  const scripts = { shim: at("shim.sh"), launch: at("launch.sh"), probe: at("probe.sh") };
  writeDurably(scripts.shim, shimScript(lookMs));
  writeDurably(scripts.launch, LAUNCH);
  writeDurably(scripts.probe, PROBE);
  return scripts;
}
