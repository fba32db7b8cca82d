import type { Trip } from './rider.ts'

/** The page of a trip: name, date, distance, description and map. */
export const tripPage = (trip: Trip): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="dark">
<title>${escapeHtml(trip.name)}</title>
<style>
body { margin: 3rem auto; max-width: 40rem; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }
</style>
<h1>${escapeHtml(trip.name)}</h1>
<p>${dateOf(trip)} · ${(trip.distance / 1609).toFixed(1)} mi</p>
<p>${escapeHtml(trip.description ?? '')}</p>
${trip.first_lat === null ? '' : `<img src="/trips/${trip.id}/thumb.png" alt="Map" width="360" height="360">`}
<p><small>A ride of the sample account. Nobody rode it.</small></p>
</html>
`

function dateOf({ departed_at, utc_offset }: Trip): string {
  // Standard time is close enough for the date and needs no time zone name.
  const local = new Date(Date.parse(departed_at) + utc_offset * 1000)
  return local.toLocaleDateString('en-US', { dateStyle: 'full', timeZone: 'UTC' })
}

/** For text content, not for attributes. */
const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
