/** Seconds since any moment. */
export type Clock = () => number

export interface Throttle {
  /** The seconds that `key` has to wait before its next attempt; 0 for none. */
  wait(key: string): number
  fail(key: string): void
  succeed(key: string): void
}

interface Limits {
  /** How many failures cost no wait. */
  free: number
  longestWait: number
}

const FORGET_AFTER = 15 * 60
// Bounds the memory that an attacker with many addresses and emails can take.
const MAX_KEYS = 1000

/**
 * Counts failures by key. After the first few, each failure doubles the wait from one second up to `longestWait`. Failures
 * are forgotten after a success, or 15 minutes after the last one.
 */
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
    fail(key) {
      const count = (recent(key)?.count ?? 0) + 1
      // Deleted first, so the map is in the order of the last failures.
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

/** The same by the network that the caller is in, and by the account that it tries. */
export function createCallerThrottle(free: { byAddress: number; byAccount: number }, now?: Clock) {
  const byAddress = createThrottle({ free: free.byAddress, longestWait: 300 }, now)
  const byAccount = createThrottle({ free: free.byAccount, longestWait: 60 }, now)
  return {
    wait: ({ address, account }: Caller) =>
      Math.max(byAddress.wait(networkOf(address)), byAccount.wait(account)),
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

/** The /64 of an IPv6 address, all of which one caller may have; else the address. */
function networkOf(address: string): string {
  const ipv4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (ipv4 || !address.includes(':')) return ipv4 ?? address
  const [head = '', tail] = address.split('::')
  const first = head.split(':').filter(Boolean)
  const last = tail?.split(':') ?? []
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0')
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`
}
