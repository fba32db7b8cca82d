import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { SCREENS } from './screen.ts'

test('scripts and styles have the same screen sizes', () => {
  const css = readFileSync('src/lib/screen.css', 'utf8')
  const queries = Object.fromEntries(
    [...css.matchAll(/@custom-media --([\w-]+) (.+);/g)].map(([, name, query]) => [name, query]),
  )
  expect(queries).toMatchObject({ ...SCREENS, phone: '(--narrow), (--sideways)' })
})
