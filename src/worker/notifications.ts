const GARAGE = '/#garage'
const MAX_TITLE = 100
const MAX_BODY = 800

/** Shows the due tasks that supabase/functions/_shared/channels/web-push.ts sends. A click opens the Garage. */
export function showNotifications(worker: ServiceWorkerGlobalScope): void {
  worker.addEventListener('push', (event) => {
    const { title, body } = readDigest(event.data)
    event.waitUntil(worker.registration.showNotification(title, { body, icon: '/icon-192.png' }))
  })
  worker.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(openGarage(worker))
  })
}

/** Browsers require a notification for every push message, so an unreadable message gets a generic title. */
function readDigest(data: PushMessageData | null): { title: string; body: string } {
  let digest: unknown
  try {
    digest = data?.json()
  } catch {
    digest = null
  }
  const { title, body } = (digest ?? {}) as Record<string, unknown>
  if (typeof title !== 'string' || typeof body !== 'string') return { title: 'Service is due', body: '' }
  return { title: title.slice(0, MAX_TITLE), body: body.slice(0, MAX_BODY) }
}

/** Opens the Garage in the last used window or a new one. Only the fragment changes, so no unsaved changes are lost. */
async function openGarage({ clients }: ServiceWorkerGlobalScope): Promise<void> {
  const [open] = await clients.matchAll({ type: 'window' })
  if (open) await Promise.all([open.focus(), open.navigate(GARAGE)])
  else await clients.openWindow(GARAGE)
}
