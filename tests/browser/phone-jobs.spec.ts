import type { Locator } from '@playwright/test'
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

  await job('a new tire', 2, async () => {
    await tap(page.getByRole('button', { name: '+ADD ROW' }))
    await expect(newName(page)).toBeFocused()
    await page.keyboard.type('Tire')
    await tap(save(page.getByRole('dialog')))
    await expect(line('Tire')).toBeFocused()
  })

  await job('a replacement', 3, async () => {
    await tap(line('Chain'))
    await tap(page.getByRole('button', { name: 'Replace…' }))
    await tap(save(page.getByRole('dialog', { name: 'Replace Chain' })))
    await expect(page.getByText('“Chain” was replaced.')).toBeVisible()
    await expect(line('Chain')).toBeFocused()
    expect(await log.stored(chain)).toMatchObject({ dateEnded: expect.any(String) })
  })
})
