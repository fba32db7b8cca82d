const REM = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

/** Row heights are fixed, so positions are known before rows render. They are rounded, as browsers do. */
export const ROW_HEIGHT = Math.round(3.5 * REM)
export const CARD_HEIGHT = Math.round(4 * REM)

/** The number of rows to render beyond the visible ones. */
export const OVERSCAN = 4
