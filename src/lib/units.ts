import { orMissing, type Value } from './formats.ts'

const NO_BREAK_SPACE = '\u00A0'
/** The product's own mile: whole metres. */
const METRES_PER_MILE = 1609
const KILOMETRES_PER_MILE = 1.609
const FEET_PER_METRE = 3.28084

/** What is stored in one unit, as the owner reads it in another. */
export type Quantity = {
  /** `mi` */
  unit: string
  /** A stored value in this unit, rounded half up as it is shown. */
  of: (stored: number) => number
  /** `1,234.5 mi` */
  format: (stored: Value) => string
}

/** A system of units. Whatever is shown in it is rounded once, from what is stored. */
export type Units = {
  /** The name of its distances, as it stands in titles. */
  name: 'Miles' | 'Kilometers'
  /** Of metres. */
  distance: Quantity
  /** Of kilometres an hour. */
  speed: Quantity
  /** Of metres. */
  elevation: Quantity
}

export const UNITS = {
  miles: {
    name: 'Miles',
    distance: quantity('mi', 1, (metres) => metres / METRES_PER_MILE),
    speed: quantity('mph', 1, (kilometresPerHour) => kilometresPerHour / KILOMETRES_PER_MILE),
    elevation: quantity('ft', 0, (metres) => metres * FEET_PER_METRE),
  },
  kilometers: {
    name: 'Kilometers',
    distance: quantity('km', 1, (metres) => metres / 1000),
    speed: quantity('km/h', 1, (kilometresPerHour) => kilometresPerHour),
    elevation: quantity('m', 0, (metres) => metres),
  },
} as const satisfies Record<string, Units>

export type UnitsId = keyof typeof UNITS

function quantity(unit: string, digits: 0 | 1, convert: (stored: number) => number): Quantity {
  const written = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  const of = (stored: number) => halfUp(convert(stored), digits)
  const format = (stored: Value) =>
    orMissing(stored, (value) => `${written.format(of(value))}${NO_BREAK_SPACE}${unit}`)
  return { unit, of, format }
}

// Twelve digits are more than any ride has: a half that division left at .49999999999999 is a half again.
function halfUp(value: number, digits: number): number {
  const scale = 10 ** digits
  return Math.round(Number((value * scale).toPrecision(12))) / scale
}
