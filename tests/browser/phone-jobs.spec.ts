import type { Locator } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { entryOf, expect, field, newName, openLog, save, test } from './log-page.ts'

/** The height of a phone's keyboard. */
const KEYBOARD = 336
const [WIDTH, HEIGHT] = [390, 844]

test.use({ viewport: { width: WIDTH, height: HEIGHT } })

test('the usual jobs on a phone take few taps, move nothing, and return to the line', async ({
  page,
  log,
}) => {
  const chain = await log.add({ name: 'Chain', type: 'Drivetrain', cost: 45 })
  const pads = await log.add({ name: 'Pads', type: 'Brakes', dateStarted: '2021-03-10 01:00:00' })
  await openLog(page, log.url)
  let taps = 0
  const tap = async (target: Locator) => {
    taps += 1
    await target.click()
  }
  const line = (name: string) => page.getByRole('button', { name: `Details of ${name}`, exact: true })
  const job = async (name: string, most: number, run: () => Promise<void>) => {
    taps = 0
    await test.step(name, run)
    expect(taps, name).toBeLessThanOrEqual(most)
  }
  /** Edits a field of an entry. The keyboard doesn't cover it, and nothing moves while it changes. */
  const edit = async (entry: Locator, name: string, text: string) => {
    const input = field(entry, name)
    const before = await input.boundingBox()
    expect(before!.y + before!.height).toBeLessThan(HEIGHT - KEYBOARD)
    await tap(input)
    await input.fill(text)
    await tap(save(entry))
    await expect(save(entry)).toHaveCount(0)
    const { x, y } = (await input.boundingBox())!
    expect([x, y]).toEqual([before!.x, before!.y])
    await page.goBack()
  }

  await job('the cost of an old entry', 3, async () => {
    await tap(line('Pads'))
    await edit(entryOf(page, 'Pads'), 'Cost', '52')
    await expect(line('Pads')).toBeFocused()
    expect(await log.stored(pads)).toMatchObject({ cost: 52 })
  })

  await job('the end of a part', 3, async () => {
    await tap(line('Pads'))
    await edit(entryOf(page, 'Pads'), 'End', '11/03/2024')
    await expect(line('Pads')).toBeFocused()
    expect(await log.stored(pads)).toMatchObject({ dateEnded: '2024-11-03T01:00:00' })
  })

  const ofPair = { type: 'Tires', dateStarted: '2021-03-10 01:00:00', dateEnded: '2022-03-10 01:00:00' }
  await log.add({ ...ofPair, name: 'GravelKing, pair', cost: 52 })
  const tires = { type: 'Tires', kind: 'tire', position: 'both' } as const
  const old = await log.add({ ...tires, name: 'Hutchinson, pair', cost: 40 })
  await page.reload()
  await job('a new tire in place of the old one', 3, async () => {
    await tap(page.getByRole('button', { name: '+ADD ROW' }))
    await expect(newName(page)).toBeFocused()
    await page.keyboard.type('grav')
    const option = page.getByRole('option', { name: /^GravelKing, pair\s*Tires · \$52.00/ })
    await expect(option).toBeVisible()
    await expect(page.getByRole('combobox', { name: 'Name' })).toBeFocused()
    expect(await axeViolations(page)).toEqual([])
    await tap(option)
    await expect(page.getByRole('combobox', { name: 'Name' })).toHaveCount(0)
    await expect(page.getByLabel('Replaces: Hutchinson, pair · ends today')).toBeChecked()
    expect(await axeViolations(page)).toEqual([])
    await tap(save(page.getByRole('dialog')))
    await expect(line('GravelKing, pair')).toBeFocused()
    await expect(line('Hutchinson, pair')).toHaveCount(0)
    expect(await log.stored(old)).toMatchObject({ dateEnded: expect.any(String) })
    const toast = page.getByRole('alert').filter({ hasText: 'It replaces “Hutchinson, pair”.' })
    await toast.getByRole('button', { name: 'Undo' }).click()
    await expect(line('Hutchinson, pair')).toBeVisible()
    await expect(line('GravelKing, pair')).toHaveCount(0)
  })

  await job('deleting an entry and restoring it', 4, async () => {
    await tap(line('Hutchinson, pair'))
    await tap(page.getByRole('dialog').getByRole('button', { name: 'Delete' }))
    await tap(page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }))
    await expect(line('Hutchinson, pair')).toHaveCount(0)
    await expect(line('Chain')).toBeFocused()
    await tap(page.getByRole('alert').getByRole('button', { name: 'Undo' }))
    await expect(line('Hutchinson, pair')).toBeFocused()
  })

  await job('a replacement', 3, async () => {
    await tap(line('Chain'))
    await tap(page.getByRole('button', { name: 'Replace…' }))
    const dialog = page.getByRole('dialog', { name: 'Replace Chain' })
    await expect(dialog).toContainText('“Chain” ends on the start day.')
    await tap(save(dialog))
    await expect(page.getByText('“Chain” was replaced.')).toBeVisible()
    await expect(line('Chain')).toBeFocused()
    expect(await log.stored(chain)).toMatchObject({ dateEnded: expect.any(String) })
  })

  await log.owner.from('maintenance').insert(
    Array.from({ length: 12 }, (_, n) => ({
      bikeId: log.bikeId,
      name: `Bottle ${n}`,
      dateStarted: '2024-05-01 01:00:00',
    })),
  )
  await page.reload()
  await job('an entry at the end of a long list', 3, async () => {
    await tap(page.getByRole('button', { name: '+ADD ROW' }))
    await expect(newName(page)).toBeFocused()
    await page.keyboard.type('Bell')
    // As slow as a phone, so the dialog's Back comes after the jump to the new line.
    const closed = page.evaluate(() => {
      const back = history.back.bind(history)
      history.back = () => {
        const wait = () =>
          document.activeElement?.ariaLabel === 'Details of Bell' ? back() : void requestAnimationFrame(wait)
        wait()
      }
      return new Promise((resolve) =>
        window.addEventListener('popstate', () =>
          requestAnimationFrame(() => requestAnimationFrame(resolve)),
        ),
      )
    })
    await tap(save(page.getByRole('dialog')))
    await closed
    await expect(line('Bell')).toBeFocused()
    const toast = page.getByRole('alert').filter({ hasText: '“Bell” was added.' })
    await expect(toast).toBeVisible()
    // Neither the dialog's Back nor the toast hides the line.
    const { y, height } = (await line('Bell').boundingBox())!
    expect(y + height).toBeLessThan((await toast.boundingBox())!.y)
    await toast.getByRole('button', { name: 'Undo' }).click()
    await expect(line('Bell')).toHaveCount(0)
  })
})
