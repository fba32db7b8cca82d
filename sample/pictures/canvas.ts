export type Colour = readonly [red: number, green: number, blue: number]
export type Point = readonly [x: number, y: number]

/** An RGB picture, row by row from the top left. */
export interface Canvas {
  width: number
  height: number
  pixels: Uint8Array
}

export function createCanvas(width: number, height: number, ground: Colour): Canvas {
  const canvas = { width, height, pixels: new Uint8Array(width * height * 3) }
  for (let offset = 0; offset < canvas.pixels.length; offset += 3) canvas.pixels.set(ground, offset)
  return canvas
}

/** Lays a colour over one pixel; `opacity` goes from 0 to 1. */
export function tint({ width, pixels }: Canvas, x: number, y: number, colour: Colour, opacity: number): void {
  const offset = (y * width + x) * 3
  for (let channel = 0; channel < 3; channel += 1) {
    const under = pixels[offset + channel] ?? 0
    pixels[offset + channel] = Math.round(under + ((colour[channel] ?? 0) - under) * opacity)
  }
}

/** Draws lines through points, all in one colour, with smooth edges and round ends. */
export function strokeLines(
  canvas: Canvas,
  lines: readonly Point[][],
  thickness: number,
  colour: Colour,
): void {
  // One mask for all of them: where pieces overlap they must not lay the colour on twice.
  const mask = new Float32Array(canvas.width * canvas.height)
  for (const line of lines) {
    for (const [index, start] of line.entries()) {
      coverSegment(canvas, mask, start, line[index + 1] ?? start, thickness / 2)
    }
  }
  for (let y = 0; y < canvas.height; y += 1) {
    for (let x = 0; x < canvas.width; x += 1) {
      const opacity = mask[y * canvas.width + x] ?? 0
      if (opacity > 0) tint(canvas, x, y, colour, opacity)
    }
  }
}

export const fillCircle = (canvas: Canvas, centre: Point, radius: number, colour: Colour): void =>
  strokeLines(canvas, [[centre]], radius * 2, colour)

function coverSegment({ width, height }: Canvas, mask: Float32Array, from: Point, to: Point, radius: number) {
  const left = Math.max(0, Math.floor(Math.min(from[0], to[0]) - radius - 1))
  const right = Math.min(width - 1, Math.ceil(Math.max(from[0], to[0]) + radius + 1))
  const top = Math.max(0, Math.floor(Math.min(from[1], to[1]) - radius - 1))
  const bottom = Math.min(height - 1, Math.ceil(Math.max(from[1], to[1]) + radius + 1))
  for (let y = top; y <= bottom; y += 1) {
    for (let x = left; x <= right; x += 1) {
      const covered = Math.min(1, radius + 0.5 - distanceToSegment(x + 0.5, y + 0.5, from, to))
      const index = y * width + x
      if (covered > (mask[index] ?? 0)) mask[index] = covered
    }
  }
}

function distanceToSegment(x: number, y: number, from: Point, to: Point): number {
  const alongX = to[0] - from[0]
  const alongY = to[1] - from[1]
  const length = alongX * alongX + alongY * alongY
  const share = length === 0 ? 0 : ((x - from[0]) * alongX + (y - from[1]) * alongY) / length
  const nearest = Math.min(1, Math.max(0, share))
  const asideX = x - from[0] - nearest * alongX
  const asideY = y - from[1] - nearest * alongY
  return Math.sqrt(asideX * asideX + asideY * asideY)
}
