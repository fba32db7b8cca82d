// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'

import { notifyDone, notifyWithAction, Toasts } from './toasts.tsx'

test('toasts whose code is still loading appear in order once it has arrived', async () => {
  render(<Toasts />)
  const run = vi.fn<() => void>()
  notifyDone('Saved.')
  const close = notifyWithAction('Deleted.', { label: 'Undo', run }, { stays: true })
  expect(screen.queryAllByRole('alert')).toEqual([])
  const toasts = await screen.findAllByRole('alert')
  expect(toasts.map(({ textContent }) => textContent)).toEqual(['Saved.', 'Deleted.Undo'])
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(run).toHaveBeenCalledTimes(1)
  close()
})
