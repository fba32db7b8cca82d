/** Returns a heading, which can have the focus then, or the page itself while it has no heading. */
export function pageHeading(selector = 'main :is(h2.title, h3)'): HTMLElement | null {
  const headings = [...document.querySelectorAll<HTMLElement>(selector)]
  // Some headings are visually hidden.
  const heading = headings.find(({ offsetHeight }) => offsetHeight > 1)
  if (heading) heading.tabIndex = -1
  return heading ?? document.querySelector('main')
}
