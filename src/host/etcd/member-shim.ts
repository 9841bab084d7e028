/**
 * The shell script between us and an etcd process, so that etcd ends with us however we end. Node cannot ask the
 * kernel to do that, but a pipe can: only we hold its writing end, and the kernel closes it when we are gone,
 * also after SIGKILL.
 */

/**
 * Descriptor 3 is the reading end of the pipe, standard output tells the process id of etcd in one line, and the
 * arguments are the command. The watcher is killed before the shim ends, so it never signals an id that is
 * somebody else's by then: until the shim has waited for etcd, the id cannot be given away.
 */
export const MEMBER_SHIM = `
"$@" < /dev/null >&2 3<&- &
etcd=$!
{ read -r _ <&3; kill -KILL "$etcd"; } 2> /dev/null > /dev/null &
watcher=$!
exec 3<&-
echo "$etcd"
exec > /dev/null
wait "$etcd"
code=$?
kill -KILL "$watcher"
wait "$watcher" 2> /dev/null
exit "$code"
`;
