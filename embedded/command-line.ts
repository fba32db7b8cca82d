import path from 'node:path'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { commandLine, isPackage } from './installation.ts'
import { StartError } from './settings.ts'

// With NODE_USE_ENV_PROXY, requests to this machine must not go through the proxy either.
process.env.no_proxy = [process.env.no_proxy ?? process.env.NO_PROXY ?? [], '127.0.0.1', 'localhost']
  .flat()
  .join()

type Options = NonNullable<ParseArgsConfig['options']>

interface Command<Own extends Options> {
  name: string
  about: string
  /** Arguments and options, such as `file [--replace]`. */
  usage?: string
  options?: Own
  maxArguments?: number
}

/** Parses a command's options and arguments. For --help or invalid input, prints the usage or an error and exits. */
export function readCommandLine<const Own extends Options = {}>({
  name,
  about,
  usage = '',
  options,
  maxArguments = 0,
}: Command<Own>) {
  const command = commandLine(name)
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { ...(options as Own), help: { type: 'boolean', short: 'h' } },
    })
    if ((values as { help?: boolean }).help) {
      console.log(`Usage: ${command} ${usage}`.trimEnd() + `\n\n${about}`)
      process.exit(0)
    }
    if (positionals.length > maxArguments)
      throw new Error(`Unexpected argument '${positionals[maxArguments]}'`)
    return { values, args: positionals }
  } catch (error) {
    // npm only passes on options after `--`.
    const help = `${command} ${isPackage ? '' : '-- '}--help`
    console.error(`${(error as Error).message.replace(/\. .*$/s, '')}. For help, run ${help}.`)
    return process.exit(1)
  }
}

/** Runs a command without telemetry, prints its error if it fails, and exits. */
export async function runCommand(command: () => Promise<void>): Promise<never> {
  Object.assign(process.env, { LITE_TELEMETRY: '0', DO_NOT_TRACK: '1' })
  let code = 0
  try {
    await Promise.race([command(), thrownByDriver()])
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error)
    code = 1
  }
  process.exit(code)
}

/** Rejects if a connection breaks during a write: the PostgreSQL driver then throws from a timer (porsager/postgres#1208). */
function thrownByDriver(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  // The start has a listener of its own.
  if (process.listenerCount('uncaughtException') === 0) {
    process.on('uncaughtException', ({ message }) =>
      reject(new StartError(`The connection to PostgreSQL broke (${message}). Try again.`)),
    )
  }
  return promise
}

/** Resolves a path relative to the folder in which npm was called, since npm runs scripts in the project folder. */
export function resolvePath(file: string): string {
  return path.resolve(process.env.INIT_CWD ?? '.', file)
}
