import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { callerAddress, listenOn, networkNames, originOf, UNKNOWN_CALLER, unknownHost } from './network.ts'

const at = (host = '127.0.0.1', publicUrl?: string) => ({ port: 5173, host, publicUrl })
const PUBLIC = 'https://tracker.example.com'

const address = (address: string, more = {}) => ({
  address,
  family: address.includes(':') ? ('IPv6' as const) : ('IPv4' as const),
  internal: false,
  netmask: '',
  mac: '',
  cidr: null,
  scopeid: 0,
  ...more,
})
const INTERFACES = {
  lo: [address('127.0.0.1', { internal: true })],
  eth0: [address('192.168.1.5'), address('fd00::5'), address('fe80::1', { scopeid: 2 })],
} as ReturnType<typeof import('node:os').networkInterfaces>

test.each([
  ['127.0.0.1', ['127.0.0.1'], []],
  ['::1', ['127.0.0.1', '::1'], []],
  ['0.0.0.0', ['0.0.0.0'], ['192.168.1.5']],
  ['::', ['::'], ['192.168.1.5', '[fd00::5]']],
  ['192.168.1.5', ['127.0.0.1', '192.168.1.5'], ['192.168.1.5']],
  ['fd00::5', ['127.0.0.1', 'fd00::5'], ['[fd00::5]']],
])('HOST=%s listens on %j and is reached at %j', (host, listening, names) => {
  expect(listenOn({ host })).toEqual(listening)
  expect(networkNames({ host }, INTERFACES)).toEqual(names)
})

test.each([
  ['127.0.0.1:5173', 'http://127.0.0.1:5173'],
  ['localhost:5173', 'http://localhost:5173'],
  ['LOCALHOST', 'http://localhost'],
  ['[::1]:5173', 'http://[::1]:5173'],
  ['rebound.example.com', undefined],
  ['127.0.0.1.example.com', undefined],
  ['localhost:5173:80', undefined],
  ['192.168.1.5:5173', undefined],
  [hostname(), undefined],
  ['tracker.example.com', undefined],
  ['', undefined],
  [undefined, undefined],
])('on this machine only, the host %s means the origin %s', (host, origin) => {
  expect(originOf(host, at(), [])).toBe(origin)
})

test.each([
  ['192.168.1.5:5173', 'http://192.168.1.5:5173'],
  [`${hostname()}.local:5173`, `http://${hostname().toLowerCase()}.local:5173`],
  ['192.168.1.6:5173', undefined],
  ['rebound.example.com:5173', undefined],
])('on the network, the host %s means the origin %s', (host, origin) => {
  expect(originOf(host, at('0.0.0.0'), ['192.168.1.5'])).toBe(origin)
})

test.each([
  ['tracker.example.com', PUBLIC],
  ['Tracker.Example.com', PUBLIC],
  ['127.0.0.1:5173', 'http://127.0.0.1:5173'],
  ['tracker.example.com:81', undefined],
  ['other.example.com', undefined],
])('behind a proxy, the host %s means the origin %s', (host, origin) => {
  expect(originOf(host, at('127.0.0.1', PUBLIC), [])).toBe(origin)
})

test.each([
  ['from the proxy', '127.0.0.1', '203.0.113.9', PUBLIC, '203.0.113.9'],
  ['from the proxy over IPv6', '::ffff:127.0.0.1', '2001:db8::1', PUBLIC, '2001:db8::1'],
  ['with an invented first entry', '127.0.0.1', '10.0.0.1, 203.0.113.9', PUBLIC, '203.0.113.9'],
  ['with a port', '127.0.0.1', '203.0.113.7:51234', PUBLIC, '203.0.113.7'],
  ['with an IPv6 port', '127.0.0.1', '[2001:db8::1]:4711', PUBLIC, '2001:db8::1'],
  ['with brackets', '127.0.0.1', '[2001:db8::1]', PUBLIC, '2001:db8::1'],
  ['with nonsense', '127.0.0.1', 'unknown', PUBLIC, UNKNOWN_CALLER],
  ['without a value', '127.0.0.1', undefined, PUBLIC, UNKNOWN_CALLER],
  [
    'from a proxy that replaced the host',
    '127.0.0.1',
    '203.0.113.9',
    'http://127.0.0.1:5173',
    UNKNOWN_CALLER,
  ],
  ['past the proxy', '127.0.0.1', undefined, 'http://127.0.0.1:5173', '127.0.0.1'],
  ['from another device', '192.168.1.7', '203.0.113.9', PUBLIC, '192.168.1.7'],
])('X-Forwarded-For %s', (_, remote, forwarded, origin, expected) => {
  expect(callerAddress(remote, forwarded, { origin, publicUrl: PUBLIC })).toBe(expected)
})

test('without PUBLIC_URL, a request with X-Forwarded-For is not from this machine', () => {
  const own = { origin: 'http://127.0.0.1:5173', publicUrl: undefined }
  expect(callerAddress('127.0.0.1', '127.0.0.1', own)).toBe(UNKNOWN_CALLER)
  expect(callerAddress('127.0.0.1', undefined, own)).toBe('127.0.0.1')
})

test.each([
  [
    'tracker.example.com:81',
    "This tracker doesn't answer at tracker.example.com:81. Set PUBLIC_URL to the URL",
  ],
  [undefined, "This tracker doesn't answer at a request without a Host header."],
  ['<b>\n'.repeat(100), /^This tracker doesn't answer at [?b]{100}\. Set/],
])('tells a request for %j where it does not answer', (host, text) => {
  expect(unknownHost(host)).toMatch(text)
})
