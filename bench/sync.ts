// Compares a sync through the real function and database with only fetching the same pages.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { findDeno } from '../embedded/functions.ts'
import { syncRides } from '../embedded/stack.ts'
import { openProject, type Project } from '../tests/sync/project.ts'
import { PLANTED, SIGN_IN } from '../tests/sync/ride-with-gps.ts'
import { type FunctionsProcess, startFunctionsProcess } from '../tests/sync/functions.ts'
import { fastest, report } from './measure.ts'
import { type RideServer, serveRides } from './ride-with-gps.ts'

const FEW_RIDES = 1000
const RIDES = 10_000
const HOSTED_RIDES = 20_000
const MANY_RIDES = 50_000
const RUNS = 5
const CPU_RUNS = 30
const LATENCY_MS = 250
// Also deletes the sync history, so the next sync counts as the first.
export const EMPTY = 'truncate public.rides, public.ride_changes, public.ride_syncs'

type Times = [number, number, number, number, number, number]

export async function sync(): Promise<void> {
  console.log(`\nSync of ${RIDES} rides`)
  const project = await openProject()
  try {
    await withRides(project, { rides: RIDES, latency: 0 }, (account) => onLoopback(project, account))
    await withRides(project, { rides: HOSTED_RIDES, latency: LATENCY_MS }, (account) =>
      withLatency(project, account),
    )
    await withRides(project, { rides: FEW_RIDES, latency: 0 }, (account) => cpuTime(project, account))
    await memory(project)
  } finally {
    await project.close()
  }
}

export interface Account {
  /** Syncs once; rejects if the sync fails. */
  run: () => Promise<void>
  check: () => Promise<string>
  /** Sends a sync's requests and only parses the responses. */
  fetchOnly: () => Promise<void>
  functions: FunctionsProcess
  server: RideServer
}

async function onLoopback(project: Project, { run, fetchOnly }: Account): Promise<void> {
  const empty = () => project.query(EMPTY)
  // Changes outside a sync aren't recorded.
  const edit = () => project.query('update public.rides set distance = coalesce(distance, 0) + 1')
  const setRecording = (set: 'enable' | 'disable') =>
    project.query(`alter table public.rides ${set} trigger user`)
  await run()
  const times = await fastest(RUNS, [
    { work: fetchOnly },
    { work: run, prepare: empty },
    { work: run },
    { work: run, prepare: edit },
    { work: run, prepare: () => edit().then(() => setRecording('disable')) },
    { work: run, prepare: () => empty() },
    { work: () => setRecording('enable') },
  ])
  const [fetched, first, again, changed, changedUnrecorded, firstUnrecorded] = times as Times
  report('fetching the pages', fetched, 'ms')
  report('first sync', first, 'ms')
  report('sync with nothing new', again, 'ms')
  report('  first sync, against not recording changes', first / firstUnrecorded, '×', 1.3)
  report('sync in which every ride changed', changed, 'ms')
  report('  against not recording changes', changed / changedUnrecorded, '×', 1.5)
}

/** Compares the function's CPU time with this process's for fetching and parsing the same pages. */
async function cpuTime(project: Project, { run, fetchOnly, functions }: Account): Promise<void> {
  const fetched: number[] = []
  const synced: number[] = []
  for (let batch = 0; batch < RUNS; batch++) {
    const [before, own] = [cpuSeconds(functions.denoPid), process.cpuUsage()]
    for (let count = 0; count < CPU_RUNS; count++) await fetchOnly()
    const { user, system } = process.cpuUsage(own)
    for (let count = 0; count < CPU_RUNS; count++) await project.query(EMPTY).then(run)
    fetched.push((user + system) / 1000 / CPU_RUNS)
    synced.push(((cpuSeconds(functions.denoPid) - before) / CPU_RUNS) * 1000)
  }
  const [base, time] = [Math.min(...fetched), Math.min(...synced)]
  report(`CPU time of the function, first sync of ${FEW_RIDES} rides`, time, 'ms')
  report('  against fetching and parsing', time / base, '×', 5)
}

// Hosted projects stop a sync after 70 seconds (SYNC_SECONDS).
async function withLatency(project: Project, { run, fetchOnly }: Account): Promise<void> {
  const empty = () => project.query(EMPTY)
  const times = await fastest(2, [{ work: run, prepare: empty }, { work: fetchOnly }, { work: run }])
  const [first, fetched, again] = times as [number, number, number]
  console.log(`${HOSTED_RIDES} rides, ${LATENCY_MS} ms before each response`)
  report('fetching the pages', fetched, 'ms')
  report('first sync', first, 'ms', 70_000)
  report('  against fetching', first / fetched, '×', 1.25)
  report('sync with nothing new', again, 'ms')
  report('  against fetching', again / fetched, '×', 1.25)
}

async function memory(project: Project): Promise<void> {
  const peaks: number[] = []
  for (const rides of [RIDES, MANY_RIDES]) {
    await project.query(EMPTY)
    await withRides(project, { rides, latency: 0 }, async ({ run, functions }) => {
      await run()
      // Change every ride, so the second sync records every change.
      await project.query('update public.rides set distance = coalesce(distance, 0) + 1')
      await run()
      peaks.push(peakMemory(functions.denoPid))
    })
  }
  const idle = await idleDenoMemory()
  const [smaller, larger] = [peaks[0]!, peaks[1]!]
  report('peak memory of an idle Deno', idle, 'MB')
  report(`peak memory of the function, ${RIDES} rides twice`, smaller, 'MB')
  report(`peak memory of the function, ${MANY_RIDES} rides twice`, larger, 'MB')
  report('  against fewer rides', larger / smaller, '×', 1.3)
  report('  above the idle Deno', larger - idle, 'MB', 128)
}

export async function withRides(
  project: Project,
  account: Parameters<typeof serveRides>[0],
  measure: (account: Account) => Promise<void>,
): Promise<void> {
  const server = await serveRides(account)
  const { publishableKey, secretKey, scheduleKey } = project.secrets
  const functions = await startFunctionsProcess({
    SUPABASE_URL: project.url,
    SUPABASE_PUBLISHABLE_KEY: publishableKey,
    SUPABASE_SECRET_KEY: secretKey,
    SCHEDULE_KEY: scheduleKey,
    RWGPS_BASE_URL: server.url,
    ...SIGN_IN,
  })
  try {
    await measure({
      run: async () => void (await syncOrCheck(functions.url, scheduleKey)),
      check: () => syncOrCheck(functions.url, scheduleKey, true),
      fetchOnly: () => fetchPages(server.url, account.rides),
      functions,
      server,
    })
  } finally {
    await functions.stop()
    await server.close()
  }
}

async function syncOrCheck(url: string, scheduleKey: string, check = false): Promise<string> {
  const response = await syncRides(url, scheduleKey, check)
  if (!response.ok) throw new Error(await response.text())
  return ((await response.json()) as { status: string }).status
}

async function fetchPages(url: string, rides: number): Promise<void> {
  const { apiKey, email, password, token } = PLANTED
  const get = async (path: string, query: Record<string, string>) => {
    const search = new URLSearchParams({ ...query, apikey: apiKey, version: '2' })
    return (await fetch(`${url}/${path}?${search}`)).json() as Promise<unknown>
  }
  const { user } = (await get('users/current.json', { email, password })) as { user: { id: number } }
  for (let offset = 0; offset < rides;) {
    const query = { auth_token: token, offset: `${offset}`, limit: '1000' }
    offset += ((await get(`users/${user.id}/trips.json`, query)) as { results: unknown[] }).results.length
  }
}

// Linux reports CPU time in hundredths of a second.
const TICKS_PER_SECOND = 100

function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** In MB. */
function peakMemory(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}

/** In MB. */
async function idleDenoMemory(): Promise<number> {
  const deno = spawn(findDeno(), ['eval', 'setInterval(() => {}, 1000)'])
  await sleep(1500)
  const peak = peakMemory(deno.pid!)
  deno.kill()
  return peak
}
