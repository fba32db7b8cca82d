// A rider's one visit: each story goes on where the one before it ended.
import { expect } from 'vitest'
import { COMMUTER, GRAVEL, ROAD } from '../../sample/gear.ts'
import { KEY, until, type Page } from './page.ts'

interface Visit {
  page: Page
  url: string
  stopTracker: () => Promise<unknown>
}

const PAGES = [
  ['garage', 'heading', 'Garage'],
  ['garage&tab=lifetimes', 'region', 'Lifetimes'],
  ['garage&tab=spending', 'region', 'Spending'],
  ['rides', 'heading', 'Rides of all bikes'],
  ['settings', 'select', 'Currency'],
  [`bike=${ROAD}`, 'text', /^Total Cost/],
  [`bike=${ROAD}&view=timeline`, 'link', /^Fizik Antares R3/],
  [`bike=${ROAD}&tab=rides`, 'link', /./],
  [`bike=${ROAD}&view=parts-list`, 'article', 'Blue Domane'],
] as const

const PART = 'Test tire'
const details = (page: Page) => page.within('region', `Details of ${PART}`)
const countEntries = (page: Page) =>
  page.run((part) => document.querySelectorAll(`[aria-label="Details of ${part}"]`).length, PART)

async function openDetails(page: Page) {
  await page.click('button', `Details of ${PART}`)
  await details(page).see('heading', 'History')
}
const entry = (page: Page) => page.within(`tr:has([aria-label="Details of ${PART}"])`)

/** Applies the print styles to the screen, or removes them. */
const setPrinting = (page: Page, isPrinting: boolean) =>
  page.run((isPrinting) => {
    const [from, to] = isPrinting ? ['print', 'screen, print'] : ['screen, print', 'print']
    const apply = (rules: CSSRuleList) => {
      for (const rule of rules) {
        if (rule instanceof CSSMediaRule && rule.media.mediaText === from) rule.media.mediaText = to!
        else if (rule instanceof CSSGroupingRule) apply(rule.cssRules)
      }
    }
    for (const sheet of document.styleSheets) apply(sheet.cssRules)
  }, isPrinting)

const isScrolledTo = (page: Page, top: number) =>
  until(`scrolling to ${top}`, async () => (await page.run(() => scrollY)) === top)

async function signIn(page: Page, password: string) {
  await page.fill('owner@example.com', 'textbox', 'Email')
  await page.fill(password, 'textbox', 'Password')
  await page.click('button', 'Sign in')
}

export const STORIES: Record<string, (visit: Visit) => Promise<void>> = {
  async 'signs in'({ page, url }) {
    await page.driver.navigate(url)
    expect(await page.run(() => matchMedia('(hover: hover) and (pointer: fine)').matches)).toBe(true)
    await signIn(page, 'wrong')
    await page.see('alert', 'Wrong email or password.')
    await page.fill('password', 'textbox', 'Password')
    await page.type(KEY.Enter)
    await page.see('heading', 'Garage')
  },

  async 'shows and prints every page'({ page, url }) {
    for (const [width, height] of [
      [1440, 900],
      [820, 1180],
      [390, 844],
    ] as const) {
      await page.driver.resize(width, height)
      for (const [place, role, name] of PAGES) {
        await page.driver.navigate(`${url}/#${place}`)
        await page.see(role, name)
        await page.see('banner')
        expect(await page.run(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
        // Paper is about as wide as a tablet.
        if (width === 820) {
          await setPrinting(page, true)
          await page.gone('banner')
          const grids = await page.run(gridsAround, 'li[data-item], li[data-row]')
          await setPrinting(page, false)
          // In a grid, Firefox cuts through lines at the end of a page.
          expect(grids).toEqual([])
        }
      }
    }
    await page.driver.resize(1440, 900)
  },

  async 'returns to where a page was, and shows a new entry on a phone'({ page, url }) {
    await page.driver.resize(390, 844)
    await page.driver.navigate(`${url}/#garage`)
    // Scrolls down to it.
    await page.see('link', 'Open Hardtail')
    const top = await page.run(() => scrollY)
    await page.click('link', 'Open Hardtail')
    await page.see('text', /^Total Cost/)
    expect([top > 0, await page.run(() => scrollY)]).toEqual([true, 0])
    await page.run(() => history.back())
    await isScrolledTo(page, top)
    await page.driver.navigate(`${url}/#bike=${ROAD}&tab=rides`)
    await until('all rides', () => page.run(() => document.body.offsetHeight > 9000))
    await page.run(() => scrollTo(0, 4000))
    await until('remembering', () => page.run(() => history.state?.top === 4000))
    await page.driver.reload()
    await isScrolledTo(page, 4000)
    await page.driver.navigate(`${url}/#bike=${GRAVEL}`)
    await page.click('button', '+ADD ROW')
    await page.fill('Bell', 'textbox', 'Name')
    // Only its content scrolls.
    const [height, shown] = await page.run(() => {
      const dialog = document.querySelector('dialog')!
      return [dialog.scrollHeight, dialog.clientHeight]
    })
    expect(height).toBe(shown)
    await page.within('dialog').click('button', 'SAVE')
    const toast = await page.see('alert', /^“Bell” was added\./)
    const line = await page.see('[aria-label="Details of Bell"]:focus')
    expect(line.top).toBeGreaterThan(0)
    expect(line.bottom).toBeLessThan(toast.top)
    await page.within('alert').click('button', 'Undo')
    await page.gone('button', 'Details of Bell')

    const tire = 'Continental GP 5000 S TR 30, rear'
    await page.driver.navigate(`${url}/#bike=${ROAD}`)
    await page.click('button', `Details of ${tire}`)
    await page.within('dialog', tire).click('button', 'Add service task')
    const form = page.within('dialog', 'Add service task')
    const [every, once] = [await form.see('radio', 'Every'), await form.see('radio', 'Once')]
    expect([once.top, once.left]).toEqual([every.top, every.right])
    await form.click('button', 'Cancel')
    await form.gone('button', 'Cancel')
    await page.driver.resize(1440, 900)
  },

  async 'adds a log entry, and edits and saves each kind of cell'({ page, url }) {
    await page.driver.navigate(`${url}/#bike=${GRAVEL}`)
    await page.see('text', /^Total Cost/)
    await page.click('button', '+ADD ROW')
    await page.see('[placeholder="+ Add New Maintenance"]:focus')
    await page.type(PART + KEY.Enter)
    const row = entry(page)
    await row.fill('Longer than the field in its column', 'textbox', 'Description')
    const { left, right } = await row.see('textbox', 'Description')
    expect(right - left).toBeGreaterThan(250)
    await row.click('button', 'SAVE')
    await row.gone('button', 'SAVE')
    await row.fill(`$12.50${KEY.Enter}`, 'textbox', 'Cost')
    await row.seeValue('$12.00', 'textbox', 'Cost')
    await row.choose('Tires', 'select', 'Type')
    await row.click('button', 'SAVE')
    await row.gone('button', 'SAVE')
    await row.fill(`3/9/2024${KEY.Enter}`, 'textbox', 'Start')
    await row.seeValue('03/09/2024', 'textbox', 'Start')
    await row.gone('button', 'SAVE')
    await row.click('textbox', 'Start')
    await page.click('gridcell', 'Choose Tuesday, March 5, 2024')
    await row.click('button', 'SAVE')
    await row.gone('button', 'SAVE')
    await row.seeValue('03/05/2024', 'textbox', 'Start')
  },

  async 'adds a photo upright, and shows it whole'({ page }) {
    await openDetails(page)
    const photos = details(page).within('region', 'Photos and receipts')
    await photos.see('button', /^Add/)
    await page.run(dropPhoto)
    await photos.see('button', 'Gauge.jpg')
    const small = await until('the thumbnail', () => page.run(sizeOf, '[data-files] img'))
    expect(small).toEqual([180, 240])
    await photos.click('button', 'Gauge.jpg')
    const viewer = page.within('dialog', 'Gauge.jpg')
    expect(await until('the photo', () => page.run(sizeOf, 'dialog [data-stage] img'))).toEqual([1536, 2048])
    await viewer.click('button', 'Zoom in')
    await viewer.see('text', '150%')
    await viewer.click('button', 'Remove')
    await page.gone('dialog')
    await photos.gone('button', 'Gauge.jpg')
    await page.click('button', `Details of ${PART}`)
  },

  async 'replaces a part and undoes it, and moves a part'({ page, url }) {
    await openDetails(page)
    await details(page).click('button', 'Replace…')
    await page.see('[data-field=cost] input:focus')
    await page.type(KEY.Enter)
    await until('two entries', async () => (await countEntries(page)) === 2)
    await page.within('alert', /was replaced/).click('button', 'Undo')
    await until('one entry', async () => (await countEntries(page)) === 1)
    await page.driver.navigate(`${url}/#bike=${GRAVEL}`)
    await openDetails(page)
    await details(page).click('button', 'Move…')
    const dialog = page.within('dialog', 'Move…')
    await dialog.choose('Surly Cross-Check', 'select', 'To bike')
    await dialog.see('text', /^Comes off/)
    await dialog.click('button', 'Move')
    await page.gone('dialog')
    await page.within('group', 'Bikes').click('button', /^Surly Cross-Check/)
    await entry(page).see('textbox', 'Name')
  },

  async 'marks a task as done and undoes it'({ page, url }) {
    await page.driver.navigate(`${url}/#garage`)
    const task = page.within('region', 'Due').within('li:has(button)')
    const { text } = await task.see('.state, [data-state]')
    await task.click('button', 'Done')
    await task.click('button', 'Undo')
    await task.see('text', text)
    await task.see('button', /Snooze/)
  },

  async 'opens menus next to their buttons, and closes them'({ page, url }) {
    await page.driver.navigate(`${url}/#bike=${COMMUTER}`)
    await openDetails(page)
    for (const [place, name] of [
      [page.within('banner'), 'Account'],
      [details(page), 'More'],
    ] as const) {
      await place.click('button', name)
      const panel = await page.see('[popover]:popover-open:not(:empty)')
      const button = (await place.find(['button', name]))!
      expect(Math.min(Math.abs(panel.top - button.bottom), Math.abs(button.top - panel.bottom))).toBeLessThan(
        9,
      )
      expect(panel.left < button.right && panel.right > button.left).toBe(true)
      await page.type(KEY.Escape)
      await page.gone('[popover]:popover-open')
      await place.click('button', name)
      await page.see('[popover]:popover-open')
      await page.clickAt(5, 300)
      await page.gone('[popover]:popover-open')
    }
  },

  async 'finds a bike in the command menu, and closes it'({ page }) {
    await page.type('k', true)
    await page.see('dialog', 'Command menu')
    await page.type('warbird')
    await page.see('option', /Warbird/)
    await page.type(KEY.Enter)
    await page.see('heading', 'Warbird')
    await page.type('k', true)
    await page.see('option', /./)
    await page.type(KEY.Escape)
    await page.gone('dialog')
    await page.type('k', true)
    await page.see('option', /./)
    await page.clickAt(5, 300)
    await page.gone('dialog')
  },

  async 'shows the log as a timeline'({ page, url }) {
    await page.driver.navigate(`${url}/#bike=${ROAD}`)
    await page.click('radio', 'Timeline')
    await page.click('link', /^Fizik Antares R3/)
    await page.see('region', 'Details of Fizik Antares R3')
  },

  async 'scrolls and filters rides, and hides a column'({ page, url }) {
    await page.driver.navigate(`${url}/#bike=${ROAD}&tab=rides`)
    await page.see('columnheader', /^Max HR/)
    await page.click('button', 'Columns')
    await page.click('checkbox', 'Max HR')
    await page.type(KEY.Escape)
    await page.gone('columnheader', /^Max HR/)
    await page.run(() => {
      const scroller = document.querySelector('table[aria-rowcount]')!.parentElement!
      scroller.scrollTo(0, scroller.scrollHeight)
    })
    const last = await page.run(() => Number(document.querySelector('table')!.ariaRowCount) - 1)
    await page.see(`[aria-rowindex="${last}"] a`)
    await page.fill('2024', 'textbox', 'Search names')
    await until('fewer rides', () =>
      page.run((last) => Number(document.querySelector('table')?.ariaRowCount ?? 0) < last, last),
    )
  },

  async 'changes a setting, and makes and revokes a token'({ page, url }) {
    await page.driver.navigate(`${url}/#settings`)
    await page.choose('22.11.2026', 'select', 'Dates')
    await page.see('text', /^22 Nov 2026/)
    await page.choose('11/22/2026', 'select', 'Dates')
    await page.see('text', /^Nov 22, 2026/)
    await page.click('button', 'New token…')
    await page.fill('Home Assistant', 'textbox', 'Name')
    await page.click('button', 'Create')
    await page.see('text', /^rmt_/)
    await page.type(KEY.Escape)
    await page.gone('dialog')
    await page.click('button', 'Revoke')
    await page.gone('text', 'Home Assistant')
  },

  async 'changes the password and signs out'({ page }) {
    await page.click('button', 'Account')
    await page.click('button', 'Settings')
    await page.click('button', 'Change password')
    await page.fill('another password', 'textbox', 'New password')
    await page.fill('another password', 'textbox', 'Confirm password')
    await page.click('button', 'Change password')
    await page.see('alert', /Password changed/)
    await page.click('button', 'Sign Out')
    await page.see('textbox', 'Password')
  },

  async 'shows the log offline after a reload, keeps a change, and signs out'({ page, url, stopTracker }) {
    await page.driver.navigate(`${url}/#bike=${COMMUTER}`)
    await signIn(page, 'another password')
    await entry(page).see('textbox', 'Name')
    await page.run(() => navigator.serviceWorker.ready.then(() => null))
    // The browser caches data when it is idle.
    await until('the cached log', () => page.run(isCached, `/log/${COMMUTER}`))
    await stopTracker()
    await page.driver.reload()
    await page.see('status', /^Offline\. Showing data from /)
    await entry(page).fill(`$15.00${KEY.Enter}`, 'textbox', 'Cost')
    await page.see('status', '1 change waits for the network. Totals leave out what waits.')
    await page.driver.reload()
    await page.see('status', '1 change waits for the network. Totals leave out what waits.')
    await entry(page).seeValue('$15.00', 'textbox', 'Cost')
    await page.click('button', 'Sign Out')
    await page.click('button', 'Discard and sign out')
    await page.see('textbox', 'Password')
  },
}

/** Drops a camera's photo, which lies on its side, on the open details. Runs in the page. */
async function dropPhoto(): Promise<null> {
  const canvas = Object.assign(document.createElement('canvas'), { width: 2400, height: 1800 })
  canvas.getContext('2d')!.fillRect(0, 0, 1200, 1800)
  const drawn = await new Promise<Blob>((resolve) => canvas.toBlob((blob) => resolve(blob!), 'image/jpeg'))
  // Orientation 6: its right side is the bottom.
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
  const exif = [...new TextEncoder().encode('Exif\0\0'), ...tiff]
  const head = Uint8Array.of(0xff, 0xd8, 0xff, 0xe1, 0, exif.length + 2, ...exif)
  const data = new DataTransfer()
  data.items.add(new File([head, drawn.slice(2)], 'Gauge.jpg'))
  const drop = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data })
  document.querySelector('[data-details]')!.dispatchEvent(drop)
  return null
}

/** Returns the classes of grids that contain the first line. Runs in the page. */
function gridsAround(line: string): string[] {
  const grids = []
  for (let element = document.querySelector(line)?.parentElement; element; element = element.parentElement)
    if (getComputedStyle(element).display === 'grid') grids.push(element.className)
  return grids
}

/** Returns a picture's width and height once it is there. Runs in the page. */
function sizeOf(selector: string): [number, number] | null {
  const picture = document.querySelector<HTMLImageElement>(selector)
  return picture?.complete ? [picture.naturalWidth, picture.naturalHeight] : null
}

/** Returns whether data is cached for offline use. Runs in the page. */
function isCached(key: string): Promise<boolean> {
  return new Promise((resolve) => {
    const opening = indexedDB.open('cache')
    opening.addEventListener('success', () => {
      const database = opening.result
      const keys = database.transaction('snapshots').objectStore('snapshots').getAllKeys()
      keys.addEventListener('success', () => {
        database.close()
        resolve(keys.result.some((one) => typeof one === 'string' && one.endsWith(key)))
      })
    })
  })
}
