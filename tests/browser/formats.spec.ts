import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { COMMUTER, GRAVEL, ROAD } from '../../sample/gear.ts'
import { axeViolations, PHONE } from './axe.ts'
import { expect, openAccount, openMainScreen, openSettings, signInOwner, test } from './fixtures.ts'

const GERMAN = { distance: 'km', dates: 'DD.MM.YYYY', currency: 'EUR', week_start: 'Monday' }
const CHAIN = 'KMC X11SL chain'

const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name })
const details = (page: Page, name: string) => page.getByRole('region', { name: `Details of ${name}` })

/** Returns texts of the open dialog or the page, also of attributes and fields, that aren't in German formats. Ignores where formats are chosen. */
const wrongTexts = (page: Page) =>
  page.evaluate(() => {
    const WRONG = [
      /\$/,
      /\b(mi|miles?|mph)\b/i,
      /\d\s*ft\b/,
      /\b\d{1,2}\/\d/,
      /MM\/DD|YYYY-/,
      /\b\d{4}-\d\d-\d\d\b/,
      /\b(Jan|Feb|March?|Apr|May|June?|July?|Aug|Sep|Oct|Nov|Dec) \d{1,2}\b/,
    ]
    const ATTRIBUTES = [
      'aria-label',
      'aria-description',
      'aria-valuetext',
      'data-text',
      'placeholder',
      'title',
      'alt',
    ]
    const texts = new Set([document.title])
    const shown = document.querySelector(':modal') ?? document.body
    for (const element of shown.querySelectorAll('*')) {
      if (element.closest('script, style, [aria-labelledby=settings-display]')) continue
      for (const name of ATTRIBUTES) texts.add(element.getAttribute(name) ?? '')
      if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
        texts.add(element.value)
      // With children that only hold text, such as <small>.
      if (![...element.children].some(({ childElementCount }) => childElementCount > 0))
        texts.add(element.textContent)
    }
    texts.delete('Use miles')
    return [...texts].filter((text) => WRONG.some((wrong) => wrong.test(text)))
  })

test('every screen is in the owner’s formats', async ({ page, sample }) => {
  test.setTimeout(180_000)
  page.setDefaultTimeout(10_000)
  const owner = await signInOwner(sample.url)
  await owner.from('settings').upsert(GERMAN, { onConflict: 'is_the_one' })
  const bell = { bikeId: ROAD, name: 'Bell', cost: 12.5, dateStarted: '2024-03-01 14:30:00' }
  const { data: added } = await owner.from('maintenance').insert(bell).select('id').single()
  await owner.from('maintenance').update({ cost: 13 }).eq('id', added!.id)
  await owner.from('maintenance').delete().eq('id', added!.id)
  const main = page.getByRole('main')
  const dialog = page.getByRole('dialog')

  const check = async (screen: string) => expect.soft(await wrongTexts(page), screen).toEqual([])
  const checkDialog = async (name: string) => {
    await expect(dialog).toBeVisible()
    await expect(dialog).not.toContainText('Loading')
    await check(name)
  }
  const close = async () => {
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
  const discard = async () => {
    await page.keyboard.press('Escape')
    await button(page, 'Discard').click()
    await expect(dialog).toHaveCount(0)
  }

  await test.step('the Garage', async () => {
    await openMainScreen(page, `${sample.url}/#garage`)
    await expect(main).toContainText('€')
    await expect(main).toContainText(/[\d,]+\skm/)
    await expect(page.getByRole('region', { name: 'To check' })).toBeVisible()
    for (const all of await button(page, /^Show (all|\d+ more)/).all()) await all.click()
    await check('Overview')
    await button(page.getByRole('region', { name: 'Due', exact: true }), 'Snooze')
      .first()
      .click()
    await checkDialog('Snooze')
    await close()
    await page.getByRole('tab', { name: 'Lifetimes' }).click()
    const kinds = page.getByRole('region', { name: 'Lifetimes', exact: true })
    const closed = kinds.getByRole('heading').getByRole('button', { expanded: false })
    await expect(closed).not.toHaveCount(0)
    for (let left = await closed.count(); left > 0; left -= 1) await closed.first().click()
    await kinds.getByRole('listitem').getByRole('button', { expanded: false }).first().click()
    await check('Lifetimes')
    await page.getByRole('tab', { name: 'Spending' }).click()
    await expect(main.getByRole('img', { name: /^Spending from/ })).toBeVisible()
    await main.getByText('Table', { exact: true }).click()
    await check('Spending')
  })

  await test.step('the log', async () => {
    await page.goto(`${sample.url}/#bike=${ROAD}&show=all`)
    await expect(page.getByRole('row', { name: 'Total Cost:' })).toContainText('€')
    await button(page, /^\d+ tasks?$/).click()
    await check('Log')
    await button(page, `Details of ${CHAIN}`).click()
    await expect(details(page, CHAIN).getByRole('heading', { name: 'History' })).toBeVisible()
    await details(page, CHAIN)
      .getByText(/^Service history/)
      .click()
    await check('Details')
    await button(details(page, CHAIN), /^Likely about/)
      .first()
      .click()
    await checkDialog('Forecast')
    await close()
    await button(details(page, CHAIN), 'Add service task').click()
    await dialog.getByLabel('Last done').fill('x')
    await checkDialog('Add service task')
    await discard()
    await button(details(page, CHAIN), /^Edit .* of /)
      .first()
      .click()
    await dialog.getByLabel('Day').fill('x')
    await checkDialog('Edit event')
    await discard()
    await button(details(page, CHAIN), 'Add measurement').click()
    await dialog.getByText('Day, unit, tool, limit and note').click()
    await dialog.getByLabel('Day').fill('31.12.2099')
    await checkDialog('Measurement')
    await discard()
    await button(details(page, CHAIN), 'Move…').click()
    await checkDialog('Move')
    await close()
    for (const action of ['Store…', 'Change install date…', 'What if…']) {
      await button(details(page, CHAIN), 'More').click()
      await button(details(page, CHAIN), action).click()
      await checkDialog(action)
      await close()
    }
    await button(details(page, CHAIN), /earlier usage|Before this log/i)
      .first()
      .click()
    await checkDialog('Earlier usage')
    await close()
    await button(details(page, CHAIN), 'Replace…').click()
    const line = page.getByLabel(`Replace ${CHAIN}`, { exact: true })
    await line.getByRole('textbox', { name: 'Start' }).fill('31.12.2019')
    await check('Replace')
    await line.getByRole('textbox', { name: 'Cost' }).fill('12.99')
    await check('Replace with a hint')
    await button(line, 'Cancel').click()
    const row = page.getByRole('row').filter({ has: button(page, `Details of ${CHAIN}`) })
    await row.getByRole('textbox', { name: 'Start' }).fill('31.02.2024')
    await check('an impossible date')
    await row.getByRole('textbox', { name: 'Start' }).fill('1.1.2099')
    await row.getByRole('textbox', { name: 'End' }).fill('1.1.2020')
    await check('an end before the start')
    await row.getByRole('textbox', { name: 'Cost' }).fill('99999999')
    await check('too high a cost')
  })

  await test.step('the other pages of a bike', async () => {
    await page.goto(`${sample.url}/#bike=${ROAD}&view=timeline`)
    const timeline = page.getByRole('group', { name: /^Timeline of the log/ })
    await expect(timeline.getByRole('img', { name: /^Kilometers per month/ })).toBeVisible()
    await timeline.getByRole('link', { name: /^Fizik Antares/ }).hover()
    await check('Timeline')
    await page.getByLabel('Show parts on', { exact: true }).fill('1.1.2022')
    await expect(page.getByRole('region', { name: 'Parts on 01.01.2022' })).toBeVisible()
    await check('Parts on a day')
    await page.getByLabel('Show parts on', { exact: true }).fill('1.1.2019')
    await check('before the log')
    for (const day of ['', '&day=2099-01-01']) {
      await page.goto(`${sample.url}/#bike=${ROAD}&view=parts-list${day}`)
      await expect(page.getByRole('article')).toBeVisible()
      await check(`Parts list${day}`)
    }
    await page.goto(`${sample.url}/#bike=${GRAVEL}`)
    await button(page, 'Bike: More').click()
    await button(page.locator('[popover]:popover-open'), 'Set up this bike').click()
    await dialog.getByRole('checkbox').first().check()
    await dialog.getByRole('textbox', { name: 'Start' }).first().fill('x')
    await button(dialog, 'Save').click()
    await checkDialog('Set up this bike')
    await page.keyboard.press('Escape')
    await button(page, 'Discard').click()
  })

  await test.step('the rides', async () => {
    await page.goto(`${sample.url}/#bike=${COMMUTER}&tab=rides`)
    await expect(page.getByRole('figure')).toContainText(/^Distance by/)
    for (const period of ['Year', 'Month', 'Week']) {
      const choice = page.getByRole('radio', { name: period, exact: true })
      if (await choice.isEnabled()) await choice.check()
      await check(`Rides by ${period}`)
    }
    await page.goto(`${sample.url}/#bike=${COMMUTER}&tab=rides&from=2026-09-01&min=10000`)
    await page.getByLabel('From', { exact: true }).fill('x')
    await check('Ride filters')
    await page.goto(`${sample.url}/#bike=${COMMUTER}&tab=rides&use=all`)
    await expect(page.getByText(/^All rides on/)).toBeVisible()
    await check('Drill-down')
    await button(page, 'What changed').click()
    await checkDialog('What changed')
    await close()
  })

  await test.step('what is on every page', async () => {
    await openSettings(page)
    await check('Settings')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      button(page, 'Import').press('Enter'),
    ])
    const text = `Bike,Name,Start,End,Cost\nBlue Domane,Bell,1.3.2024,,12.5\nBlue Domane,Horn,2.3.2024,31.2.2024,1.2.3\n`
    await chooser.setFiles({ name: 'log.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await expect(dialog).toContainText('can’t be imported')
    await check('Import')
    await close()
    await openAccount(page)
    await button(page, 'History').click()
    await expect(dialog.getByRole('listitem').filter({ hasText: 'Deleted Bell, 01.03.2024' })).toBeVisible()
    await expect(dialog).toContainText('Cost €12.50 → €13.00')
    await check('History')
    await close()
    await page.keyboard.press('Control+k')
    await dialog.getByRole('combobox', { name: 'Search' }).fill('chain')
    await expect(dialog.getByRole('option').first()).toBeVisible()
    await check('Command menu')
    await close()
  })

  await test.step('a phone', async () => {
    await page.setViewportSize({ width: PHONE, height: 812 })
    for (const address of [`bike=${ROAD}`, `bike=${ROAD}&tab=rides`]) {
      await page.goto(`${sample.url}/#${address}`)
      await expect(main).toContainText(/\d\skm/)
      await check(`${address} on a phone`)
    }
  })
})

test.describe('a browser in German', () => {
  test.use({ locale: 'de-DE', ownContext: true })

  test('offers its formats once, saves what is typed in them, and exports neutral files', async ({
    page,
    sample,
  }) => {
    const owner = await signInOwner(sample.url)
    const bell = { bikeId: GRAVEL, name: 'Bell', cost: 12, dateStarted: '2024-04-01 01:00:00' }
    const { data } = await owner.from('maintenance').insert(bell).select('id').single()
    const stored = async () =>
      (await owner.from('maintenance').select('cost, dateStarted').eq('id', data!.id).single()).data
    const settings = async () => (await owner.from('settings').select('*').single()).data

    const offer = page.getByRole('region', { name: 'Settings of this browser' })
    await openMainScreen(page, `${sample.url}/#garage`)
    await expect(offer).toContainText('Use kilometers, 22.11.2026 and €?')
    expect(await axeViolations(page)).toEqual([])
    await button(offer, 'Use these').click()
    await expect(offer).toHaveCount(0)
    const card = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: 'Open Blue Domane' }) })
    // Early in a year, it may have cost nothing or not been ridden.
    await expect(card).toContainText(/[\d,]+\skm(, €[\d,]+)? this year|not ridden this year/)
    await expect.poll(settings).toMatchObject(GERMAN)
    await page.reload()
    await expect(card).toContainText('this year')
    await expect(offer).toHaveCount(0)

    await page.getByRole('link', { name: 'Open Warbird' }).click()
    const row = page.getByRole('row').filter({ has: button(page, 'Details of Bell') })
    const [start, cost] = ['Start', 'Cost'].map((name) => row.getByRole('textbox', { name }))
    await expect(start!).toHaveValue('01.04.2024')
    await start!.fill('3.2.24')
    await start!.press('Escape')
    await button(row, 'SAVE').click()
    await expect(start!).toHaveValue('03.02.2024')
    await expect(cost!).toHaveValue('€12.00')
    await cost!.fill('45 €')
    await cost!.press('Enter')
    await expect(cost!).toHaveValue('€45.00')
    await expect.poll(stored).toEqual({ cost: 45, dateStarted: '2024-02-03T01:00:00' })
    await start!.click()
    const calendar = page.getByRole('dialog', { name: 'Choose Date' })
    await expect(calendar.getByRole('columnheader').first()).toContainText('Monday')
    await expect(calendar.getByRole('gridcell', { name: 'Choose Monday, 5 February 2024' })).toBeVisible()
    await start!.press('Escape')

    await openAccount(page)
    await button(page, 'Export').press('Enter')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Log of this bike (CSV)').press('Enter'),
    ])
    const csv = await readFile(await file.path(), 'utf8')
    expect(csv).toContain('Use Kilometers')
    expect(csv).toContain(',Bell,,45,2024-02-03,')
  })
})
