/**
 * Numbers of system calls by the machine's architecture, as the kernel's tables have them, and
 * those that no replica may make.
 */

export interface Machine {
  /** As the kernel's audit names it. */
  readonly architecture: number;
  readonly calls: Readonly<Record<string, number>>;
}

/** They have one number everywhere. */
const EVERYWHERE = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  clone3: 435,
  pidfd_getfd: 438,
  process_madvise: 440,
  mount_setattr: 442,
  quotactl_fd: 443,
} as const;

const X64 = {
  ...EVERYWHERE,
  ioctl: 16,
  socket: 41,
  clone: 56,
  ptrace: 101,
  syslog: 103,
  uselib: 134,
  vhangup: 153,
  pivot_root: 155,
  adjtimex: 159,
  chroot: 161,
  acct: 163,
  settimeofday: 164,
  mount: 165,
  umount2: 166,
  swapon: 167,
  swapoff: 168,
  reboot: 169,
  sethostname: 170,
  setdomainname: 171,
  iopl: 172,
  ioperm: 173,
  create_module: 174,
  init_module: 175,
  delete_module: 176,
  query_module: 178,
  quotactl: 179,
  nfsservctl: 180,
  lookup_dcookie: 212,
  clock_settime: 227,
  kexec_load: 246,
  add_key: 248,
  request_key: 249,
  keyctl: 250,
  unshare: 272,
  perf_event_open: 298,
  fanotify_init: 300,
  name_to_handle_at: 303,
  open_by_handle_at: 304,
  clock_adjtime: 305,
  setns: 308,
  process_vm_readv: 310,
  process_vm_writev: 311,
  kcmp: 312,
  finit_module: 313,
  kexec_file_load: 320,
  bpf: 321,
  userfaultfd: 323,
} as const;

type Name = keyof typeof X64;

const ARM64: Partial<Record<Name, number>> = {
  ...EVERYWHERE,
  lookup_dcookie: 18,
  ioctl: 29,
  umount2: 39,
  mount: 40,
  pivot_root: 41,
  nfsservctl: 42,
  chroot: 51,
  vhangup: 58,
  quotactl: 60,
  acct: 89,
  unshare: 97,
  kexec_load: 104,
  init_module: 105,
  delete_module: 106,
  clock_settime: 112,
  syslog: 116,
  ptrace: 117,
  reboot: 142,
  sethostname: 161,
  setdomainname: 162,
  settimeofday: 170,
  adjtimex: 171,
  socket: 198,
  add_key: 217,
  request_key: 218,
  keyctl: 219,
  clone: 220,
  swapon: 224,
  swapoff: 225,
  perf_event_open: 241,
  fanotify_init: 262,
  name_to_handle_at: 264,
  open_by_handle_at: 265,
  clock_adjtime: 266,
  setns: 268,
  process_vm_readv: 270,
  process_vm_writev: 271,
  kcmp: 272,
  finit_module: 273,
  bpf: 280,
  userfaultfd: 282,
  kexec_file_load: 294,
};

export const NUMBERS: Readonly<Record<string, Machine>> = {
  x64: { architecture: 0xc000_003e, calls: X64 },
  arm64: { architecture: 0xc000_00b7, calls: ARM64 },
};

/** Looked at more closely by the filter itself, or answered in another way. */
const LOOKED_AT: readonly string[] = ["clone", "clone3", "socket", "ioctl"];

export const DENIED: readonly string[] = Object.keys(X64).filter(
  (name) => !LOOKED_AT.includes(name),
);
