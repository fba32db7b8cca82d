// The table that one would write first: every ride is a row of the document. No library is in its way.
import type { Page } from '@playwright/test'

/** Fills an empty page with a plain table of the given rows, with a button that sorts by `column` and a search field. */
export async function openPlainTable(page: Page, rows: string[][], column: number): Promise<void> {
  await page.setContent(
    `<style>
       body { font: 13px sans-serif } #scroller { height: 400px; overflow: auto }
       table { table-layout: fixed; width: 2000px; border-collapse: collapse }
       td { height: 57px; white-space: nowrap; overflow: hidden }
     </style>
     <button>Sort</button> <input>
     <div id="scroller"><table><tbody></tbody></table></div>`,
  )
  await page.evaluate(
    ([rows, column]) => {
      const body = document.querySelector('tbody')!
      const lines = rows.map((cells) => {
        const line = document.createElement('tr')
        line.append(
          ...cells.map((text) => Object.assign(document.createElement('td'), { textContent: text })),
        )
        return {
          line,
          name: cells[1]!.toLowerCase(),
          value: Number.parseFloat(cells[column]!.replaceAll(',', '')),
        }
      })
      body.append(...lines.map(({ line }) => line))
      let sign = -1
      document.querySelector('button')!.addEventListener('click', () => {
        sign = -sign
        // All rows in one piece, which is the quickest way to turn a table.
        const turned = document.createElement('tbody')
        turned.append(...lines.toSorted((a, b) => sign * (a.value - b.value)).map(({ line }) => line))
        document.querySelector('tbody')!.replaceWith(turned)
      })
      const search = document.querySelector('input')!
      search.addEventListener('input', () => {
        for (const { line, name } of lines) line.hidden = !name.includes(search.value.toLowerCase())
      })
    },
    [rows, column] as const,
  )
}
