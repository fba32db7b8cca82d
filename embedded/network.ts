import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { isLoopback } from './port.ts'
import type { Settings } from './settings.ts'

export type NetworkSettings = Pick<Settings, 'port' | 'host' | 'publicUrl'>

/** Returns the addresses to listen on. Includes 127.0.0.1 for the functions and the schedule. */
export const listenOn = ({ host }: Pick<NetworkSettings, 'host'>) =>
  host === '127.0.0.1' || isWildcard(host) ? [host] : ['127.0.0.1', host]

const isWildcard = (host: string) => host === '0.0.0.0' || host === '::'

/** Returns the IP addresses at which other devices can reach the tracker, formatted for URLs. */
export function networkNames(
  { host }: Pick<NetworkSettings, 'host'>,
  interfaces?: ReturnType<typeof networkInterfaces>,
): string[] {
  if (isLoopback(host)) return []
  // Listing the interfaces is slower than a request's other checks, so it's skipped for loopback.
  const addresses = Object.values(interfaces ?? networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family, scopeid }) => !internal && !scopeid && (host === '::' || family === 'IPv4'))
    .map(({ address }) => address)
  return (isWildcard(host) ? addresses : [host]).map((address) =>
    isIP(address) === 6 ? `[${address}]` : address,
  )
}

const LOCAL_NAMES = ['127.0.0.1', 'localhost', '[::1]']

const nameIn = (host: string) => host.toLowerCase().replace(/:\d+$/, '')

/** Returns whether a request's Host header names this machine's loopback interface. */
export const isLocalName = (host = '') => LOCAL_NAMES.includes(nameIn(host))

/**
 * Returns the origin that a request was sent to; undefined if the host isn't one of the tracker's. Rejecting other hosts
 * prevents DNS rebinding, which would give another website the tracker's origin.
 */
export function originOf(
  host: string | undefined,
  network: NetworkSettings,
  names = networkNames(network),
): string | undefined {
  const given = host?.toLowerCase() ?? ''
  if (network.publicUrl !== undefined && given === new URL(network.publicUrl).host) return network.publicUrl
  const name = nameIn(given)
  const own = hostname().toLowerCase()
  const machine = isLoopback(network.host) ? [] : [own, `${own}.local`]
  return [...LOCAL_NAMES, ...names, ...machine].includes(name) ? `http://${given}` : undefined
}

/**
 * Returns the caller's IP address. Trusts only the last entry of X-Forwarded-For, and only from a proxy on this machine,
 * because callers can forge the rest.
 */
export function callerAddress(
  remote: string,
  forwardedFor: string | undefined,
  { origin, publicUrl }: { origin: string | undefined; publicUrl: string | undefined },
): string {
  if (publicUrl === undefined || origin !== publicUrl || !isLoopback(remote)) return remote
  const forwarded = forwardedFor?.split(',').at(-1)?.trim() ?? ''
  return isIP(forwarded) > 0 ? forwarded : remote
}
