import { formatCount } from '../../lib/formats.ts'
import type { RideSync } from './api.ts'

type Syncs = {
  running: Pick<RideSync, 'fetched'> | null
  lastEnded: RideSync | null
  lastOk: RideSync | null
}

/** The quiet lines next to the button: how far a sync is, or what the last one did and what waits for the owner. */
export function statusLines({ running, lastEnded, lastOk }: Syncs): string[] {
  if (running) return [running.fetched > 0 ? `Updating: ${rides(running.fetched)} so far` : 'Updating…']
  return [summaryOf(lastOk), refusalOf(lastEnded), waitingOf(lastOk)].filter((line) => line !== null)
}

function summaryOf(sync: RideSync | null): string {
  if (!sync?.finished_at) return 'Rides have not been updated yet'
  return `Last updated ${moment.format(new Date(sync.finished_at))}: ${outcome(sync)}`
}

// An instant with its offset, shown on the owner's clock.
const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

function outcome({ fetched, added, changed, removed, set_aside: skipped }: RideSync): string {
  const counts = [
    added > 0 && `${formatCount(added)} new`,
    changed > 0 && `${formatCount(changed)} changed`,
    removed > 0 && `${formatCount(removed)} removed`,
    skipped > 0 && `${formatCount(skipped)} skipped`,
  ].filter((count) => count !== false)
  return `${rides(fetched)}, ${counts.length > 0 ? counts.join(', ') : 'nothing new'}`
}

/** Other failures are only logged. This one lasts until the owner decides. */
function refusalOf(sync: RideSync | null): string | null {
  if (sync?.code !== 'rwgps_other_account') return null
  return (
    'Not updated: the RWGPS credentials belong to another account than these rides. ' +
    'Start with another TRACKER_DATA_DIR to keep both, or run “npm run switch-account” to replace these rides.'
  )
}

const DOUBTS: Record<string, string> = {
  empty_list: 'The list is empty, which may be a fault',
  many_missing: 'That is so many that it may be a fault',
  unreadable_count: 'Its ride count cannot be read',
  wrong_count: 'Its ride count does not match its rides',
  rows_without_id: 'Some of its rows have no readable id',
}

const NEVER_BELIEVED = new Set(['wrong_count', 'rows_without_id'])

function waitingOf(sync: RideSync | null): string | null {
  if (!sync?.doubt) return null
  const [are, they] = sync.waiting === 1 ? ['is', 'it stays'] : ['are', 'they stay']
  const until = NEVER_BELIEVED.has(sync.doubt)
    ? ''
    : ` until a sync at least 50 minutes later misses ${sync.waiting === 1 ? 'it' : 'them'} too`
  return `${rides(sync.waiting)} ${are} missing from the Ride with GPS list. ${DOUBTS[sync.doubt]}, so ${they}${until}.`
}

function rides(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'ride' : 'rides'}`
}

export type SkippedRow = {
  /** Null: the id itself cannot be read. */
  id: string | null
  text: string
}

const FIELDS: Record<string, string> = {
  distance: 'distance',
  moving_time: 'moving time',
  duration: 'duration',
  departed_at: 'start time',
  created_at: 'upload time',
}

/** The skipped rows that a sync recorded, one per line of its text. */
export function skippedRowsOf({ skipped_rows: lines }: Pick<RideSync, 'skipped_rows'>): SkippedRow[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [row = '', field = ''] = line.split(' ')
      const name = FIELDS[field] ?? 'id'
      if (row.startsWith('#'))
        return { id: null, text: `Row ${row.slice(1)} of the list: unreadable ${name}` }
      return { id: row, text: `unreadable ${name}` }
    })
}
