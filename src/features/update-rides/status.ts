import { formatCount } from '../../lib/formats.ts'
import type { RideSync } from './api.ts'

/** The quiet line beside the button: how far an update is, else when the last one succeeded and what it brought. */
export function statusLine(running: Pick<RideSync, 'fetched'> | null, lastOk: RideSync | null): string {
  if (running) return running.fetched > 0 ? `Updating: ${rides(running.fetched)} so far` : 'Updating…'
  if (!lastOk?.finished_at) return 'Rides have not been updated yet'
  return `Last updated ${moment.format(new Date(lastOk.finished_at))}: ${outcome(lastOk)}`
}

// An instant with its offset, shown on the owner's clock.
const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

function outcome({ fetched, added, changed, removed }: RideSync): string {
  const counts = [
    added > 0 && `${formatCount(added)} new`,
    changed > 0 && `${formatCount(changed)} changed`,
    removed > 0 && `${formatCount(removed)} removed`,
  ].filter((count) => count !== false)
  return `${rides(fetched)}, ${counts.length > 0 ? counts.join(', ') : 'nothing new'}`
}

function rides(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'ride' : 'rides'}`
}
