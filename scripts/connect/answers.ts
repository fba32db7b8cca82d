import { text } from 'node:stream/consumers'
import { StartError } from '../../embedded/settings.ts'
import { ask } from './prompt.ts'

export interface Answers {
  apiKey: string
  email: string
  password: string
}

const NAMES = ['RWGPS_API_KEY', 'RWGPS_EMAIL', 'RWGPS_PASSWORD']
const LABELS = ['API key', 'email', 'password']

/** Asks the owner on a terminal. Otherwise, reads the environment or, if a value is missing, three lines of standard input. */
export async function readAnswers(environment: Record<string, string | undefined>): Promise<Answers> {
  const given = NAMES.map((name) => environment[name] ?? '')
  const answers = process.stdin.isTTY
    ? await askOwner()
    : given.every((value) => value !== '')
      ? given
      : (await text(process.stdin)).split('\n').map((line) => line.replace(/\r$/, ''))
  // Spaces around a password may be part of it.
  const [apiKey = '', email = '', password = ''] = answers
  const complete = [apiKey.trim(), email.trim(), password] as const
  const missing = LABELS.filter((_, index) => complete.at(index) === '')
  if (missing.length > 0) {
    const how = process.stdin.isTTY
      ? ''
      : ` Without a terminal, set ${NAMES.join(', ')}, or pass the three values as lines on standard input.`
    throw new StartError(`Enter the ${missing.join(' and the ')}.${how} Nothing was changed.`)
  }
  return { apiKey: complete[0], email: complete[1], password: complete[2] }
}

function askOwner(): Promise<string[]> {
  console.error('Get an API key at https://ridewithgps.com: account settings, "Developers".')
  console.error('Your email and password are sent to Ride with GPS once, and not stored.')
  return ask([{ label: 'API key' }, { label: 'Email' }, { label: 'Password', isSecret: true }])
}
