import { Notice } from '../components/Notice.tsx'

/** Shown in place of the application when it cannot begin, or cannot go on; `children` say why. */
export function Stopped({ children }: { children: string }) {
  return (
    <main className="page">
      <h1>RWGPS Maintenance Tracker</h1>
      <Notice action={{ label: 'Try again', run: () => window.location.reload() }}>{children}</Notice>
    </main>
  )
}
