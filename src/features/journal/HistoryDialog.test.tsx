// @vitest-environment jsdom
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { expect, test } from 'vitest'

import { fakeDialogs } from '../../components/fake-dialogs.ts'
import { type Command, fakeStore, GATE, written } from '../../lib/fake-backend.ts'
import { ITEM as item } from '../entries/fake-item.ts'
import HistoryDialog from './HistoryDialog.tsx'

fakeDialogs()

const change = { relation: 'maintenance', item, task: null }
const conflict = { ...change, state: 'changed', before: null, added: [] }
const imported = {
  id: '00000000-0000-0000-0000-000000000001',
  last_id: 2,
  changed_at: new Date().toISOString(),
  command: 'import_items',
  added: 2,
  edited: 0,
  deleted: 0,
  is_done: false,
  bikes: [],
  changes: [
    { ...change, before: null, after: item },
    { ...change, before: null, after: { ...item, id: 2 } },
  ],
}

/** Opens the dialog. `restore` answers attempts to restore a change. */
function open(groups: object[], restore: (attempt: Command['arguments']) => Response) {
  let shown = groups
  const { store } = fakeStore(({ path, body }) => {
    if (path.endsWith('/rpc/trash')) return Response.json({ groups: shown })
    if (path !== GATE) return Response.json([])
    const response = restore((body as Command).arguments)
    if (response.headers.has('x-restored')) shown = groups.map((group) => ({ ...group, is_done: true }))
    return response
  })
  render(
    <Provider store={store}>
      <HistoryDialog onClose={() => undefined} />
    </Provider>,
  )
}

const restored = (count: number) =>
  written({ restored: count, conflicts: [] }, imported.id, { 'x-restored': '' })

test('says that nothing was changed, or deleted', async () => {
  open([], () => restored(0))
  const dialog = await screen.findByRole('dialog', { name: 'History' })
  await within(dialog).findByText('Nothing changed in the last 30 days.')
  await userEvent.click(within(dialog).getByRole('radio', { name: 'Deleted' }))
  await screen.findByText('Nothing was deleted in the last 30 days.')
  expect(screen.getByRole('dialog', { name: 'Trash' })).toBe(dialog)
})

test('lists later edits of an import, and undoes the other entries on request', async () => {
  const user = userEvent.setup()
  open([imported], ({ keep_changed }) =>
    keep_changed
      ? restored(1)
      : written(
          {
            restored: 0,
            conflicts: [{ ...conflict, after: item, present: { ...item, cost: 60 } }],
          },
          null,
        ),
  )
  const row = await screen.findByRole('listitem')
  await user.click(within(row).getByRole('button', { name: 'Undo' }))
  expect((await within(row).findByText(/edited since/)).textContent).toBe(
    'Chain was edited since: Cost $45.00 → $60.00.',
  )
  expect(within(row).getByRole('alert').textContent).toContain('Nothing was undone.')

  await user.click(within(row).getByRole('button', { name: 'Undo the others' }))
  await within(row).findByText('Undone')
  expect(within(row).getByRole('alert').textContent).toBe('')
  expect(screen.getByRole('status').textContent).toBe('The change was undone.')
  expect(document.activeElement).toBe(row)
})

test('shows why a change cannot be restored, and restores it later', async () => {
  const user = userEvent.setup()
  const responses = [Response.json({ code: '23503', message: '' }, { status: 409 }), restored(2)]
  open([imported], () => responses.shift()!)
  const restore = await screen.findByRole('button', { name: 'Undo' })
  await user.click(restore)
  await screen.findByText('Its bike is no longer in the tracker.')
  await user.click(restore)
  expect(await screen.findByText('Undone')).toBeDefined()
})
