import { expect, type Page } from '@playwright/test'
import axe, { type ElementContext, type RunOptions } from 'axe-core'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * Axe violations of WCAG 2.2 A and AA and of best practices, one per line. Of an open modal dialog or menu only, since
 * checking the page behind it takes up to a second and finds what it finds without.
 */
export async function findings(page: Page): Promise<string[]> {
  // The page keeps axe until the next load. @axe-core/playwright loads it twice per check, for five times the CPU time.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  return page.evaluate(async (tags) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
    const shown: ElementContext = document.querySelector(':modal, :popover-open') ?? document
    const options: RunOptions = { runOnly: tags, resultTypes: ['violations'] }
    const { violations } = await axe.run(shown, options)
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`,
    )
  }, TAGS)
}

export const PHONE = 375
const WIDTHS = [1440, PHONE]

/** Expects no axe violations and no sideways scrolling, by default at the width of a desktop and of a phone. */
export async function expectAccessible(page: Page, widths = WIDTHS) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 812 })
    expect(await findings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
}
