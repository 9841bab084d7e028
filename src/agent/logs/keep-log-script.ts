/**
 * The part of a shim that takes a stream of its process out of a pipe and keeps the last of it: a
 * file that never grows beyond its size, the one before it, and beside each the times at which its
 * bytes were there (line-times.ts reads them). docs/adr/0016-logs-through-a-pipe.md says why it is
 * a script, docs/adr/0023-times-of-log-lines.md how it knows the times at a bounded cost.
 */
import { AGENT_LIMITS } from "../agent-limits.ts";

const PAUSE_S = AGENT_LIMITS.logPauseMs.value / 1_000;
const MOST_MARKS = AGENT_LIMITS.logMarks.value;

/**
 * Reads that may have a mark each, however fast they follow each other: a stack trace that is
 * written line by line. One comes back in each tenth of a second.
 */
const CREDIT = 50;
/** Reads of the first portion of a busy log; the next is twice that while they come as fast. */
const FIRST_PORTION = 16;

/**
 * Needs `dir`, and `block`, `blocks` and `full` (log-sizes.ts). `keep_log FILE` reads its standard
 * input.
 */
export const KEEP_LOG = `
# Nanoseconds of the node's clock; what it was before where the machine cannot tell.
look_at_clock() {
  read_clock=$(date +%s%N 2> /dev/null)
  case $read_clock in
    *[!0-9]*) read_clock= ;;
  esac
  # Some machines know only seconds.
  [ "\${#read_clock}" -eq 19 ] || read_clock=$(date +%s 2> /dev/null)000000000
  [ "\${#read_clock}" -ne 19 ] || now=$read_clock
}

# Notes that the first bytes of the log, so many, are there by now. The first line says which file it is about: files
# and their times are moved one after the other.
mark() {
  look_at_clock
  [ "$now" -gt 0 ] || return 0
  {
    [ -s "$times" ] || {
      set -- "$1" $(ls -i "$log")
      echo "file $2" > "$times"
    }
    echo "$1 $now" >> "$times"
  } 2> /dev/null
  marks=$((marks + 1))
}

# Beside a portion of many reads. A portion may last long: its last reads can be single lines, hours later. Where the
# portion's reader was killed, it ends with the process.
mark_portion() {
  pause=0.5
  while sleep "$pause" && [ -d "$dir" ] && [ ! -e "$dir/exit" ]; do
    there=$(wc -c < "$log") 2> /dev/null || continue
    if [ "$there" -gt "$size" ]; then
      size=$there pause=0.5
      mark "$size"
    else
      case $pause in
        0.5) pause=1 ;;
        *) pause=2 ;;
      esac
    fi
  done
}

# One read at a time has the exact time of its lines and costs two short-lived processes. A log that is written faster
# than that may cost is read in portions.
choose_count() {
  passed=$((now - last)) last=$now
  gained=$((passed / 100000000))
  [ "$gained" -ge 0 ] || gained=0
  credit=$((credit + gained))
  [ "$credit" -le ${CREDIT} ] || credit=${CREDIT}
  if [ "$count" -eq 1 ]; then
    credit=$((credit - 1))
    [ "$credit" -gt 0 ] || count=${FIRST_PORTION}
  elif [ "$passed" -lt $((count * 100000000)) ]; then
    count=$((count * 2))
  else
    count=1
  fi
  [ "$count" -le "$blocks" ] || count=$blocks
}

# Every block is written as it is read. It ends with the last process that has the pipe: then dd has read fewer blocks
# than it was asked for ("3+1 records in": whole ones and parts).
keep_log() {
  log=$1 times=$1.times size=0 marks=0 now=0 last=0 credit=${CREDIT} count=1
  : > "$times" 2> /dev/null
  while :; do
    marker=
    [ "$count" -eq 1 ] || {
      mark_portion &
      marker=$!
    }
    said=$(LC_ALL=C dd bs="$block" count="$count" 2>&1 >> "$log")
    failed=$?
    [ -z "$marker" ] || {
      kill -KILL "$marker"
      wait "$marker"
      marks=$(wc -l < "$times")
    } 2> /dev/null
    if [ "$failed" -eq 0 ]; then
      before=$size
      bytes=\${said##*records out?}
      bytes=\${bytes%% *}
      case $bytes in
        *[!0-9]* | "") size=$(wc -c < "$log") || size=$full ;;
        *) size=$((before + bytes)) ;;
      esac
      [ "$size" -eq "$before" ] || mark "$size"
      read_in=\${said%% *}
      case $read_in in
        *[!0-9+]* | "") ;;
        *) [ "$(($read_in))" -eq "$count" ] || return 0 ;;
      esac
      [ "$size" -ne "$before" ] || return 0
      choose_count
      [ "$size" -gt "$full" ] || [ "$marks" -ge ${MOST_MARKS} ] || continue
    else
      # As on a full disk. The process must not wait for it: a part of the log is lost instead.
      lost=$(dd bs="$block" count="$blocks" 2> /dev/null | wc -c)
      [ "$lost" -gt 0 ] || return 0
    fi
    mv -f "$log" "$log.1"
    mv -f "$times" "$log.1.times"
    size=0 marks=0
    sleep ${PAUSE_S}
  done
}
`;
