import { globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const FOLDER = fileURLToPath(new URL('../src/features', import.meta.url))
const FEATURES = readdirSync(FOLDER)
const DRAWN = drawnImports()
const IMPORTED = importsOfFeatures()

// The linter only rejects cycles between files.
test('features have no import cycles', () => {
  let left: string[]
  let next = FEATURES
  do {
    left = next
    next = left.filter((feature) => left.some((other) => IMPORTED.get(feature)!.has(other)))
  } while (next.length < left.length)
  expect(left).toEqual([])
})

test('the graph of the documentation shows the imports between features', () => {
  const isBelow = (feature: string, other: string): boolean =>
    [...(DRAWN.get(feature) ?? [])].some((below) => below === other || isBelow(below, other))
  for (const feature of FEATURES) {
    const drawn = [...(DRAWN.get(feature) ?? [])]
    const imported = IMPORTED.get(feature)!
    expect({ feature, drawn, above: [] }).toEqual({
      feature,
      drawn: drawn.filter((other) => imported.has(other)),
      above: [...imported].filter((other) => !isBelow(feature, other)),
    })
  }
})

function drawnImports(): Map<string, Set<string>> {
  const text = readFileSync(fileURLToPath(new URL('../docs/architecture.md', import.meta.url)), 'utf8')
  const [, graph] = /subgraph features\n([^]*?)\n +end\n/.exec(text)!
  const drawn = new Map<string, Set<string>>()
  for (const line of graph!.split('\n')) {
    const nodes = line
      .split('-->')
      .map((node) => (/"(.*)"/.exec(node)?.[1] ?? node).split(',').map((name) => name.trim()))
    for (const [index, names] of nodes.entries()) {
      for (const name of names)
        drawn.set(name, (drawn.get(name) ?? new Set()).union(new Set(nodes[index + 1])))
    }
  }
  return drawn
}

function importsOfFeatures(): Map<string, Set<string>> {
  const imported = new Map(FEATURES.map((feature) => [feature, new Set<string>()]))
  for (const file of globSync('**/*.{ts,tsx}', { cwd: FOLDER })) {
    const [feature] = file.split(path.sep)
    const text = readFileSync(path.join(FOLDER, file), 'utf8')
    for (const [, other] of text.matchAll(/'(\.\.?\/[^']*)'/g)) {
      const [target] = path.join(path.dirname(file), other!).split(path.sep)
      if (target !== '..' && target !== feature) imported.get(feature!)!.add(target!)
    }
  }
  return imported
}
