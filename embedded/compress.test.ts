import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { compress } from './compress.ts'

test('a response that breaks off is a bad gateway', async () => {
  const app = new Hono().use(compress).get('/', ({ body }) => {
    let pulls = 0
    const stream = new ReadableStream({
      pull(controller) {
        if (pulls++ === 0) controller.enqueue(new Uint8Array(2000))
        else controller.error(new Error('The function exited'))
      },
    })
    return body(stream, 200, { 'content-type': 'application/json' })
  })
  const response = await app.request('/', { headers: { 'accept-encoding': 'gzip' } })
  expect([response.status, await response.text()]).toEqual([502, ''])
})

test('a response without content stays one', async () => {
  const json = { 'content-type': 'application/json' }
  const app = new Hono().use(compress).get('/', () => new Response(null, { status: 204, headers: json }))
  const response = await app.request('/', { headers: { 'accept-encoding': 'gzip' } })
  expect([response.status, await response.text()]).toEqual([204, ''])
})
