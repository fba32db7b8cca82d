import { globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const FOLDER = fileURLToPath(new URL('../src/features', import.meta.url))
const FEATURES = readdirSync(FOLDER)

// The linter only rejects cycles between files.
test('features have no import cycles', () => {
  const imported = new Map(FEATURES.map((feature) => [feature, importsOf(feature)]))
  let left: string[]
  let next = FEATURES
  do {
    left = next
    next = left.filter((feature) => imported.get(feature)?.some((other) => left.includes(other)))
  } while (next.length < left.length)
  expect(left).toEqual([])
})

test('the graph of the documentation shows the imports between features', () => {
  const text = readFileSync(fileURLToPath(new URL('../docs/architecture.md', import.meta.url)), 'utf8')
  const [, graph] = /subgraph features\n([^]*?)\n +end\n/.exec(text)!
  const drawn = new Map(FEATURES.map((feature) => [feature, new Set<string>()]))
  for (const line of graph!.split('\n')) {
    const nodes = line
      .split('-->')
      .map((node) => (/"(.*)"/.exec(node)?.[1] ?? node).split(',').map((name) => name.trim()))
    for (const [index, names] of nodes.entries()) {
      for (const name of names) for (const below of nodes[index + 1] ?? []) drawn.get(name)!.add(below)
    }
  }
  const isBelow = (feature: string, other: string): boolean =>
    [...drawn.get(feature)!].some((below) => below === other || isBelow(below, other))
  for (const [feature, below] of drawn) {
    const imported = importsOf(feature)
    expect({ feature, drawn: [...below], above: [] }).toEqual({
      feature,
      drawn: [...below].filter((other) => imported.includes(other)),
      above: imported.filter((other) => !isBelow(feature, other)),
    })
  }
})

function importsOf(feature: string): string[] {
  const files = globSync('**/*.{ts,tsx}', { cwd: path.join(FOLDER, feature) })
  const text = files.map((file) => readFileSync(path.join(FOLDER, feature, file), 'utf8')).join('\n')
  return FEATURES.filter((other) => other !== feature && text.includes(`../${other}/`))
}
