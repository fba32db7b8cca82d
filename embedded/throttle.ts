/** Returns the time in seconds since an arbitrary start. */
export type Clock = () => number

export interface Throttle {
  /** Returns how many seconds `key` has to wait before its next attempt. */
  wait(key: string): number
  hasFailed(key: string): boolean
  fail(key: string): void
  succeed(key: string): void
}

interface Limits {
  free: number
  longestWait: number
}

const FORGET_AFTER = 15 * 60
// Limits the memory that an attacker with many addresses and emails can use.
const MAX_KEYS = 1000

/** Throttles by key: after `free` failures, each doubles the wait, up to `longestWait`. Success or 15 quiet minutes reset it. */
export function createThrottle(
  { free, longestWait }: Limits,
  now: Clock = () => performance.now() / 1000,
): Throttle {
  const failures = new Map<string, { count: number; last: number }>()

  function recent(key: string) {
    const failed = failures.get(key)
    return failed && now() - failed.last < FORGET_AFTER ? failed : undefined
  }

  return {
    wait(key) {
      const failed = recent(key)
      if (!failed || failed.count < free) return 0
      const wait = Math.min(2 ** (failed.count - free), longestWait)
      return Math.max(0, Math.ceil(failed.last + wait - now()))
    },
    hasFailed: (key) => recent(key) !== undefined,
    fail(key) {
      const count = (recent(key)?.count ?? 0) + 1
      // Delete first, so the map stays ordered by last failure.
      failures.delete(key)
      failures.set(key, { count, last: now() })
      if (failures.size > MAX_KEYS) failures.delete(failures.keys().next().value!)
    },
    succeed: (key) => void failures.delete(key),
  }
}

interface Caller {
  address: string
  account: string
}

/** Throttles by network and account. An account's wait only applies to networks with failures, so nobody can lock others out. */
export function createCallerThrottle(free: { byAddress: number; byAccount: number }, now?: Clock) {
  const byAddress = createThrottle({ free: free.byAddress, longestWait: 300 }, now)
  const byAccount = createThrottle({ free: free.byAccount, longestWait: 1 }, now)
  return {
    wait({ address, account }: Caller) {
      const network = networkOf(address)
      return byAddress.hasFailed(network) ? Math.max(byAddress.wait(network), byAccount.wait(account)) : 0
    },
    fail({ address, account }: Caller) {
      byAddress.fail(networkOf(address))
      byAccount.fail(account)
    },
    succeed({ address, account }: Caller) {
      byAddress.succeed(networkOf(address))
      byAccount.succeed(account)
    },
  }
}

/** Returns an IPv4 address, or an IPv6 address's /64 network, since one caller may own all of it. */
function networkOf(address: string): string {
  const ipv4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (ipv4 || !address.includes(':')) return ipv4 ?? address
  const [head = '', tail] = address.split('::')
  const first = head.split(':').filter(Boolean)
  const last = tail?.split(':') ?? []
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0')
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`
}
