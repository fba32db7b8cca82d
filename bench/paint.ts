// What runs in the page: how long it takes from what the owner does until it is on the screen.
import type { Page } from '@playwright/test'

declare global {
  interface Window {
    /** Milliseconds from a key or a press to the end of the next frame, the last one first. */
    paints: number[]
  }
}

/** Makes the page take the time of every key and press. */
export async function watchPaints(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.paints = []
    // A message comes after the frame has been drawn.
    const drawn = new MessageChannel()
    const waiting: number[] = []
    drawn.port1.addEventListener('message', () => {
      for (const start of waiting.splice(0)) window.paints.unshift(performance.now() - start)
    })
    drawn.port1.start()
    for (const type of ['click', 'keydown']) {
      addEventListener(
        type,
        (event) => {
          waiting.push(event.timeStamp)
          requestAnimationFrame(() => drawn.port2.postMessage(null))
        },
        { capture: true },
      )
    }
  })
}

/** The time that `act`, one key or press, took to the next paint. */
export async function timeToPaint(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => (window.paints = []))
  await act()
  await page.waitForFunction(() => window.paints.length > 0)
  // What was put off until after the paint is not mixed into the next measurement.
  await page.waitForTimeout(300)
  return page.evaluate(() => window.paints.at(-1)!)
}

/** Scrolls an element for some seconds and returns how long each frame took, in milliseconds. */
export function scrollFrames(page: Page, selector: string, frames: number): Promise<number[]> {
  return page.evaluate(
    ([selector, frames]) =>
      new Promise<number[]>((resolve) => {
        const element = document.querySelector(selector)!
        const times: number[] = []
        let last = performance.now()
        const step = (now: number) => {
          times.push(now - last)
          last = now
          element.scrollTop += 120
          if (times.length < frames) requestAnimationFrame(step)
          else resolve(times.slice(1))
        }
        requestAnimationFrame(step)
      }),
    [selector, frames] as const,
  )
}
