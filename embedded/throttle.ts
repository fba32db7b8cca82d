/** Returns the time in seconds since an arbitrary start. */
export type Clock = () => number

const FORGET_AFTER = 15 * 60
// Limits the memory that an attacker with many addresses and emails can use.
const MAX_KEYS = 1000

/** Throttles by key: after `free` failures, each doubles the wait, up to `longestWait`. Success or 15 quiet minutes reset it. */
export function createThrottle(
  { free, longestWait }: { free: number; longestWait: number },
  now: Clock = () => performance.now() / 1000,
) {
  const failures = new Map<string, { count: number; last: number }>()

  function recent(key: string) {
    const failed = failures.get(key)
    return failed && now() - failed.last < FORGET_AFTER ? failed : undefined
  }

  return {
    /** Returns how many seconds `key` has to wait before its next attempt. */
    wait(key: string): number {
      const failed = recent(key)
      if (!failed || failed.count < free) return 0
      const wait = Math.min(2 ** (failed.count - free), longestWait)
      return Math.max(0, Math.ceil(failed.last + wait - now()))
    },
    fail(key: string): void {
      const count = (recent(key)?.count ?? 0) + 1
      // Delete first, so the map stays ordered by last failure.
      failures.delete(key)
      failures.set(key, { count, last: now() })
      if (failures.size > MAX_KEYS) failures.delete(failures.keys().next().value!)
    },
    succeed: (key: string) => void failures.delete(key),
  }
}

const STRANGERS_PER_MINUTE = 30
const MACHINE = 'machine'

/** The networks from which the owner signed in, and this machine. */
export const createTrustedNetworks = () => new Set([MACHINE])

/**
 * Throttles attempts by network. All networks that aren't trusted share a limit, whatever their addresses, so a trusted network
 * never waits for strangers.
 */
export function createCallerThrottle(
  trusted: ReadonlySet<string>,
  now: Clock = () => performance.now() / 1000,
) {
  const byNetwork = createThrottle({ free: 5, longestWait: 300 }, now)
  let ofStrangers: number[] = []

  function waitOfStrangers(): number {
    ofStrangers = ofStrangers.filter((time) => now() - time < 60)
    return ofStrangers.length < STRANGERS_PER_MINUTE ? 0 : Math.ceil(ofStrangers[0]! + 60 - now())
  }

  return {
    wait: (network: string) =>
      Math.max(byNetwork.wait(network), trusted.has(network) ? 0 : waitOfStrangers()),
    /** Counts an attempt as failed, until it succeeds. So simultaneous attempts count, too. */
    attempt(network: string) {
      byNetwork.fail(network)
      if (!trusted.has(network)) ofStrangers.push(now())
    },
    succeed: (network: string) => byNetwork.succeed(network),
  }
}

/** Returns the network that a caller can own: an IPv4 address, an IPv6 address's /64, or all of 127.0.0.0/8 but this machine. */
export function networkOf(address: string): string {
  const ipv4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (ipv4 === '127.0.0.1' || address === '::1') return MACHINE
  if (ipv4?.startsWith('127.')) return '127.0.0.0/8'
  if (ipv4 || !address.includes(':')) return ipv4 ?? address
  const [head = '', tail] = address.split('::')
  const first = head.split(':').filter(Boolean)
  const last = tail?.split(':') ?? []
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0')
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`
}
