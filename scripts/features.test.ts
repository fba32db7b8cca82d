import { globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const FOLDER = fileURLToPath(new URL('../src/features', import.meta.url))
const FEATURES = readdirSync(FOLDER)
const DRAWN = drawnImports()
/** Features, and the folders of features that the documentation's graph shows by themselves. */
const NODES = [...new Set([...FEATURES, ...DRAWN.keys()])]
const IMPORTED = importsOfNodes()

// The linter only rejects cycles between files.
test('features have no import cycles', () => {
  let left: string[]
  let next = NODES
  do {
    left = next
    next = left.filter((node) => left.some((other) => IMPORTED.get(node)!.has(other)))
  } while (next.length < left.length)
  expect(left).toEqual([])
})

test('the graph of the documentation shows the imports between features', () => {
  const isBelow = (node: string, other: string): boolean =>
    [...(DRAWN.get(node) ?? [])].some((below) => below === other || isBelow(below, other))
  for (const node of NODES) {
    const drawn = [...(DRAWN.get(node) ?? [])]
    const imported = IMPORTED.get(node)!
    expect({ node, drawn, above: [] }).toEqual({
      node,
      drawn: drawn.filter((other) => imported.has(other)),
      above: [...imported].filter((other) => !isBelow(node, other)),
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

function importsOfNodes(): Map<string, Set<string>> {
  const imported = new Map(NODES.map((node) => [node, new Set<string>()]))
  for (const file of globSync('**/*.{ts,tsx}', { cwd: FOLDER })) {
    const node = nodeOf(file)
    const text = readFileSync(path.join(FOLDER, file), 'utf8')
    for (const [, other] of text.matchAll(/'(\.\.?\/[^']*)'/g)) {
      const target = nodeOf(path.join(path.dirname(file), other!))
      if (target !== undefined && target !== node) imported.get(node!)!.add(target)
    }
  }
  return imported
}

/** Returns the innermost node that has a file, or undefined for files outside the features. */
function nodeOf(file: string): string | undefined {
  const folders = NODES.filter((node) => file.startsWith(`${node}/`))
  return folders.toSorted((a, b) => b.length - a.length)[0]
}
