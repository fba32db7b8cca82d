import { Notice } from '../components/Notice.tsx'

/** Shown in place of the application when its backend cannot be reached, neither to learn where it is nor to renew a session. */
export function Unreachable() {
  return (
    <main className="page">
      <h1>RWGPS Maintenance Tracker</h1>
      <Notice action={{ label: 'Try again', run: () => window.location.reload() }}>
        The tracker cannot be reached. Check your connection and try again.
      </Notice>
    </main>
  )
}
