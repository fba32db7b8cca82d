// The stories in Debian's Firefox and WebKit. Playwright only drives its own builds of them.
import { mkdir, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSample } from '../postgres.ts'
import type { Running } from '../running.ts'
import { type Driver, ENGINES } from './drivers.ts'
import { Page } from './page.ts'
import { STORIES } from './stories.ts'

const installed = Object.entries(ENGINES).flatMap(([name, open]) => (open ? [{ name, open }] : []))
const missing = Object.keys(ENGINES).filter((name) => ENGINES[name] === null)

test.for(missing)('%s is not installed', (_name, { skip }) => {
  expect(process.env.CI).toBeUndefined()
  skip()
})

describe.for(installed)('$name', ({ name, open }) => {
  let sample: Running
  let driver: Driver
  let stopped: Promise<unknown> | undefined
  const stopTracker = () => (stopped ??= sample.stop())
  beforeAll(async () => {
    ;[sample, driver] = await Promise.all([startSample(), open()])
    await driver.resize(1440, 900)
  })
  afterAll(() => Promise.all([stopTracker(), driver.close()]))

  // oxlint-disable-next-line vitest/expect-expect -- the stories have them
  test.for(Object.entries(STORIES))('%s', async ([title, story], { onTestFailed }) => {
    onTestFailed(async () => {
      await mkdir('test-results', { recursive: true })
      try {
        await writeFile(`test-results/${name} ${title}.png`, await driver.screenshot(), 'base64')
      } catch (cause) {
        // What the story found matters more.
        console.warn(cause)
      }
    })
    await story({ page: new Page(driver), url: sample.url, stopTracker })
  })
})
