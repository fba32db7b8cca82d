import * as v from 'valibot'

export const DISTANCES = ['mi', 'km'] as const
export const DATES = ['MM/DD/YYYY', 'DD/MM/YYYY', 'DD.MM.YYYY', 'YYYY-MM-DD'] as const
export const WEEK_STARTS = ['Sunday', 'Monday', 'Saturday'] as const

/** The spec's formats. */
export const DEFAULT_SETTINGS: Settings = {
  distance: 'mi',
  dates: 'MM/DD/YYYY',
  currency: 'USD',
  week_start: 'Sunday',
}

/** How the owner reads and types distances, days, amounts and weeks. */
export const settingsSchema = v.object({
  distance: v.picklist(DISTANCES),
  dates: v.picklist(DATES),
  /** An ISO 4217 code. */
  currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
  week_start: v.picklist(WEEK_STARTS),
})

export type Settings = v.InferOutput<typeof settingsSchema>
