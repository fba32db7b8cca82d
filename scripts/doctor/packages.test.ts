import { expect, test } from 'vitest'
import { checkNode } from './packages.ts'

const marks = (userAgent: string | undefined) => [...checkNode(userAgent)].map(({ mark }) => mark)

test.each([
  ['npm/10.2.4 node/v18.20.4 linux x64', ['problem', 'ok']],
  ['npm/10.8.2 node/v20.18.3 linux x64', ['problem', 'ok']],
  ['npm/10.8.2 node/v20.19.0 linux x64', ['ok']],
  ['npm/11.0.0 node/v26.1.0 darwin arm64', ['ok']],
  [undefined, ['ok']],
])('a machine on which npm says %s: %j', (userAgent, expected) => {
  expect(marks(userAgent)).toEqual(expected)
})
