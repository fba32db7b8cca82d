/**
 * The service worker: it keeps the built application, so that it opens without a network. Answers of the backend are none
 * of its business; what was last seen of them is kept elsewhere (src/lib/kept.ts), where Sign Out deletes it.
 */
// TypeScript takes every worker for a plain one.
const worker = self as unknown as ServiceWorkerGlobalScope

// Filled in by the build: see vite.config.ts. A new version of any of the files makes this another worker.
const { version, files, entry } = SHELL

const PAGE = '/'
const CONFIG = '/config.json'
const CACHE = `shell-${version}`
/** A network that does not answer by then is taken for none. */
const DEADLINE_MS = 3000

const known = new Set(files)

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
    if (pathname === PAGE) event.respondWith(newest(request, PAGE))
  } else if (pathname === CONFIG) event.respondWith(newest(request, CONFIG, { keep: true }))
  else if (known.has(pathname) || pathname.startsWith('/assets/')) event.respondWith(kept(request))
})

/** All files or none: a worker of which one is missing is never installed, and the one before goes on. */
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
  // While a deployment is on its way, the page may still be, or already be, that of another version.
  if (!page.ok || !(await page.clone().text()).includes(entry))
    throw new Error('The page is of another version')
  await cache.put(PAGE, page)
  const config = await fetch(CONFIG, { cache: 'no-store' })
  if (config.ok) await cache.put(CONFIG, config)
}

/** The version before stays: a tab that is still open may yet ask for a chunk of it. */
async function removeOldCaches() {
  const shells = (await caches.keys()).filter((name) => name.startsWith('shell-') && name !== CACHE)
  await Promise.all(shells.slice(0, -1).map((name) => caches.delete(name)))
}

/** From the network, so that a new version is never held up; as it was kept when that fails or is slow. */
async function newest(request: Request, path: string, { keep = false } = {}): Promise<Response> {
  const cache = await caches.open(CACHE)
  const fromNetwork = fetch(request).then(async (answer) => {
    if (answer.status >= 500) throw new Error(`${path} answered ${answer.status}`)
    if (keep && answer.ok) await cache.put(path, answer.clone())
    return answer
  })
  try {
    return await Promise.race([fromNetwork, deadline()])
  } catch {
    return (await cache.match(path)) ?? fromNetwork
  }
}

/** Files whose names change with what they hold, and icons, as they were kept with this version or the one before. */
async function kept(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  return (await cache.match(request)) ?? (await caches.match(request)) ?? fetch(request)
}

function deadline(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error('The network does not answer')), DEADLINE_MS)
  })
}
