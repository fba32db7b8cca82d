// Times how long content takes until it is painted, on the page's clock.
import type { Page } from '@playwright/test'

declare global {
  interface Window {
    /** Resolves to the time of the frame that paints an element. */
    painted: (selector: string) => Promise<number>
    timed: Promise<number>
  }
}

/** Adds `window.painted` to every document that a page opens. */
export const addPainted = (page: Page) =>
  page.addInitScript(() => {
    window.painted = (selector) =>
      new Promise((resolve) => {
        const look = () => requestAnimationFrame(document.querySelector(selector) === null ? look : resolve)
        look()
      })
  })

/** Opens or reloads a page. Resolves to the milliseconds until an element is painted. */
export async function timeOpening(
  page: Page,
  open: () => Promise<unknown>,
  selector: string,
): Promise<number> {
  await open()
  return page.evaluate((selector) => window.painted(selector), selector)
}

/** Acts on a page. Resolves to the milliseconds from the first event of a type until an element, or anything, is painted. */
export async function timeEvent(
  page: Page,
  type: string,
  act: () => Promise<unknown>,
  selector = 'html',
): Promise<number> {
  await page.evaluate(
    ([type, selector]) => {
      window.timed = new Promise((resolve) => {
        const time = async ({ timeStamp }: Event) => {
          await window.painted(selector)
          // A message sent in an animation frame arrives after that frame is painted.
          const { port1, port2 } = new MessageChannel()
          port1.addEventListener('message', () => resolve(performance.now() - timeStamp))
          port1.start()
          port2.postMessage(null)
        }
        addEventListener(type, (event) => void time(event), { capture: true, once: true })
      })
    },
    [type, selector] as const,
  )
  await act()
  return page.evaluate(() => window.timed)
}
