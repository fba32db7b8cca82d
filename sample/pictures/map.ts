import { type Random, randomFor } from '../random.ts'
import type { Trip } from '../types.ts'
import { type Canvas, type Colour, createCanvas, fillCircle, type Point, strokeLines } from './canvas.ts'
import { encodePng } from './png.ts'

const SIZE = 180
const LAND: Colour = [46, 54, 58]
const PARK: Colour = [48, 66, 56]
const WATER: Colour = [40, 64, 84]
const STREET: Colour = [66, 76, 81]
const CASING: Colour = [30, 34, 37]
const ROUTE: Colour = [255, 138, 61]
const START: Colour = [112, 214, 126]
const FINISH: Colour = [240, 84, 84]

/** The map picture of a trip, PNG: its way over a muted ground. The same trip always looks the same. */
export function drawMap({ id, track_type }: Pick<Trip, 'id' | 'track_type'>): Buffer<ArrayBuffer> {
  const random = randomFor(`map ${id}`)
  const canvas = createCanvas(SIZE, SIZE, LAND)
  drawGround(canvas, random)
  const route = track_type === 'loop' ? loop(random) : oneWay(random)
  strokeLines(canvas, [route], 9, CASING)
  strokeLines(canvas, [route], 5.5, ROUTE)
  const [start, finish] = [route[0], route.at(-1)]
  if (start && finish) {
    if (track_type === 'point_to_point') fillCircle(canvas, finish, 7, FINISH)
    fillCircle(canvas, start, 7, START)
  }
  return encodePng(canvas)
}

function drawGround(canvas: Canvas, random: Random): void {
  for (let park = random.integer(1, 3); park > 0; park -= 1) {
    fillCircle(canvas, [random.between(0, SIZE), random.between(0, SIZE)], random.between(16, 38), PARK)
  }
  strokeLines(canvas, streets(random), 2, STREET)
  if (random.chance(0.6)) strokeLines(canvas, [river(random)], random.between(9, 20), WATER)
}

/** Blocks that lie a little aslant. */
function streets(random: Random): Point[][] {
  const tilt = random.between(-60, 60)
  const lines: Point[][] = []
  for (let at = random.between(-60, 0); at < SIZE + 60; at += random.between(26, 48)) {
    const start = at - tilt / 2
    // In pieces: what a line costs to draw is the box around each of its pieces.
    lines.push(steps(16).map((share) => [start + share * tilt, share * SIZE]))
    lines.push(steps(16).map((share) => [share * SIZE, start + (1 - share) * tilt]))
  }
  return lines
}

function river(random: Random): Point[] {
  const [level, swing, phase] = [random.between(25, 155), random.between(8, 26), random.between(0, 6)]
  return steps(24).map((share) => [share * (SIZE + 20) - 10, level + swing * Math.sin(phase + share * 5)])
}

/** A closed way: a circle with a few bays and capes. */
function loop(random: Random): Point[] {
  const waves = [2, 3, 5, 8].map((count) => ({
    count,
    height: random.between(0.1, 0.9) / count,
    phase: random.between(0, 2 * Math.PI),
  }))
  const turned = random.between(0, 2 * Math.PI)
  const outline = steps(120).map((share): Point => {
    const angle = share * 2 * Math.PI
    const radius =
      1 + waves.reduce((sum, wave) => sum + wave.height * Math.sin(wave.count * angle + wave.phase), 0)
    return [radius * Math.cos(angle + turned) * 1.1, radius * Math.sin(angle + turned)]
  })
  return fit(outline)
}

/** A winding way from one end to the other. */
function oneWay(random: Random): Point[] {
  const turned = random.between(0, 2 * Math.PI)
  const bends = [1, 2, 4, 7].map((count) => ({
    count,
    height: random.between(0.1, 0.55) / count,
    phase: random.between(0, 2 * Math.PI),
  }))
  const line = steps(90).map((share): Point => {
    const aside = bends.reduce(
      (sum, bend) => sum + bend.height * Math.sin(bend.count * share * Math.PI + bend.phase),
      0,
    )
    const along = share * 2
    return [
      along * Math.cos(turned) - aside * Math.sin(turned),
      along * Math.sin(turned) + aside * Math.cos(turned),
    ]
  })
  return fit(line)
}

const MARGIN = 24

/** Scales a way to the picture, the same in both directions, and puts it in the middle. */
function fit(points: Point[]): Point[] {
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const scale = (SIZE - 2 * MARGIN) / Math.max(right - left, bottom - top)
  const place = (value: number, low: number, high: number) => SIZE / 2 + (value - (low + high) / 2) * scale
  return points.map(([x, y]) => [place(x, left, right), place(y, top, bottom)])
}

/** The shares 0, 1/count … 1. */
const steps = (count: number): number[] => Array.from({ length: count + 1 }, (_, index) => index / count)
