// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { expect, test } from 'vitest'

import { AppError } from '../lib/errors.ts'
import { fakeStore } from '../lib/fake-backend.ts'
import { resourceAtom } from '../lib/resource.ts'
import { Dialog } from './Dialog.tsx'
import { fakeDialogs } from './fake-dialogs.ts'
import { ResourceDialog } from './ResourceDialog.tsx'

fakeDialogs()

const close = () => undefined

test('says that it is loading, then why that failed, and keeps the first data', async () => {
  const user = userEvent.setup()
  const { store } = fakeStore(() => Response.json([]))
  const reads = { bikes: 0, parts: 0 }
  const bikesAtom = resourceAtom({ reads: [] }, () => Promise.resolve(`bikes ${++reads.bikes}`))
  const partsAtom = resourceAtom({ reads: [] }, async () => {
    if (++reads.parts === 1) throw new AppError('forbidden', '')
    return reads.parts
  })
  render(
    <Provider store={store}>
      <ResourceDialog title="Move…" lead="Chain" reads={[bikesAtom, partsAtom]} onClose={close}>
        {(bikes, parts) => <Dialog title="Move" onClose={close}>{`${bikes}, parts ${parts}`}</Dialog>}
      </ResourceDialog>
    </Provider>,
  )
  expect(screen.getByRole('dialog', { name: 'Move…' }).textContent).toContain('Loading…')
  await screen.findByText('This could not be loaded. This account does not own this tracker.')
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('bikes 1, parts 2')
  await act(() => store.set(partsAtom.reloadAtom))
  expect(reads).toEqual({ bikes: 1, parts: 3 })
  screen.getByText('bikes 1, parts 2')
})
