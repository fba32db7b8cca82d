// @vitest-environment jsdom
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { expect, test, vi } from 'vitest'

import { AppError, ChangedElsewhere, SavedEarlier, type Values } from '../lib/errors.ts'
import { fakeStore, GATE, written } from '../lib/fake-backend.ts'
import { amountKind, optional, pastDayKind, textKind } from '../lib/field-kinds.ts'
import { choiceKind } from '../lib/forms.ts'
import { settingsAtom, storeSettingsAtom } from '../lib/settings.ts'
import { Choices, toggle } from './Choices.tsx'
import { fakeDialogs } from './fake-dialogs.ts'
import { TextField } from './fields.tsx'
import { FormDialog } from './FormDialog.tsx'
import { useForm } from './use-form.ts'

fakeDialogs()

const FIELDS = {
  name: textKind(20, 'a name'),
  cost: optional(amountKind),
  day: pastDayKind('2026-11-22'),
  ticked: choiceKind<readonly string[]>(),
}
const STORED = { name: 'Chain', cost: 45.5 as number | null, day: '2026-11-10' as const }

type Saved = { values: object; key: string; shown: object; wanted: object }

type Options = { shown?: typeof STORED; save?: (count: number) => unknown }

/** Opens a form whose save fails with what `save` throws for the count of saves so far. */
function open({ shown, save = () => null }: Options = {}) {
  const saved: Saved[] = []
  const undone: string[] = []
  const onClose = vi.fn<() => void>()
  const { store } = fakeStore(({ path }) => (path === GATE ? written({}, null) : Response.json([])))
  function Form() {
    const form = useForm({
      fields: FIELDS,
      shown,
      inputs: { day: '11/10/2026', ticked: [] },
      check: ({ name, cost }) => (name === 'Gift' && cost !== null ? { cost: 'A gift is free.' } : {}),
      save(values, attempt) {
        saved.push({ values, ...attempt })
        return Promise.resolve(save(saved.length))
      },
      outcome: ({ name }) => ({ subject: `“${name}”`, done: 'saved' }),
      journal: {
        undo: (change) => Promise.resolve(undone.push(change)),
        differences: (from, to) =>
          Object.keys(from)
            .filter((name) => from[name] !== to[name])
            .map((name) => `${name} ${from[name]} → ${to[name]}`)
            .join(),
      },
    })
    const ticked = form.field('ticked')
    return (
      <FormDialog title="Edit" label="Save" form={form} onClose={onClose}>
        <TextField label="Name" {...form.field('name')} />
        <TextField label="Cost" {...form.field('cost')} />
        <TextField label="Day" {...form.field('day')} />
        <Choices
          legend="Also"
          options={[{ value: 'wax', label: 'Wax' }]}
          chosen={ticked.value}
          onToggle={(one) => ticked.onChange(toggle(ticked.value, one))}
        />
        <button type="button" onClick={() => form.fillIn({ name: 'Gift', cost: 1 / 3 })}>
          Fill
        </button>
      </FormDialog>
    )
  }
  render(
    <Provider store={store}>
      <Form />
    </Provider>,
  )
  return {
    saved,
    undone,
    onClose,
    store,
    closed: () => waitFor(() => expect(onClose).toHaveBeenCalledOnce()),
  }
}

const user = userEvent.setup()
const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const press = (name: string) => user.click(screen.getByRole('button', { name }))
async function type(label: string, text: string) {
  await user.clear(input(label))
  await user.type(input(label), text)
}

const elsewhere = (stored: Values) => {
  throw new ChangedElsewhere(stored)
}
const earlier = (change: string) => {
  throw new SavedEarlier({ answer: {}, change })
}

test('shows problems at their fields only after the first try, focuses the first one, and saves nothing', async () => {
  const { saved, closed } = open()
  await type('Cost', 'free')
  expect(input('Name').getAttribute('aria-invalid')).toBe('false')
  await press('Save')
  await waitFor(() => expect(document.activeElement).toBe(input('Name')))
  screen.getByText('Enter a name.')
  screen.getByText('Enter an amount such as 45 or 1,234.')
  expect(saved).toEqual([])

  await type('Name', 'Gift')
  await type('Cost', '5')
  await press('Save')
  await waitFor(() => expect(document.activeElement).toBe(input('Cost')))
  screen.getByText('A gift is free.')
  await user.clear(input('Cost'))
  await press('Save')
  await closed()
  expect(saved.map(({ values }) => values)).toEqual([
    { name: 'Gift', cost: null, day: '2026-11-10', ticked: [] },
  ])
})

test('keeps the exact values of unchanged fields and sends only what the owner changed', async () => {
  const { saved, closed } = open({ shown: { ...STORED, cost: 1 / 3 } })
  expect(input('Cost').value).toBe('$0.33')
  await type('Name', 'KMC X11')
  await user.click(input('Wax'))
  await press('Save')
  await closed()
  expect(saved).toMatchObject([
    {
      values: { cost: 1 / 3, ticked: ['wax'] },
      shown: { ...STORED, cost: 1 / 3 },
      wanted: { name: 'KMC X11' },
    },
  ])
  expect(Object.keys(saved[0]!.wanted)).toEqual(['name'])
})

test('filled-in values stay exact', async () => {
  const { saved, closed } = open()
  await press('Fill')
  await type('Name', 'Chain')
  await press('Save')
  await closed()
  expect(saved[0]!.values).toMatchObject({ name: 'Chain', cost: 1 / 3 })
})

test('says what was changed elsewhere, keeps the inputs, and replaces only that value when saved again', async () => {
  const { saved, onClose, closed } = open({
    shown: STORED,
    save: (count) => count === 1 && elsewhere({ name: 'Cassette', cost: 99, day: '2026-11-11' }),
  })
  await type('Name', 'KMC X11')
  await press('Save')
  await screen.findByText('It has changed since: name Chain → Cassette. Save again to replace this.')
  expect(input('Name').value).toBe('KMC X11')
  expect(onClose).not.toHaveBeenCalled()
  await press('Save')
  await closed()
  expect(saved).toMatchObject([
    { shown: STORED, wanted: { name: 'KMC X11' } },
    { shown: { ...STORED, name: 'Cassette' }, wanted: { name: 'KMC X11' } },
  ])
  expect(saved[1]!.key).toBe(saved[0]!.key)
})

test('keeps the key of a save that may have succeeded, and replaces an earlier version', async () => {
  const { saved, undone, closed } = open({
    save(count) {
      if (count === 1) throw new AppError('unclear', '')
      return count === 2 && earlier('a')
    },
  })
  await type('Name', 'Chain')
  await press('Save')
  await screen.findByText(
    '“Chain” may or may not have been saved. The connection dropped. Try again; nothing is saved twice.',
  )
  await press('Save')
  await screen.findByText('“Chain” was not saved. An earlier version was saved. Save again to replace it.')
  expect(undone).toEqual([])
  await press('Save')
  await closed()
  expect(undone).toEqual(['a'])
  const [first, again, last] = saved.map(({ key }) => key)
  expect(again).toBe(first)
  expect(last).not.toBe(first)
})

test('undoes an earlier version only once, even if saving fails after that', async () => {
  const { undone, closed } = open({
    save(count) {
      if (count === 2) throw new AppError('network', '')
      return count === 1 && earlier('a')
    },
  })
  await type('Name', 'Chain')
  await press('Save')
  await screen.findByText(/An earlier version was saved/)
  await press('Save')
  await screen.findByText(/cannot be reached/)
  await press('Save')
  await closed()
  expect(undone).toEqual(['a'])
})

test('asks before it discards changes, but not without changes', async () => {
  const { onClose, saved } = open({ shown: STORED })
  await user.click(input('Wax'))
  await press('Cancel')
  const question = screen.getByRole('alertdialog', { name: 'Discard unsaved changes?' })
  expect(onClose).not.toHaveBeenCalled()
  await user.click([...question.querySelectorAll('button')].find((one) => one.textContent === 'Cancel')!)
  await user.click(input('Wax'))
  await press('Cancel')
  expect(onClose).toHaveBeenCalledOnce()
  expect(saved).toEqual([])
})

test('saves the day that was typed, even if another device changes the order of dates', async () => {
  const { saved, store, closed } = open()
  await type('Name', 'Chain')
  await type('Day', '11/10/2023')
  await act(() => store.set(storeSettingsAtom, { dates: 'DD/MM/YYYY' }))
  expect(store.get(settingsAtom).dates).toBe('DD/MM/YYYY')
  await press('Save')
  await closed()
  expect(saved[0]!.values).toMatchObject({ day: '2023-11-10' })
})
