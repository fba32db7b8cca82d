import { bikes, signInOwner } from './fixtures.ts'
import { banner, expect, test, visit } from './offline-page.ts'
import { choose, photo, receipt, storedFiles } from './photos.ts'

const BIKE = 'Surly Cross-Check'
const NAME = 'Chain from the basement'

test.use({ serviceWorkers: 'allow', ownContext: true })

test('a photo taken offline waits with its new entry over a reload, and both are saved once', async ({
  page,
  tracker,
}) => {
  await visit(page, tracker.url, BIKE)
  const status = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text })
  const files = page.getByRole('region', { name: `Details of ${NAME}` }).getByRole('region', {
    name: 'Photos and receipts',
  })
  const shot = await photo(page, 'Gauge.jpg', { width: 800, height: 600 })
  await tracker.down()
  await page.reload()
  await expect(banner(page)).toBeVisible()
  await page.getByRole('button', { name: '+ADD ROW', exact: true }).click()
  await page.getByPlaceholder('+ Add New Maintenance').fill(NAME)
  await page.getByPlaceholder('+ Add New Maintenance').press('Enter')
  await expect(status('1 change waits for the network')).toBeVisible()
  await page.getByRole('button', { name: `Details of ${NAME}` }).click()
  await choose(files.getByRole('button', { name: 'Add' }), [shot, receipt('Invoice.pdf')])
  await expect(status('3 changes wait for the network')).toBeVisible()

  await page.reload()
  await expect(files).toContainText('2 of 20, 2 on the way')
  await expect(
    files.getByRole('button', { name: 'Gauge.jpg, waiting' }).getByRole('presentation'),
  ).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: NAME }).first()).toContainText('2 photos and receipts')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  const list = page.getByRole('dialog', { name: 'Changes that wait' })
  await expect(list.getByRole('listitem')).toHaveCount(3)
  await list
    .getByRole('listitem')
    .filter({ hasText: 'Add: “Invoice.pdf”' })
    .getByRole('button', { name: 'Remove' })
    .click()
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await list.getByRole('button', { name: 'Close', exact: true }).click()
  const contents = () =>
    page.evaluate(async () => {
      const open = indexedDB.open('outbox')
      await new Promise((resolve) => open.addEventListener('success', resolve))
      const keys = open.result.transaction('changes').objectStore('changes').getAllKeys()
      await new Promise((resolve) => keys.addEventListener('success', resolve))
      open.result.close()
      return keys.result.filter((key) => typeof key === 'string' && key.startsWith('bytes/')).length
    })
  expect(await contents()).toBe(1)

  await tracker.up()
  await expect(status(/wait/)).toHaveCount(0)
  await expect(files).toContainText('1 of 20')
  await expect(
    files.getByRole('button', { name: 'Gauge.jpg', exact: true }).getByRole('presentation'),
  ).toBeVisible()
  expect(await contents()).toBe(0)
  const owner = await signInOwner(tracker.url)
  const { data } = await owner.from('maintenance').select('id').eq('name', NAME)
  expect(await storedFiles(owner, data![0]!.id)).toMatchObject([
    { name: 'Gauge.jpg', media_type: 'image/webp' },
  ])
  expect(data).toHaveLength(1)
})

test('a photo whose connection drops waits, and a browser without room says that it can’t', async ({
  page,
  tracker,
}) => {
  await visit(page, tracker.url, BIKE)
  await expect(bikes(page)).toBeVisible()
  const shot = await photo(page, 'Gauge.jpg', { width: 800, height: 600 })
  await page
    .getByRole('button', { name: /^Details of / })
    .first()
    .click()
  const files = page.getByRole('region', { name: 'Photos and receipts' })
  await expect(files.getByRole('button', { name: 'Add' })).toBeVisible()
  await tracker.down()
  await choose(files.getByRole('button', { name: 'Add' }), shot)
  await expect(files.getByRole('button', { name: 'Gauge.jpg, waiting' })).toBeVisible()
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('No room', 'QuotaExceededError')
    }
  })
  await choose(files.getByRole('button', { name: 'Add' }), { ...shot, name: 'Second.jpg' })
  await expect(files.getByRole('alert')).toContainText(
    '“Second.jpg” was not added. The tracker cannot be reached, and this browser has no room to keep the change.',
  )
  await expect(files.getByRole('alert').getByRole('button', { name: 'Try again' })).toBeVisible()
})
