import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FEATURES = 'src/features'
const SHARED = 'supabase/functions/_shared'

// The linter only rejects cycles between files.
test.each([FEATURES, `${FEATURES}/log`, SHARED])('the folders in %s have no import cycles', (parent) => {
  const imported = importsIn(parent)
  let left: string[]
  let next = [...imported.keys()]
  do {
    left = next
    next = left.filter((folder) => left.some((other) => imported.get(folder)!.has(other)))
  } while (next.length < left.length)
  expect(left).toEqual([])
})

test('at most 12 files are directly in _shared', () => {
  expect(globSync(`${SHARED}/*.ts`, { cwd: ROOT }).length).toBeLessThanOrEqual(12)
})

test('the graph of the documentation shows the imports between features', () => {
  const graph = drawnImports()
  const isBelow = (feature: string, other: string): boolean =>
    [...(graph.get(feature) ?? [])].some((below) => below === other || isBelow(below, other))
  for (const [feature, imported] of importsIn(FEATURES)) {
    const drawn = [...(graph.get(feature) ?? [])]
    expect({ feature, drawn, above: [] }).toEqual({
      feature,
      drawn: drawn.filter((other) => imported.has(other)),
      above: [...imported].filter((other) => !isBelow(feature, other)),
    })
  }
})

function drawnImports(): Map<string, Set<string>> {
  const text = readFileSync(path.join(ROOT, 'docs/architecture.md'), 'utf8')
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

/** Returns which of a folder's folders import which. */
function importsIn(parent: string): Map<string, Set<string>> {
  const cwd = path.join(ROOT, parent)
  const files = globSync('*/**/*.{ts,tsx}', { cwd })
  const imported = new Map(files.map((file) => [folderOf(file), new Set<string>()]))
  for (const file of files) {
    const text = readFileSync(path.join(cwd, file), 'utf8')
    for (const [, other] of text.matchAll(/'(\.\.?\/[^']*)'/g)) {
      const target = folderOf(path.join(path.dirname(file), other!))
      if (imported.has(target) && target !== folderOf(file)) imported.get(folderOf(file))!.add(target)
    }
  }
  return imported
}

const folderOf = (file: string) => file.split(path.sep)[0]!
