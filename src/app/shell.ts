/** Has the application kept in this browser (src/worker), so that it opens without a network. A browser that cannot do so does without. */
export function keepShell(): void {
  const { serviceWorker } = navigator as Partial<Navigator>
  // Once all is loaded: nothing that is waited for waits for this.
  const register = () => {
    serviceWorker?.register('/sw.js', { updateViaCache: 'none' }).catch((cause: unknown) => {
      console.warn('The application cannot be kept in this browser', cause)
    })
  }
  if (document.readyState === 'complete') register()
  else window.addEventListener('load', register, { once: true })
}
