import type { Config } from '../../lib/config.ts'
import { agoOf, counted, formatCount, type Formats, listCounts } from '../../lib/formats.ts'
import type { SyncResult, Syncs } from './api.ts'

type Shown = Pick<Syncs, 'lastOk'> & { running: Progress | null; isFailing?: boolean }

type Progress = Pick<NonNullable<Syncs['running']>, 'fetched' | 'list_count'>

export type StatusLine = {
  /** The start of the line, which changes every minute. */
  when?: string
  text: string
}

/**
 * Returns the lines next to the button: the progress of a sync, or the result of the last sync and why its list is in doubt. If
 * syncs fail since, the result has its time, because "just now" would contradict the banner.
 */
export function statusLines(shown: Shown, formats: Formats, now = Date.now()): StatusLine[] {
  const { running, lastOk, isFailing = false } = shown
  if (running) return [{ text: progressOf(running) }]
  const mismatch = mismatchOf(lastOk)
  return [
    resultOf(lastOk, formats, isFailing ? null : now),
    ...(mismatch === null ? [] : [{ text: mismatch }]),
  ]
}

export function progressOf({ fetched, list_count: count }: Progress): string {
  if (fetched === 0) return 'Updating…'
  return count === null || count < fetched
    ? `Updating: ${counted(fetched, 'ride')} so far`
    : `Updating: ${formatCount(fetched)} of ${counted(count, 'ride')}`
}

type Place = Pick<Config, 'isHosted' | 'isPackage'>

const toRun = (command: string, { isPackage = false }: Place) =>
  isPackage ? `the tracker’s “${command}” command` : `“npm run ${command}”`

/** Says how to give the tracker other credentials. */
export const reconnectText = (config: Place): string =>
  config.isHosted === true
    ? 'Set its credentials again in the Supabase dashboard, under Edge Functions, Secrets.'
    : `Run ${toRun('connect', config)}.`

type Failure = Pick<Syncs, 'problem'> & {
  didNotStart: boolean
  config: Place
}

/** Returns what the owner must do before rides can be updated, or null. Other failures are only logged. */
export function problemOf({ problem, didNotStart, config }: Failure): string | null {
  const { isHosted = false } = config
  // Embedded functions always start when the tracker does.
  if (didNotStart && isHosted) return DID_NOT_START
  if (problem?.code === 'rwgps_other_account') {
    const todo = isHosted
      ? 'Set the credentials of that account again. To replace these rides, run “select public.switch_rwgps_account()” in the SQL editor of the Supabase dashboard.'
      : `Set a different TRACKER_DATA_DIR to keep both, or run ${toRun('switch-account', config)} to replace these rides.`
    return `Not updated: the RWGPS credentials belong to a different account than these rides. ${todo}`
  }
  if (problem?.code !== 'rwgps_unauthorized') return null
  return `Ride with GPS refused the sign-in. ${reconnectText(config)}`
}

const DID_NOT_START =
  'Not updated: the function “update-rides” did not start. It may not be deployed, or may lack a secret. Its log is in the Supabase dashboard, under Edge Functions.'

function resultOf(sync: SyncResult | null, formats: Formats, now: number | null): StatusLine {
  const reached = sync?.checked_at ?? sync?.finished_at
  if (!sync || !reached) return { text: 'Rides have not been updated yet' }
  const date = new Date(reached)
  const when = now === null ? `Last synced ${formats.dateTime(date)}` : `Synced ${agoOf(date, formats, now)}`
  return { when, text: `: ${countsOf(sync)}` }
}

function countsOf({ fetched, added, changed, removed, skipped }: SyncResult): string {
  const counts = listCounts({ new: added, changed, removed, skipped })
  return `${counted(fetched, 'ride')}, ${counts || 'nothing new'}`
}

const MISMATCHES: Record<string, string> = {
  empty_list: 'The list is empty, which may be an error',
  many_missing: 'That many missing rides may be an error',
  unreadable_count: 'The list has no readable ride count',
  wrong_count: 'The ride count of the list does not match its rides',
  rows_without_id: 'Some rows of the list have no readable ID',
}

/** Doubts that a second sync can't resolve. */
const PERMANENT = new Set(['wrong_count', 'rows_without_id'])

function mismatchOf(sync: SyncResult | null): string | null {
  if (!sync?.mismatch) return null
  if (sync.pending_removals === 0) return `${MISMATCHES[sync.mismatch]}, so some rides may be missing.`
  const isOne = sync.pending_removals === 1
  const until = PERMANENT.has(sync.mismatch)
    ? ''
    : ` until a sync at least 50 minutes later doesn’t find ${isOne ? 'it' : 'them'} either`
  return `${counted(sync.pending_removals, 'ride')} ${isOne ? 'is' : 'are'} missing from the Ride with GPS list. ${MISMATCHES[sync.mismatch]}, so ${isOne ? 'it is' : 'they are'} kept${until}.`
}

export type SkippedRow = {
  /** Null if the ID is unreadable. */
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

export function skippedRowsOf({ skipped_rows: lines }: Pick<SyncResult, 'skipped_rows'>): SkippedRow[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [row = '', field = ''] = line.split(' ')
      const name = FIELDS[field] ?? 'ID'
      if (row.startsWith('#'))
        return { id: null, text: `Row ${row.slice(1)} of the list: unreadable ${name}` }
      return { id: row, text: `unreadable ${name}` }
    })
}
