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

/** The caller of a proxy on this machine that doesn't say for whom it asks. One network, whoever it is. */
export const UNKNOWN_CALLER = 'unknown'

/**
 * Returns the caller's IP address. Trusts only the last entry of X-Forwarded-For, and only from a proxy on this machine, because
 * callers can forge the rest. A request through a proxy is never this machine's own.
 */
export function callerAddress(
  remote: string,
  forwardedFor: string | undefined,
  { origin, publicUrl }: { origin: string | undefined; publicUrl: string | undefined },
): string {
  if (!isLoopback(remote)) return remote
  const isAtProxy = publicUrl !== undefined && origin === publicUrl
  if (!isAtProxy) return forwardedFor === undefined ? remote : UNKNOWN_CALLER
  const forwarded = withoutPort(forwardedFor?.split(',').at(-1)?.trim() ?? '')
  return isIP(forwarded) > 0 ? forwarded : UNKNOWN_CALLER
}

const withoutPort = (address: string) =>
  address.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1').replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')

/** Says where the tracker doesn't answer, without naming where it does: the caller may be a website that uses DNS rebinding. */
export function unknownHost(host: string | undefined): string {
  const shown = (host ?? '').replaceAll(/[^\w.:[\]-]/g, '?').slice(0, MAX_HOST)
  return `This tracker doesn't answer at ${shown || 'a request without a Host header'}. Set PUBLIC_URL to the URL that you open, or HOST=0.0.0.0 for your own network. A proxy has to pass on the Host header with its port.`
}

const MAX_HOST = 100
