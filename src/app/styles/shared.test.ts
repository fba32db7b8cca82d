import { globSync, readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

const shared = ['base', 'shared', 'tables', 'charts', 'print']
  .map((name) => readFileSync(`src/app/styles/${name}.css`, 'utf8'))
  .join('')

test('modules only compose shared classes that exist', () => {
  const known = new Set(Array.from(shared.matchAll(/\.([\w-]+)/g), ([, name]) => name))
  const composed = globSync('src/**/*.module.css').flatMap((file) => {
    const css = readFileSync(file, 'utf8')
    const names = Array.from(css.matchAll(/composes: (.+) from global;/g), ([, names = '']) =>
      names.split(' '),
    )
    return names.flat().map((name) => ({ file, name }))
  })
  expect(composed.length).toBeGreaterThan(100)
  expect(composed.filter(({ name }) => !known.has(name))).toEqual([])
})

test('texts grow with the size that the browser is set to, as media queries do', () => {
  const fixed = globSync('src/**/*.css').flatMap((file) =>
    Array.from(
      readFileSync(file, 'utf8').matchAll(/\n\s*(?:font|font-size):[^;]*?\dpx[^;]*;/g),
      ([text]) => `${file}: ${text.trim()}`,
    ),
  )
  expect(fixed).toEqual([])
})
