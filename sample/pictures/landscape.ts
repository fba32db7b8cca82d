import { type Random, randomFor } from '../random.ts'
import { type Canvas, type Colour, createCanvas, fillCircle, tint } from './canvas.ts'
import { encodePng } from './png.ts'

const WIDTH = 240
const HEIGHT = 180

interface Mood {
  top: Colour
  horizon: Colour
  sun: Colour
  far: Colour
  near: Colour
}

const MOODS: [Mood, ...Mood[]] = [
  {
    top: [62, 120, 178],
    horizon: [196, 220, 232],
    sun: [255, 246, 214],
    far: [124, 156, 176],
    near: [44, 84, 62],
  },
  {
    top: [70, 62, 120],
    horizon: [246, 164, 112],
    sun: [255, 224, 150],
    far: [142, 98, 128],
    near: [46, 38, 62],
  },
  {
    top: [118, 140, 158],
    horizon: [214, 216, 210],
    sun: [240, 240, 232],
    far: [150, 164, 166],
    near: [62, 76, 70],
  },
  {
    top: [38, 92, 140],
    horizon: [250, 206, 150],
    sun: [255, 236, 190],
    far: [110, 132, 142],
    near: [92, 72, 48],
  },
]

/** The picture that the rider took, PNG: hills one behind the other under a sky. The same photo always looks the same. */
export function drawLandscape(photoId: number): Buffer<ArrayBuffer> {
  const random = randomFor(`photo ${photoId}`)
  const mood = random.pick(MOODS)
  const canvas = createCanvas(WIDTH, HEIGHT, mood.top)
  drawSky(canvas, mood)
  fillCircle(
    canvas,
    [random.between(30, WIDTH - 30), random.between(28, 80)],
    random.between(10, 17),
    mood.sun,
  )
  const ridges = 4
  for (let ridge = 1; ridge <= ridges; ridge += 1) drawRidge(canvas, random, mood, ridge / ridges)
  return encodePng(canvas)
}

function drawSky(canvas: Canvas, { horizon }: Mood): void {
  for (let y = 0; y < HEIGHT; y += 1) {
    const share = Math.min(1, y / (HEIGHT * 0.65))
    for (let x = 0; x < WIDTH; x += 1) tint(canvas, x, y, horizon, share)
  }
}

/** Draws a line of hills; `nearness` goes up to 1 for the ones in front. */
function drawRidge(canvas: Canvas, random: Random, { far, near }: Mood, nearness: number): void {
  const level = HEIGHT * (0.34 + 0.46 * nearness) + random.between(-8, 8)
  const waves = [1.5, 3.5, 8, 17].map((count) => ({
    count,
    height: random.between(12, 30) / count ** 0.8,
    phase: random.between(0, 2 * Math.PI),
  }))
  for (let x = 0; x < WIDTH; x += 1) {
    const angle = (x / WIDTH) * Math.PI
    const crest = waves.reduce(
      (y, wave) => y + wave.height * Math.sin(wave.count * angle + wave.phase),
      level,
    )
    fillBelow(canvas, x, crest, between(far, near, nearness))
  }
}

function fillBelow(canvas: Canvas, x: number, crest: number, colour: Colour): void {
  const top = Math.max(0, Math.floor(crest))
  if (top < HEIGHT) tint(canvas, x, top, colour, 1 - (crest - Math.floor(crest)))
  for (let y = top + 1; y < HEIGHT; y += 1) tint(canvas, x, y, colour, 1)
}

const between = (from: Colour, to: Colour, share: number): Colour => [
  from[0] + (to[0] - from[0]) * share,
  from[1] + (to[1] - from[1]) * share,
  from[2] + (to[2] - from[2]) * share,
]
