import { setTimeout as sleep } from 'node:timers/promises'
import type { Driver } from './drivers.ts'

/** A role or a CSS selector, and the accessible name. */
export type Target = [role: string, name?: string | RegExp]

interface Found {
  x: number
  y: number
  left: number
  top: number
  right: number
  bottom: number
  /** Whether nothing moves or covers it. */
  isReady: boolean
  hasFocus: boolean
  value: string
  text: string
}

export const KEY = { Escape: '\uE00C', Enter: '\uE007', End: '\uE010' }
const CONTROL = '\uE009'

/** Repeats a check until it returns something. */
export async function until<T>(what: string, check: () => Promise<T | null | false>): Promise<T> {
  const deadline = Date.now() + 20_000
  for (;;) {
    const value = await check()
    if (value !== null && value !== false) return value
    if (Date.now() > deadline) throw new Error(`Still waiting for ${what}`)
    await sleep(50)
  }
}

/** Finds and uses elements as a rider does. */
export class Page {
  readonly driver: Driver
  readonly #scope: Target[]

  constructor(driver: Driver, scope: Target[] = []) {
    this.driver = driver
    this.#scope = scope
  }

  within(...target: Target): Page {
    return new Page(this.driver, [...this.#scope, target])
  }

  async run<A extends unknown[], R>(inPage: (...args: A) => R | Promise<R>, ...args: A) {
    return JSON.parse(await this.driver.call(inPage.toString(), JSON.stringify(args))) as R
  }

  find(target: Target, option: string | null = null): Promise<Found | null> {
    const steps = [...this.#scope, target].map(([role, name = '']) => ({
      role,
      name: typeof name === 'string' ? name : '',
      pattern: typeof name === 'string' ? '' : name.source,
    }))
    return this.run(findInPage, steps, option)
  }

  see(...target: Target) {
    return until(target.join(' '), () => this.find(target))
  }

  async gone(...target: Target) {
    await until(`no ${target.join(' ')}`, async () => !(await this.find(target)))
  }

  async seeValue(value: string, ...target: Target) {
    await until(`${value} in ${target.join(' ')}`, async () => (await this.find(target))?.value === value)
  }

  /** Clicks the center of an element, once nothing moves or covers it. */
  async click(...target: Target) {
    const { x, y } = await until(`${target.join(' ')}, ready`, async () => {
      const found = await this.find(target)
      return found?.isReady === true && found
    })
    await this.clickAt(x, y)
  }

  clickAt(x: number, y: number) {
    const actions = [
      { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ]
    return this.driver.perform([{ type: 'pointer', id: 'mouse', actions }])
  }

  type(text: string, isWithControl = false) {
    const keys = Array.from(text, (value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]).flat()
    const control = ['keyDown', 'keyUp'].map((type) => ({ type, value: CONTROL }))
    const actions = isWithControl ? control.toSpliced(1, 0, ...keys) : keys
    return this.driver.perform([{ type: 'key', id: 'keyboard', actions }])
  }

  /** Replaces a field's text by typing. Clicks again if the page scrolled under the pointer, as a rider would. */
  async fill(text: string, ...target: Target) {
    await until(`${target.join(' ')}, with focus`, async () => {
      await this.click(...target)
      return (await this.find(target))?.hasFocus === true
    })
    await this.run(() => (document.activeElement as HTMLInputElement).select())
    await this.type(text)
  }

  /** Chooses an option by its text. Drivers can't use the list, which isn't part of the page. */
  choose(option: string, ...target: Target) {
    return until(target.join(' '), () => this.find(target, option))
  }
}

/** Finds the first visible element, and chooses its option, if any. Runs in the page. */
async function findInPage(steps: { role: string; name: string; pattern: string }[], option: string | null) {
  const selectors: Record<string, string> = {
    button: 'button, summary',
    link: 'a[href]',
    textbox: 'input:not([type=checkbox], [type=radio])',
    checkbox: '[type=checkbox]',
    radio: '[type=radio]',
    select: 'select',
    heading: 'h1, h2, h3',
    row: 'tr',
    columnheader: 'th',
    dialog: 'dialog[open]',
    banner: 'header',
    region: 'section',
    article: 'article',
    text: ':not(:has(*))',
  }
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- runs in the page, without this file's scope
  const textOf = (element: Element) => element.textContent.replaceAll(/\s+/g, ' ').trim()
  const nameOf = (element: Element) => {
    const label = element.getAttribute('aria-labelledby')?.split(' ')[0] ?? ''
    const named = document.getElementById(label) ?? (element as HTMLInputElement).labels?.[0]
    return (
      element.ariaLabel ?? (named ? textOf(named) : (element.getAttribute('placeholder') ?? textOf(element)))
    )
  }
  const isNamed = (element: Element, name: string, pattern: string) =>
    pattern === '' ? name === '' || nameOf(element) === name : new RegExp(pattern).test(nameOf(element))
  // A page that is reloading has no element at first.
  let found = document.documentElement as Element | null
  for (const { role, name, pattern } of steps) {
    const selector = [selectors[role], /^[a-z]+$/.test(role) ? `[role=${role}]` : role].filter(Boolean).join()
    const next: Element | undefined = Array.from(found?.querySelectorAll(selector) ?? []).find(
      (element) => element.checkVisibility({ visibilityProperty: true }) && isNamed(element, name, pattern),
    )
    if (!next) return null
    found = next
  }
  const element = found as HTMLInputElement
  if (option !== null) {
    const options = (found as HTMLSelectElement).options
    element.value = Array.from(options).find(({ text }) => text === option)!.value
    element.dispatchEvent(new Event('change', { bubbles: true }))
  }
  const box = () => element.getBoundingClientRect()
  if (box().top < 0 || box().bottom > innerHeight)
    element.scrollIntoView({ block: 'center', behavior: 'instant' })
  const before = box().top
  // Two frames, because a ResizeObserver may scroll after the callbacks of the first.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  const { left, top, right, bottom } = box()
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  const hit = document.elementFromPoint(x, y)
  const isUncovered = [element, ...(element.labels ?? [])].some((one) => one.contains(hit))
  const isReady = isUncovered && top === before
  const hasFocus = element === document.activeElement
  return { x, y, left, top, right, bottom, isReady, hasFocus, value: element.value, text: textOf(element) }
}
