// `npm start` and, with --dev, `npm run dev`.
import { readSettings, StartError } from './settings.ts'
import { startStack, type Stack } from './stack.ts'

// No part of the stack reports home.
Object.assign(process.env, { LITE_TELEMETRY: '0', DO_NOT_TRACK: '1' })

// Ctrl-C reaches this process twice, from the terminal and from npm. Without a listener, the second signal would end Node.js
// before the database is closed.
const stopped = new Promise<void>((resolve) => {
  process.on('SIGINT', () => resolve())
  process.on('SIGTERM', () => resolve())
})
// A stop always ends: whatever hangs, PostgreSQL has saved what it acknowledged.
const limitStop = () => setTimeout(() => process.exit(1), 10_000).unref()
// Also if the tracker is still starting.
void stopped.then(limitStop)

// The PostgreSQL driver throws from a timer when a connection breaks while it writes (porsager/postgres#1208), and other
// requests may wait forever then. If PostgreSQL itself ended, that is the better message.
const DIED_FIRST_MS = 500
const failed = new Promise<never>((_, reject) => {
  process.on('uncaughtException', (error) => setTimeout(() => reject(error), DIED_FIRST_MS))
})

let code = 0
try {
  const stack = await startStack(readSettings(process.env, { dev: process.argv.includes('--dev') }))
  announce(stack)
  await Promise.race([stopped, stack.died, failed]).finally(() => {
    limitStop()
    return stack.stop()
  })
} catch (error) {
  console.error(error instanceof StartError ? error.message : error)
  code = 1
}
process.exit(code)

function announce({ url, owner, dataFolder }: Stack): void {
  console.log(`Ready: ${url}`)
  console.log(`E-mail: ${owner.email}`)
  if (owner.password !== undefined) console.log(`Password: ${owner.password}`)
  console.log(`Data: ${dataFolder}`)
}
