import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { DENO } from '../../embedded/functions.ts'
import { type Finding, ok, problem } from './finding.ts'

// What README and package.json ask of the machine; npm brings the one that the scripts run with.
const OLDEST_FOR_NPM = [20, 19] as const

/** The Node.js of the machine, which npm tells of itself, and the one that npm brought. */
export function* checkNode(userAgent = process.env.npm_config_user_agent): Iterable<Finding> {
  const [, npms, major, minor] = /node\/v((\d+)\.(\d+)\.\d+)/.exec(userAgent ?? '') ?? []
  const isOld =
    Number(major) < OLDEST_FOR_NPM[0] ||
    (Number(major) === OLDEST_FOR_NPM[0] && Number(minor) < OLDEST_FOR_NPM[1])
  if (isOld) {
    yield problem(`${npms} runs npm; install Node.js ${OLDEST_FOR_NPM.join('.')} or newer.`)
  }
  yield ok(`${process.versions.node} runs the tracker${npms ? `, ${npms} runs npm` : ''}.`)
}

/** Whether what the tracker runs on is installed in the versions that were tested, and Deno runs. */
export async function* checkPackages(): AsyncIterable<Finding> {
  const { dependencies } = await readPackage('../../package.json')
  const wanted = Object.entries(dependencies ?? {})
  const versions = await Promise.all(
    wanted.map(([name]) => readPackage(`../../node_modules/${name}/package.json`).catch(() => undefined)),
  )
  const wrong = wanted.filter(([, version], index) => versions[index]?.version !== version)
  if (wrong.length > 0) {
    const names = wrong.map(([name]) => name).join(', ')
    yield problem(`Missing, or of another version than package-lock.json wants: ${names}; run npm ci.`)
    return
  }
  const deno = await promisify(execFile)(DENO, ['--version']).catch(() => undefined)
  const [, version] = /^deno (\S+)/.exec(deno?.stdout ?? '') ?? []
  yield version
    ? ok(`All ${wanted.length} are installed, and Deno ${version} runs.`)
    : problem('Deno, which runs the functions, does not start; run npm ci, without --omit=optional.')
}

interface Package {
  version?: string
  dependencies?: Record<string, string>
}

async function readPackage(file: string): Promise<Package> {
  return JSON.parse(await readFile(new URL(file, import.meta.url), 'utf8'))
}
