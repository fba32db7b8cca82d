import { expect, test } from 'vitest'

import { fakeBackend } from '../../lib/fake-backend.ts'
import { askMaintenanceUse } from './maintenance-use.ts'

const never = () => new AbortController().signal

test('asks together what is asked in the same moment', async () => {
  const { backend, sent } = fakeBackend(({ body }) => Response.json(body))
  const ask = (question: object) => askMaintenanceUse(backend.client, { gear_id: 7, ...question }, never())
  const answers = await Promise.all([ask({}), ask({ part: 5 }), ask({ timeline: true })])
  const body = { gear_id: 7, part: 5, timeline: true }
  expect(answers).toEqual([body, body, body])
  expect(sent.map((one) => one.body)).toEqual([body])
  await ask({})
  expect(sent.map((one) => one.body)).toEqual([body, { gear_id: 7 }])
})

test('sends a request for each bike, day and part', async () => {
  const { backend, sent } = fakeBackend(({ body }) => Response.json(body))
  const questions = [
    { gear_id: 7, part: 5 },
    { gear_id: 7, part: 6 },
    { gear_id: 8, part: 5 },
    { gear_id: 7, day: '2024-03-01' as const },
  ]
  const answers = await Promise.all(
    questions.map((question) => askMaintenanceUse(backend.client, question, never())),
  )
  expect(answers).toEqual(questions)
  expect(sent.map(({ body }) => body)).toEqual(questions)
})

test('aborts a request only if nobody waits for it any more', async () => {
  const sent = Promise.withResolvers<AbortSignal>()
  const response = Promise.withResolvers<Response>()
  const { backend } = fakeBackend((_, signal) => {
    sent.resolve(signal)
    return response.promise
  })
  const [first, second] = [new AbortController(), new AbortController()]
  const answers = [first, second].map(({ signal }) =>
    askMaintenanceUse(backend.client, { gear_id: 7 }, signal),
  )
  const signal = await sent.promise
  first.abort()
  expect(signal.aborted).toBe(false)
  second.abort()
  expect(signal.aborted).toBe(true)
  response.resolve(Response.json({}))
  for (const answer of answers) await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
})

test('sends no request if everyone stops waiting before it is sent', async () => {
  const { backend, sent } = fakeBackend(() => Response.json({}))
  const controller = new AbortController()
  const answer = askMaintenanceUse(backend.client, { gear_id: 7 }, controller.signal)
  controller.abort()
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
  expect(sent).toEqual([])
})
