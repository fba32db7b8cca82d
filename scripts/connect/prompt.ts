import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { StartError } from '../../embedded/settings.ts'

export interface Question {
  label: string
  /** Whether to hide the answer while it is typed. */
  isSecret?: boolean
}

/** Asks questions on a terminal. Rejects if the owner presses Ctrl-C or Ctrl-D. */
export function ask(questions: readonly Question[]): Promise<string[]> {
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
    const question = questions[answers.length]
    if (!question) return terminal.close()
    terminal.setPrompt(`${question.label}: `)
    terminal.prompt()
    isHidden = question.isSecret ?? false
  }

  terminal.on('line', (answer) => {
    if (isHidden) screen.write('\n')
    isHidden = false
    answers.push(answer)
    // Several lines may be pasted, so ask before the next character is read.
    askNext()
  })
  terminal.on('close', () => {
    if (answers.length === questions.length) return resolve(answers)
    screen.write('\n')
    reject(new StartError('Nothing was changed.'))
  })
  askNext()
  return promise
}
