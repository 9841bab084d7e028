import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { EtcdAddressError, parseEtcdAddress } from "./etcd-address.ts";

const folder = mkdtempSync(join(tmpdir(), "berth-etcd-address-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const pem = (name: string): string => {
  const file = join(folder, name);
  writeFileSync(file, `text of ${name}`);
  return file;
};

/** A certificate that signs itself, and its key. */
const makePair = (name: string): { readonly cert: string; readonly key: string } => {
  const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const said = ["-subj", `/CN=${name}`, "-days", "2", "-keyout", key, "-out", cert];
  execFileSync("openssl", ["req", "-x509", ...made, ...said], { stdio: "pipe" });
  return { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") };
};

describe("parseEtcdAddress()", () => {
  test.each([
    { text: "etcd://a", endpoints: ["a:2379"], prefix: "/berth/" },
    { text: "etcd://a:1,b.c:65535/", endpoints: ["a:1", "b.c:65535"], prefix: "/berth/" },
    { text: "etcd://[::1]:7/x", endpoints: ["[::1]:7"], prefix: "/x/" },
    { text: "etcd://127.0.0.1/x/y%20z/", endpoints: ["127.0.0.1:2379"], prefix: "/x/y z/" },
  ])("$text gives its hosts, with etcd's port, and its prefix", ({ text, ...expected }) => {
    expect(parseEtcdAddress(text)).toEqual(expected);
  });

  test("a user and a password may hold any character, written with percents", () => {
    expect(parseEtcdAddress("etcd://me%40home:a%3Ab%2Fc%25@h:1").user).toEqual({
      name: "me@home",
      password: "a:b/c%",
    });
  });

  test("files are read for TLS", () => {
    const text = `etcds://h/?ca=${pem("ca")}&cert=${pem("cert")}&key=${pem("key")}&server-name=etcd.test`;
    expect(parseEtcdAddress(text).tls).toEqual({
      ca: "text of ca",
      cert: "text of cert",
      key: "text of key",
      serverName: "etcd.test",
    });
    expect(parseEtcdAddress("etcds://h").tls).toEqual({});
    expect(parseEtcdAddress("etcd://h").tls).toBeUndefined();
  });

  test("[AU3] files for TLS are read again for each connection; a pair that does not fit changes nothing", () => {
    const [one, two] = [makePair("one"), makePair("two")];
    const [cert, key] = [pem("cert"), pem("key")];
    const put = (pair: typeof one): void => {
      writeFileSync(cert, pair.cert);
      writeFileSync(key, pair.key);
    };
    put(one);
    const { readTls } = parseEtcdAddress(`etcds://h/?cert=${cert}&key=${key}&server-name=s`);
    expect(readTls?.()).toEqual({ ...one, serverName: "s" });
    writeFileSync(cert, two.cert);
    expect(readTls?.()).toEqual({ ...one, serverName: "s" });
    rmSync(key);
    expect(readTls?.()).toEqual({ ...one, serverName: "s" });
    put(two);
    expect(readTls?.()).toEqual({ ...two, serverName: "s" });
  });

  test.each([
    { text: "http://h", says: "does not begin with etcd://" },
    { text: "etcd://", says: "host 1 is empty" },
    { text: "etcd://a,,b", says: "host 2 is empty" },
    { text: "etcd://a:0", says: "the port of host 1" },
    { text: "etcd://a:65536", says: "the port of host 1" },
    { text: "etcd://user:secret", says: "host 1 is not host:port" },
    { text: "etcd://:secret@h", says: "user's name before @ is empty" },
    { text: "etcd://user:@h", says: "password before @ is empty" },
    { text: "etcd://user@h", says: "must be user:password" },
    { text: "etcd://user:sec:ret@h", says: "write %3A" },
    { text: "etcd://user:sec@ret@h", says: "write %40" },
    { text: "etcd://user:secret/@h", says: "an @ stands after a / or ?" },
    { text: "etcd://user:secret?@h", says: "an @ stands after a / or ?" },
    { text: "etcd://user:secret#@h", says: "it has a #" },
    { text: "etcd://user:%secret@h", says: "the password has an invalid %" },
    { text: "etcd://h/?ca=x", says: "the option ca is for etcds://" },
    { text: "etcds://h/?tls=1", says: 'no option "tls"' },
    { text: "etcds://h/?ca=", says: "the option ca is empty" },
    { text: "etcds://h/?ca=a&ca=b", says: "more than once" },
    { text: "etcds://h/?cert=x", says: "a certificate needs its key" },
    { text: "etcds://h/?ca=/nowhere/ca.pem", says: "/nowhere/ca.pem of the option ca" },
  ])("$text is refused with what is wrong, and shows no password", ({ text, says }) => {
    const parse = (): unknown => parseEtcdAddress(text);
    expect(parse).toThrow(EtcdAddressError);
    expect(parse).toThrow(says);
    expect(parse).not.toThrow(/sec|ret/);
  });
});
