import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectAccessible, PHONE } from './axe.ts'
import { openAccount } from './fixtures.ts'
import { dirty, entryOf, expect, field, openLog, rowOf, test } from './log-page.ts'
import { choose, give, GPS, look, photo, readStored, receipt, storedFiles } from './photos.ts'

const details = (page: Page, name: string) => page.getByRole('region', { name: `Details of ${name}` })

test('photos are sent upright, small and without where they were taken, and are shown, renamed and removed', async ({
  page,
  log,
  sample,
}) => {
  const id = await log.add({ name: 'Chain', type: 'Drivetrain', kind: 'chain' })
  await openLog(page, `${log.url}&item=${id}`)
  const files = details(page, 'Chain').getByRole('region', { name: 'Photos and receipts' })
  await choose(files.getByRole('button', { name: 'Add' }), [
    await photo(page, 'Gauge.jpg'),
    receipt('Invoice.pdf'),
  ])
  await expect(files).toContainText('2 of 20')
  await expect(rowOf(page, id)).toContainText('2 photos and receipts')
  await expect(files.getByRole('button', { name: 'Gauge.jpg' }).getByRole('presentation')).toBeVisible()

  const [stored, pdf] = await storedFiles(log.owner, id)
  expect([stored!.media_type, pdf!.media_type]).toEqual(['image/webp', 'application/pdf'])
  const whole = await readStored(sample.url, log.owner, stored!.id)
  expect(whole.bytes.includes(GPS)).toBe(false)
  expect(await look(page, whole.bytes)).toEqual({ width: 1365, height: 2048, colors: ['red', 'blue', 'red'] })
  const small = await readStored(sample.url, log.owner, stored!.id, '&thumbnail')
  expect(small.bytes.length).toBeLessThanOrEqual(8192)
  expect(await look(page, small.bytes)).toMatchObject({ width: 160, height: 240 })

  await files.getByRole('button', { name: 'Gauge.jpg' }).click()
  const viewer = page.getByRole('dialog', { name: 'Gauge.jpg' })
  await expect(viewer.getByRole('img', { name: 'Gauge.jpg' })).toBeVisible()
  await expect(viewer.getByRole('group', { name: /^Photo Gauge/ })).toBeFocused()
  await page.keyboard.press('+')
  await expect(viewer.getByText('150%')).toBeVisible()
  // Another width replaces the table by lines, which opens the photo anew.
  await expectAccessible(page, [1440, PHONE])
  await page.setViewportSize({ width: 1440, height: 900 })
  await viewer.getByLabel('In the passport').check()
  await expect(page.getByRole('alert').filter({ hasText: '“Gauge.jpg” was changed.' })).toBeVisible()
  await viewer.getByRole('button', { name: 'Rename…' }).click()
  await page.getByRole('dialog', { name: 'Rename' }).getByLabel('Name').fill('Gauge at 0.25')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const renamed = page.getByRole('dialog', { name: 'Gauge at 0.25' })
  await expect(renamed).toBeVisible()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    renamed.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('Gauge at 0.25.webp')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('dialog', { name: 'Invoice.pdf' })).toContainText('2 of 2')
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(renamed).toBeVisible()
  await expect(renamed).not.toContainText('of 2')
  const removed = page.getByRole('alert').filter({ hasText: '“Invoice.pdf” was removed.' })
  await removed.getByRole('button', { name: 'Undo' }).click()
  await expect(renamed).toContainText('1 of 2')
  await page.keyboard.press('Escape')
  await expect(files).toContainText('2 of 20')

  await page.goto(`${sample.url}/#bike=${log.bikeId}&view=parts-list&detail=service`)
  await expect(
    page.getByRole('row').filter({ hasText: 'Chain' }).getByRole('img', { name: 'Gauge at 0.25' }),
  ).toBeVisible()
})

test('what can’t be added says why, stores nothing, and leaves the entry’s draft', async ({ page, log }) => {
  const id = await log.add({ name: 'Chain' })
  await openLog(page, `${log.url}&item=${id}`)
  const region = details(page, 'Chain')
  const files = region.getByRole('region', { name: 'Photos and receipts' })
  const cost = field(rowOf(page, id), 'Cost')
  await cost.fill('54')
  const whole = await photo(page, 'Cut off.jpg', { width: 400, height: 300 })
  for (const [given, problem] of [
    [{ ...whole, buffer: whole.buffer.subarray(0, -300) }, '“Cut off.jpg” is damaged. Its end is missing.'],
    [{ ...receipt('Page.pdf'), buffer: Buffer.from('<!doctype html>') }, '“Page.pdf” can’t be added.'],
    [receipt('Manual.pdf', 7.2 * 2 ** 20), '“Manual.pdf” is 7.3 MB. A PDF may be up to 5 MB.'],
  ] as const) {
    await give(region, 'drop', given)
    await expect(files.getByRole('alert')).toContainText(problem)
    await files.getByRole('button', { name: 'Dismiss' }).click()
  }
  expect(await storedFiles(log.owner, id)).toEqual([])

  const twentyOne = Array.from({ length: 21 }, (_, index) => receipt(`${index + 1}.pdf`))
  await choose(files.getByRole('button', { name: 'Add' }), twentyOne)
  await expect(files.getByRole('alert')).toContainText('“21.pdf” was not added. An entry can have 20 files.')
  await expect(files.getByRole('progressbar')).toHaveCount(0)
  await expect(files).toContainText('20 of 20')
  await expect(files.getByRole('button', { name: 'Add' })).toHaveCount(0)
  expect(await storedFiles(log.owner, id)).toHaveLength(20)
  await expect(cost).toHaveValue('54')
  await expect(dirty(page.locator('body'))).toHaveCount(1)
})

test('a pasted photo whose answer is lost is stored once, and closing the page before asks', async ({
  page,
  log,
}) => {
  const id = await log.add({ name: 'Chain' })
  await openLog(page, `${log.url}&item=${id}`)
  const files = details(page, 'Chain').getByRole('region', { name: 'Photos and receipts' })
  let lost = 0
  let asked = 0
  page.on('dialog', (dialog) => {
    if (dialog.type() === 'beforeunload') asked += 1
    void dialog.dismiss()
  })
  await page.route(/functions\/v1\/files\?.*key=/, async (route) => {
    if (lost >= 2) return route.fallback()
    lost += 1
    await route.fetch()
    return route.abort()
  })
  await give(page.locator('body'), 'paste', await photo(page, 'image.png', { width: 400, height: 300 }))
  await expect(files.getByRole('alert')).toContainText('“image.png” may or may not have been added.')
  await page.close({ runBeforeUnload: true })
  await expect.poll(() => asked).toBe(1)
  await files.getByRole('button', { name: 'Try again' }).click()
  await expect(files.getByRole('button', { name: 'image.png' })).toBeVisible()
  await expect(files.getByRole('alert')).toHaveCount(0)
  expect(lost).toBe(2)
  expect(await storedFiles(log.owner, id)).toHaveLength(1)
  await page.reload()
  expect(asked).toBe(1)
})

test('files come back with a deleted entry, stay with their period, and load when they are seen', async ({
  page,
  log,
  sample,
}) => {
  const id = await log.add({ name: 'Chain', kind: 'chain' })
  await openLog(page, `${log.url}&item=${id}`)
  const files = details(page, 'Chain').getByRole('region', { name: 'Photos and receipts' })
  await choose(
    files.getByRole('button', { name: 'Add' }),
    await photo(page, 'Gauge.jpg', { width: 400, height: 300 }),
  )
  await expect(files).toContainText('1 of 20')
  await rowOf(page, id).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click()
  await expect(rowOf(page, id)).toContainText('1 photo or receipt')

  const reads: string[] = []
  page.on('request', (request) => request.url().includes('/functions/v1/files') && reads.push(request.url()))
  await openLog(page, `${sample.url}/#bike=${log.bikeId}`)
  await page.reload()
  await expect(rowOf(page, id)).toContainText('1 photo or receipt')
  expect(reads).toEqual([])

  const other = await log.owner.from('bikes').select('gear_id').neq('gear_id', log.bikeId).limit(1).single()
  const { data: period } = await log.owner.from('maintenance').select('part_id').eq('id', id).single()
  await log.owner.from('maintenance').update({ dateEnded: '2024-05-01 01:00:00' }).eq('id', id)
  const next = {
    bikeId: other.data!.gear_id,
    part_id: period!.part_id,
    name: 'Chain',
    dateStarted: '2024-05-01 01:00:00',
  }
  const moved = await log.owner.from('maintenance').insert(next).select('id').single()
  await page.goto(`${sample.url}/#bike=${other.data!.gear_id}&item=${moved.data!.id}`)
  await expect(files).toContainText('From its other periods')
  await expect(files.getByRole('button', { name: 'Gauge.jpg' }).getByRole('presentation')).toBeVisible()
})

test('on a phone, the camera and the photos are one tap away, and Back closes what is shown whole', async ({
  page,
  log,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const id = await log.add({ name: 'Chain' })
  await openLog(page, log.url)
  await page.getByRole('button', { name: 'Details of Chain' }).click()
  const entry = entryOf(page, 'Chain')
  const files = entry.getByRole('region', { name: 'Photos and receipts' })
  for (const name of ['Camera', 'Choose']) {
    const { width, height } = (await files.getByRole('button', { name }).boundingBox())!
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
    await choose(
      files.getByRole('button', { name }),
      await photo(page, `${name}.jpg`, { width: 400, height: 300 }),
    )
    await expect(files.getByRole('button', { name: `${name}.jpg` })).toBeVisible()
  }
  await expect(files.getByRole('button', { name: 'Add' })).toBeHidden()
  await expectAccessible(page, [390])
  await files.getByRole('button', { name: 'Camera.jpg' }).click()
  const viewer = page.getByRole('dialog', { name: 'Camera.jpg' })
  await expect(viewer.getByRole('img', { name: 'Camera.jpg' })).toBeVisible()
  await expectAccessible(page, [390])
  await page.mouse.move(300, 400)
  await page.mouse.down()
  await page.mouse.move(100, 410, { steps: 4 })
  await page.mouse.up()
  await expect(page.getByRole('dialog', { name: 'Choose.jpg' })).toContainText('2 of 2')
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await expect(entry).toBeVisible()
  expect(await storedFiles(log.owner, id)).toHaveLength(2)
})

test('an export says how large the photos and receipts are, and can leave them out', async ({
  page,
  log,
}) => {
  const id = await log.add({ name: 'Chain' })
  await openLog(page, `${log.url}&item=${id}`)
  const files = details(page, 'Chain').getByRole('region', { name: 'Photos and receipts' })
  await choose(files.getByRole('button', { name: 'Add' }), receipt('Invoice.pdf', 300_000))
  await expect(files).toContainText('1 of 20')
  const dialog = page.getByRole('dialog', { name: 'Export everything' })
  const exported = async (hasFiles: boolean) => {
    await openAccount(page)
    await page.getByRole('button', { name: 'Export' }).press('Enter')
    await page.getByRole('button', { name: 'Everything (JSON)' }).press('Enter')
    await dialog.getByLabel('1 photo or receipt, about 391 kB').setChecked(hasFiles)
    if (hasFiles) await expectAccessible(page, [1440])
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export' }).click(),
    ])
    return JSON.parse(await readFile(await file.path(), 'utf8')) as Record<string, unknown[]>
  }
  const [whole, without] = [await exported(true), await exported(false)]
  expect([whole['entry_files']?.length, without['entry_files']?.length ?? 0]).toEqual([1, 0])
  expect(without['maintenance']).toEqual(whole['maintenance'])
})

test('two fingers and the wheel zoom a photo, one moves it, and swipes and keys turn to the next file', async ({
  page,
  log,
}) => {
  const id = await log.add({ name: 'Chain' })
  await openLog(page, `${log.url}&item=${id}`)
  const files = details(page, 'Chain').getByRole('region', { name: 'Photos and receipts' })
  await choose(files.getByRole('button', { name: 'Add' }), [
    await photo(page, 'One.jpg', { width: 400, height: 300 }),
    receipt('Two.pdf'),
    await photo(page, 'Three.jpg', { width: 400, height: 300 }),
    await photo(page, 'Four.jpg', { width: 400, height: 300 }),
  ])
  await expect(files).toContainText('4 of 20')
  await files.getByRole('button', { name: 'One.jpg' }).click()
  const viewer = page.getByRole('dialog', { name: 'One.jpg' })
  const picture = viewer.getByRole('img', { name: 'One.jpg' })
  await expect(picture).toBeVisible()
  const { x, y, width, height } = (await viewer.getByRole('group', { name: /^Photo One/ }).boundingBox())!
  const [middle, line] = [x + width / 2, y + height / 2]

  await touch(page, [-25, 25], [-100, 100], (at) => [middle + at, line])
  await expect(viewer.getByText('400%')).toBeVisible()
  const before = (await picture.boundingBox())!
  await touch(page, [0], [-40], (at) => [middle, line + at])
  expect((await picture.boundingBox())!.y).toBeCloseTo(before.y - 40, 0)
  await touch(page, [-100, 100], [-20, 20], (at) => [middle + at, line])
  await expect(viewer.getByText('100%')).toBeVisible()
  await touch(page, [60], [-60], (at) => [middle + at, line])
  const isShown = (name: string, place: string) =>
    expect(page.getByRole('dialog', { name })).toContainText(place)
  await isShown('Two.pdf', '2 of 4')
  await touch(page, [60], [-60], (at) => [middle + at, line + 80])
  await isShown('Three.jpg', '3 of 4')
  for (const [key, name, place] of [
    ['ArrowRight', 'Four.jpg', '4 of 4'],
    ['ArrowLeft', 'Three.jpg', '3 of 4'],
    ['ArrowLeft', 'Two.pdf', '2 of 4'],
    ['ArrowLeft', 'One.jpg', '1 of 4'],
    ['ArrowRight', 'Two.pdf', '2 of 4'],
    ['ArrowRight', 'Three.jpg', '3 of 4'],
  ] as const) {
    await page.keyboard.press(key)
    await isShown(name, place)
  }
  const three = page.getByRole('dialog', { name: 'Three.jpg' })
  await expect(three.getByRole('img', { name: 'Three.jpg' })).toBeVisible()
  await page.mouse.move(middle, line)
  await page.mouse.wheel(0, -400)
  await expect(three.getByText('272%')).toBeVisible()
})

/** Moves fingers from one place to another in five steps, as a touchscreen reports them. */
async function touch(page: Page, from: number[], to: number[], place: (at: number) => [number, number]) {
  const devTools = await page.context().newCDPSession(page)
  const points = (share: number) =>
    from.map((start, id) => {
      const [x, y] = place(start + (to[id]! - start) * share)
      return { x, y, id }
    })
  await devTools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: points(0) })
  for (const share of [0.2, 0.4, 0.6, 0.8, 1]) {
    await devTools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: points(share) })
  }
  await devTools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}
