import { pageHeading } from './page-heading.ts'

const CONTROLS = 'a[href], button, input, select, summary'

/** An entry of a list or table, in which the next one has the same controls. */
const ENTRIES = 'li, tr, [data-entry]'

/**
 * Moves the focus when the focused element is removed or moved, so it never falls back to the page: to the same control
 * of the next entry, to where it was before a toast, or to the heading. Waits for effects, which may know a better place.
 */
export function guardFocus(): () => void {
  /** The focused element and its ancestors. Empty if the owner left it by clicking elsewhere. */
  let path: readonly Element[] = []
  let before: HTMLElement | null = null

  const remember = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return
    path = pathOf(target)
    if (!isInToast(target)) before = target
  }
  const forget = () =>
    setTimeout(() => {
      if (document.activeElement === document.body && path[0]?.isConnected) path = []
    })
  const observer = new MutationObserver((records) => {
    if (document.activeElement !== document.body) return
    const lost = path
    const record = records.find(({ removedNodes }) => lost.some((one) => [...removedNodes].includes(one)))
    if (!record) return
    requestAnimationFrame(() =>
      setTimeout(() => {
        if (document.activeElement !== document.body) return
        const place = placeFor(lost, record, before)
        if (place) place.focus()
        // The page that Back leads to may be scrolled further down.
        else pageHeading()?.focus({ preventScroll: true })
      }),
    )
  })
  observer.observe(document.body, { childList: true, subtree: true })
  document.addEventListener('focusin', remember)
  document.addEventListener('focusout', forget)
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', remember)
    document.removeEventListener('focusout', forget)
  }
}

function pathOf(element: Element): Element[] {
  return element.parentElement ? [element, ...pathOf(element.parentElement)] : [element]
}

const isInToast = (element: Element) => element.closest('.Toastify') !== null

function placeFor(
  lost: readonly Element[],
  { removedNodes, nextSibling, previousSibling }: MutationRecord,
  before: HTMLElement | null,
): HTMLElement | null {
  const [element] = lost
  if (element instanceof HTMLElement && element.isConnected) return element
  if (lost.some((one) => one.isConnected && isInToast(one)) && before?.isConnected) return before
  const removed = lost.find((one) => [...removedNodes].includes(one))
  if (element && removed?.matches(ENTRIES)) {
    for (const entry of [
      ...siblings(nextSibling, 'nextSibling'),
      ...siblings(previousSibling, 'previousSibling'),
    ]) {
      const same = controlsIn(entry).find((one) => one.textContent === element.textContent)
      if (same) return same
    }
  }
  const around = lost.find((one) => one.isConnected)?.closest(ENTRIES)
  return controlsIn(around ?? null)[0] ?? null
}

function siblings(from: Node | null, to: 'nextSibling' | 'previousSibling'): Element[] {
  if (from === null) return []
  return [...(from instanceof Element && from.isConnected ? [from] : []), ...siblings(from[to], to)]
}

function controlsIn(element: Element | null): HTMLElement[] {
  return [...(element?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])].filter((one) => one.checkVisibility())
}
