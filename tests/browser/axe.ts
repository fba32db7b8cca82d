import { expect, type Page } from '@playwright/test'
import axe, { type ElementContext, type RunOptions } from 'axe-core'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Lists axe violations, one per string. Checks only the open dialog or menu, if any, because checking the page behind it again is slow. */
export async function axeViolations(page: Page): Promise<string[]> {
  // The page keeps axe until it reloads. @axe-core/playwright loads axe twice per check, for five times the CPU time.
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

/** Expects no axe violations and no horizontal scrolling. */
export async function expectAccessible(page: Page, widths = WIDTHS) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 812 })
    expect(await axeViolations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
}
