// `npm run bench -- --against <folder> [name …]` compares with another checkout. Both run in turn, so other work on the machine
// slows down both alike.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import path from 'node:path'
import { middle, padded, parseReports, type Reported } from './measure.ts'

const ROUNDS = 5

type Round = Map<string, Reported>

/** Runs benchmarks five times in this and in another checkout, and prints the medians and the median of the rounds' ratios. */
export async function compareWith(folder: string, names: string[]): Promise<void> {
  const here: Round[] = []
  const there: Round[] = []
  for (let round = 0; round < ROUNDS; round++) {
    console.log(`Round ${round + 1} of ${ROUNDS} …`)
    const turns = [() => run(folder, names).then((found) => there.push(found))]
    // The order changes, so neither always runs first.
    turns.splice(round % 2, 0, () => run('.', names).then((found) => here.push(found)))
    for (const turn of turns) await turn()
  }
  print(here, there)
}

async function run(folder: string, names: string[]): Promise<Round> {
  const child = spawn(process.execPath, ['bench/run.ts', ...names], {
    cwd: path.resolve(folder),
    // Scripts of the other checkout run its own tools.
    env: {
      ...process.env,
      PATH: [path.resolve(folder, 'node_modules/.bin'), process.env.PATH].join(path.delimiter),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const found = parseReports(await text(child.stdout))
  if (found.size === 0) throw new Error(`The benchmarks in ${folder} reported nothing.`)
  return found
}

function print(here: Round[], there: Round[]): void {
  console.log(`\n  ${''.padEnd(66)} ${'there'.padStart(8)} ${'here'.padStart(8)}    here ÷ there`)
  let title = ''
  for (const [key, { name, unit }] of here[0]!) {
    const [above] = key.split('\n')
    if (above !== title) console.log(`\n${(title = above!)}`)
    const pairs = here.flatMap((round, index) => {
      const [mine, other] = [round.get(key), there[index]!.get(key)]
      return mine && other ? [[mine.value, other.value] as const] : []
    })
    if (pairs.length === 0) {
      console.log(`  ${name.padEnd(66)} is new here`)
      continue
    }
    const medianOf = (index: 0 | 1) => padded(middle(pairs.map((pair) => pair[index])))
    const ratio = middle(pairs.map(([mine, other]) => mine / other))
    console.log(`  ${name.padEnd(66)} ${medianOf(1)} ${medianOf(0)} ${unit.padEnd(4)} ${ratio.toFixed(2)} ×`)
  }
}
