/** Caches the built app, so it opens offline. Data is cached in src/lib/cache.ts instead, so Sign Out can delete it. */
import { showNotifications } from './notifications.ts'

// TypeScript types `self` as a plain worker.
const worker = self as unknown as ServiceWorkerGlobalScope

const { version, files, entry } = SHELL

const PAGE = '/'
const CONFIG = '/config.json'
const CACHE = `shell-${version}`
/** The time to wait for the network before using the cache. */
const TIMEOUT_MS = 3000

const shellFiles = new Set(files)

worker.addEventListener('install', (event) => {
  event.waitUntil(install().then(() => worker.skipWaiting()))
})

worker.addEventListener('activate', (event) => {
  event.waitUntil(removeOldCaches().then(() => worker.clients.claim()))
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== worker.location.origin) return
  if (request.mode === 'navigate') {
    if (pathname === PAGE) event.respondWith(networkFirst(request, PAGE))
  } else if (pathname === CONFIG) event.respondWith(networkFirst(request, CONFIG, { update: true }))
  else if (shellFiles.has(pathname) || pathname.startsWith('/assets/')) event.respondWith(cacheFirst(request))
})

showNotifications(worker)

/** Caches all files or none. If a file is missing, installation fails and the previous worker stays active. */
async function install() {
  try {
    await fill(await caches.open(CACHE))
  } catch (cause) {
    await caches.delete(CACHE)
    throw cause
  }
}

async function fill(cache: Cache) {
  await cache.addAll(files.map((file) => new Request(file, { cache: 'reload' })))
  const page = await fetch(PAGE, { cache: 'reload' })
  // During a deployment, the page may belong to another version.
  if (!page.ok || !(await page.clone().text()).includes(entry))
    throw new Error('The page belongs to another version')
  await cache.put(PAGE, page)
  const config = await fetch(CONFIG, { cache: 'no-store' })
  if (config.ok) await cache.put(CONFIG, config)
}

/** Removes all old caches but the newest, because an open tab may still need its chunks. */
async function removeOldCaches() {
  const shells = (await caches.keys()).filter((name) => name.startsWith('shell-') && name !== CACHE)
  await Promise.all(shells.slice(0, -1).map((name) => caches.delete(name)))
}

/** Responds from the network, so a new version appears immediately, or from the cache if the network fails or is slow. */
async function networkFirst(request: Request, path: string, { update = false } = {}): Promise<Response> {
  const cache = await caches.open(CACHE)
  const fromNetwork = fetch(request).then(async (response) => {
    if (response.status >= 500) throw new Error(`${path} responded with ${response.status}`)
    if (update && response.ok) await cache.put(path, response.clone())
    return response
  })
  try {
    return await Promise.race([fromNetwork, timeout()])
  } catch {
    return (await cache.match(path)) ?? fromNetwork
  }
}

/** Responds to requests for hashed files and icons from this version's cache or the previous one. */
async function cacheFirst(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  return (await cache.match(request)) ?? (await caches.match(request)) ?? fetch(request)
}

function timeout(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error('The network timed out')), TIMEOUT_MS)
  })
}
