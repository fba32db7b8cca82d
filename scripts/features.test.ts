import { globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const FOLDER = fileURLToPath(new URL('../src/features', import.meta.url))
const FEATURES = readdirSync(FOLDER)

// The linter only rejects cycles between files.
test('features do not import each other in circles', () => {
  const imported = new Map(FEATURES.map((feature) => [feature, importsOf(feature)]))
  let left: string[]
  let next = FEATURES
  do {
    left = next
    next = left.filter((feature) => imported.get(feature)?.some((other) => left.includes(other)))
  } while (next.length < left.length)
  expect(left).toEqual([])
})

function importsOf(feature: string): string[] {
  const files = globSync('**/*.{ts,tsx}', { cwd: path.join(FOLDER, feature) })
  const text = files.map((file) => readFileSync(path.join(FOLDER, feature, file), 'utf8')).join('\n')
  return FEATURES.filter((other) => other !== feature && text.includes(`../${other}/`))
}
