/** A program that starts a local etcd in its folder, prints the process ids of its members, and waits to be killed. */
import { LocalEtcd } from "../../src/host/etcd/local-etcd.ts";

const [folder = "", members = "1"] = process.argv.slice(2);
const etcd = await new LocalEtcd({ folder, members: Number(members) }).start();
const pids = etcd.endpoints.map((_, at) => etcd.member(at).pid);
console.log(pids.join(" "));
