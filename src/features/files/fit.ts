type Size = { width: number; height: number }

/** Returns the size of a picture whose longest side is at most `longest` pixels. */
export function fitted({ width, height }: Size, longest: number): Size {
  const scale = Math.min(1, longest / Math.max(width, height))
  const scaled = (side: number) => Math.max(1, Math.round(side * scale))
  return { width: scaled(width), height: scaled(height) }
}

/** A picture's zoom, and how far it is moved from the middle, in pixels. */
export type Zoom = { scale: number; x: number; y: number }

export const WHOLE: Zoom = { scale: 1, x: 0, y: 0 }

export const MAX_SCALE = 8

type Point = { x: number; y: number }

/** Zooms by a factor. The point of the picture at `at`, measured from the middle, stays where it is. */
export function zoomed({ scale, x, y }: Zoom, factor: number, at: Point = { x: 0, y: 0 }): Zoom {
  const next = Math.min(MAX_SCALE, Math.max(1, scale * factor))
  const moved = (from: number, fixed: number) => fixed - ((fixed - from) * next) / scale
  return { scale: next, x: moved(x, at.x), y: moved(y, at.y) }
}

/** Moves a picture back so far that it covers the frame, or is in its middle. */
export function within({ scale, x, y }: Zoom, picture: Size, frame: Size): Zoom {
  const kept = (moved: number, side: number, room: number) => {
    const free = Math.max(0, (side * scale - room) / 2)
    // Not -0.
    return Math.min(free, Math.max(-free, moved)) || 0
  }
  return { scale, x: kept(x, picture.width, frame.width), y: kept(y, picture.height, frame.height) }
}
