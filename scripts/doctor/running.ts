import { isPortFree } from '../../embedded/port.ts'
import { type RunningStack, readRunning } from '../../embedded/running.ts'
import { ask } from './ask.ts'
import { type Finding, ok, problem } from './finding.ts'
import { FUNCTIONS } from './project.ts'

/** The tracker that runs on a data folder; undefined while none does, or while it starts or stops. */
export async function findTracker(dataFolder: string): Promise<RunningStack | undefined> {
  const running = await readRunning(dataFolder)
  return running && (await isTracker(running.url)) ? running : undefined
}

/** Whether `npm start` can listen where PORT says. */
export async function* checkPort(port: number, tracker: RunningStack | undefined): AsyncIterable<Finding> {
  const url = `http://127.0.0.1:${port}`
  if (tracker?.url === url) {
    yield ok(`${port} is the running tracker’s: ${url}`)
  } else if (!(await isPortFree(port))) {
    const who = (await isTracker(url)) ? 'a tracker with another data folder' : 'another program'
    yield problem(`${port} is taken by ${who}; stop it, or set PORT to another number.`)
  } else {
    yield ok(tracker ? `${port} is free, and the tracker runs at ${tracker.url}.` : `${port} is free.`)
  }
}

/** Whether the functions answer: to a question that nobody has to sign in for, and that they log nothing of. */
export async function* checkFunctions({ url }: RunningStack): AsyncIterable<Finding> {
  for (const name of FUNCTIONS) {
    const answer = await ask(`${url}/functions/v1/${name}`, { method: 'OPTIONS' })
    yield answer?.status === 204
      ? ok(`${name} answers.`)
      : problem(`${name} does not answer; stop the tracker, and start it again.`)
  }
}

/** Whether what answers at an address is a tracker: it tells its client that its backend is where it is itself. */
async function isTracker(url: string): Promise<boolean> {
  const answer = await ask(`${url}/config.json`)
  return (answer?.body as { supabaseUrl?: unknown } | null | undefined)?.supabaseUrl === url
}
