import { hasTrack } from './track.ts'
import type { Trip } from './types.ts'

/** The page of a trip: its name, day, distance and map. */
export function tripPage(trip: Trip): string {
  const name = escapeHtml(trip.name)
  const note = trip.description ? `<p>${escapeHtml(trip.description)}</p>` : ''
  const map = hasTrack(trip)
    ? `<img src="/trips/${trip.id}/thumb.png" alt="Map" width="360" height="360">`
    : ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="dark">
<title>${name}</title>
<style>
body { margin: 3rem auto; max-width: 40rem; padding: 0 1rem; background: #16191c; color: #e8eaed; font: 1rem/1.5 system-ui, sans-serif }
img { border-radius: .5rem; max-width: 100%; height: auto }
small { color: #9aa4ad }
</style>
</head>
<body>
<h1>${name}</h1>
<p>${dayOf(trip)} · ${(trip.distance / 1609).toFixed(1)} mi</p>
${note}
${map}
<p><small>A ride of the sample account. Nobody rode it.</small></p>
</body>
</html>
`
}

function dayOf({ departed_at, utc_offset }: Trip): string {
  // Standard time is near enough to tell the day here, and needs no zone name.
  const wall = new Date(Date.parse(departed_at) + utc_offset * 1000)
  return wall.toLocaleDateString('en-US', { dateStyle: 'full', timeZone: 'UTC' })
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string) =>
  text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
