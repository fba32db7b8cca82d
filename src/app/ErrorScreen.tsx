import { Notice } from '../components/Notice.tsx'

export function ErrorScreen({ children }: { children: string }) {
  return (
    <main className="page">
      <h1>RWGPS Maintenance Tracker</h1>
      <Notice action={{ label: 'Try again', run: () => window.location.reload() }}>{children}</Notice>
    </main>
  )
}
