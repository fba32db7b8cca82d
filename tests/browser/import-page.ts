import type { Page } from '@playwright/test'
import { expect, openSettings } from './fixtures.ts'

export const dialog = (page: Page) => page.getByRole('dialog')

/** Chooses a file in Settings, and waits until it was read. */
export async function choose(page: Page, text: string, name = 'log.csv') {
  await openSettings(page)
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Import', exact: true }).press('Enter'),
  ])
  await chooser.setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  await expect(dialog(page).getByRole('heading', { name: `Import ${name}` })).toBeVisible()
  await expect(dialog(page).getByRole('status')).not.toHaveText(/^Loading/)
}
