export function registerServiceWorker(): void {
  const { serviceWorker } = navigator as Partial<Navigator>
  serviceWorker?.register('/sw.js', { updateViaCache: 'none' }).catch((cause: unknown) => {
    console.warn('Could not register the service worker', cause)
  })
}
