// @vitest-environment jsdom
import { atom, createStore } from 'jotai'
import { expect, test, vi } from 'vitest'

import { AppError } from '../lib/errors.ts'
import { recordToasts } from './record-toasts.ts'
import { type Attempt, notifyWithUndo } from './undo.ts'

const toasts = recordToasts()
const setUp = (undo: Attempt) =>
  createStore().set(
    atom(null, (_get, set) =>
      notifyWithUndo(set, 'Chain done', undo, { label: 'Edit', run: vi.fn<() => void>() }),
    ),
  )

test('shows why an Undo failed, until it is tried again', async () => {
  const write = vi
    .fn<Attempt['write']>()
    .mockRejectedValueOnce(new AppError('RMT11', ''))
    .mockResolvedValueOnce(null)
  const after = vi.fn<Attempt['after']>()
  setUp({ write, subject: 'The change of “Chain”', done: 'undone', after })
  expect(toasts.offers.map(({ message, label }) => [message, label])).toEqual([
    ['Chain done', 'Undo'],
    ['Chain done', 'Edit'],
  ])

  toasts.offers[0]!.run()
  await vi.waitFor(() => expect(after).toHaveBeenLastCalledWith(false))
  expect(toasts.offers[2]).toMatchObject({
    message: 'The change of “Chain” was not undone. The log was changed elsewhere.',
    label: 'Try again',
  })
  toasts.offers[2]!.run()
  await vi.waitFor(() => expect(after).toHaveBeenLastCalledWith(true))
  expect(write).toHaveBeenCalledTimes(2)
  expect(toasts.offers).toHaveLength(3)
})
