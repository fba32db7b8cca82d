import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { StartError } from '../../embedded/settings.ts'

export interface Answers {
  apiKey: string
  email: string
  password: string
}

const NAMES = ['RWGPS_API_KEY', 'RWGPS_EMAIL', 'RWGPS_PASSWORD']
const LABELS = ['API key', 'email', 'password']
const QUESTIONS = ['API key', 'Email', 'Password']

/** Asks the owner on a terminal. Otherwise, reads the environment or, if a value is missing, three lines of standard input. */
export async function readAnswers(environment: Record<string, string | undefined>): Promise<Answers> {
  const given = NAMES.map((name) => environment[name] ?? '')
  const answers = process.stdin.isTTY
    ? await ask()
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

/** Asks for the values on a terminal, and hides the password. Rejects if the owner presses Ctrl-C or Ctrl-D. */
function ask(): Promise<string[]> {
  console.error('Get an API key at https://ridewithgps.com: account settings, "Developers".')
  console.error('Your email and password are sent to Ride with GPS once, and not stored.')
  const { promise, resolve, reject } = Promise.withResolvers<string[]>()
  // Standard output is reserved for the result of `--print`.
  const screen = process.stderr
  const answers: string[] = []
  let isHidden = false
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isHidden) screen.write(chunk)
      done()
    },
  })
  const terminal = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 })

  function askNext(): void {
    const question = QUESTIONS[answers.length]
    if (!question) return terminal.close()
    terminal.setPrompt(`${question}: `)
    terminal.prompt()
    isHidden = question === 'Password'
  }

  terminal.on('line', (answer) => {
    if (isHidden) screen.write('\n')
    isHidden = false
    answers.push(answer)
    // Several lines may be pasted, so ask before the next character is read.
    askNext()
  })
  terminal.on('close', () => {
    if (answers.length === QUESTIONS.length) return resolve(answers)
    screen.write('\n')
    reject(new StartError('Nothing was changed.'))
  })
  askNext()
  return promise
}
