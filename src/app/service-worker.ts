export function registerServiceWorker(): void {
  const { serviceWorker } = navigator as Partial<Navigator>
  // Wait for load, so the worker doesn't compete with the page's own requests.
  const register = () => {
    serviceWorker?.register('/sw.js', { updateViaCache: 'none' }).catch((cause: unknown) => {
      console.warn('Could not register the service worker', cause)
    })
  }
  if (document.readyState === 'complete') register()
  else window.addEventListener('load', register, { once: true })
}
