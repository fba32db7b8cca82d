/** Six significant digits, as the service rounds its measurements. */
export const six = (value: number): number => Number(value.toPrecision(6))
