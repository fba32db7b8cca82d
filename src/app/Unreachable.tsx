import { Notice } from '../components/Notice.tsx'

/** Shown in place of the application when it cannot learn where its backend is. */
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
