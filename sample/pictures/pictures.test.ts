import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createCanvas, fillCircle } from './canvas.ts'
import { drawLandscape } from './landscape.ts'
import { drawMap } from './map.ts'
import { encodePng } from './png.ts'

/** Reads what this folder's encoder writes: its one data chunk lies between a header and an end of known sizes. */
function decode(png: Buffer) {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const rows = inflateSync(png.subarray(41, png.length - 16))
  return {
    width,
    height,
    rows,
    colourAt: (x: number, y: number) => [...rows.subarray(y * (width * 3 + 1) + 1 + x * 3)].slice(0, 3),
  }
}

describe('pictures', () => {
  it('come out of the encoder as they were drawn', () => {
    const canvas = createCanvas(20, 10, [10, 20, 30])
    fillCircle(canvas, [10, 5], 3, [200, 100, 0])
    const png = decode(encodePng(canvas))
    expect(png).toMatchObject({ width: 20, height: 10 })
    expect(png.rows).toHaveLength(10 * 61)
    expect(png.colourAt(0, 0)).toEqual([10, 20, 30])
    expect(png.colourAt(10, 5)).toEqual([200, 100, 0])
  })

  it('are the same for the same id, and others for another', () => {
    expect(drawMap({ id: 61_000_000, track_type: 'loop' })).toEqual(
      drawMap({ id: 61_000_000, track_type: 'loop' }),
    )
    expect(drawMap({ id: 61_000_000, track_type: 'loop' })).not.toEqual(
      drawMap({ id: 61_000_001, track_type: 'loop' }),
    )
    expect(drawLandscape(5)).toEqual(drawLandscape(5))
    expect(drawLandscape(5)).not.toEqual(drawLandscape(6))
  })

  it('have the size of a thumbnail on a sharp screen', () => {
    expect(decode(drawMap({ id: 1, track_type: 'out_and_back' }))).toMatchObject({ width: 180, height: 180 })
    expect(decode(drawLandscape(1))).toMatchObject({ width: 240, height: 180 })
  })
})
