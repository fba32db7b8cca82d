import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { isLoopback } from './port.ts'
import type { Settings } from './settings.ts'

export type NetworkSettings = Pick<Settings, 'port' | 'host' | 'publicUrl'>

/** Returns the addresses to listen on. The functions and the schedule always use 127.0.0.1. */
export const listenOn = ({ host }: Pick<NetworkSettings, 'host'>) =>
  host === '127.0.0.1' || isWildcard(host) ? [host] : ['127.0.0.1', host]

const isWildcard = (host: string) => host === '0.0.0.0' || host === '::'

/** Returns the IP addresses at which other devices find the tracker, formatted for URLs. */
export function networkNames(
  { host }: Pick<NetworkSettings, 'host'>,
  interfaces?: ReturnType<typeof networkInterfaces>,
): string[] {
  if (isLoopback(host)) return []
  // Listing the interfaces takes longer than a request's other checks.
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

/** Returns whether a request's host is one of this machine's own names. */
export const isLocalName = (host = '') => LOCAL_NAMES.includes(nameIn(host))

/**
 * Returns the origin that a request was sent to; undefined for a host name that isn't the tracker's. DNS rebinding could make
 * such a name the same origin as another website.
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
 * Returns the caller's address: the last entry of X-Forwarded-For, if a proxy on this machine sent it. Callers can forge the
 * rest.
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
