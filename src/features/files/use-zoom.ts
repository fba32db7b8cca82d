import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'

import { WHOLE, within, zoomed, type Zoom } from './fit.ts'

/** How far a finger moves to turn to the next picture, in pixels. */
const SWIPE = 60
const DOUBLE_TAP_MS = 300
const DOUBLE_TAP = 2.5

type Point = { x: number; y: number }

export type ZoomControls = {
  zoom: Zoom
  by: (factor: number) => void
  stage: RefObject<HTMLDivElement | null>
  picture: RefObject<HTMLImageElement | null>
  handlers: {
    onPointerDown: (event: PointerEvent) => void
    onPointerMove: (event: PointerEvent) => void
    onPointerUp: (event: PointerEvent) => void
    onPointerCancel: (event: PointerEvent) => void
  }
}

/**
 * Zooms and moves a picture: by keys, wheel, two fingers or a double tap. A swipe over the whole picture turns to another
 * one. Null is a document, which isn't zoomed.
 */
export function useZoom(shown: number | null, turn: (by: number) => void): ZoomControls {
  const stage = useRef<HTMLDivElement>(null)
  const picture = useRef<HTMLImageElement>(null)
  const pointers = useRef(new Map<number, Point>())
  /** Where a gesture with one finger began, and when the last one ended as a tap. */
  const gesture = useRef<{ from: Point | null; tapAt: number }>({ from: null, tapAt: 0 })
  const [{ of, zoom }, setState] = useState({ of: shown, zoom: WHOLE })
  const current = of === shown ? zoom : WHOLE

  const change = (next: (before: Zoom) => Zoom) => {
    if (shown === null) return
    setState((before) => ({
      of: shown,
      zoom: kept(next(before.of === shown ? before.zoom : WHOLE), picture.current, stage.current),
    }))
  }
  const by = (factor: number, at?: Point) => change((before) => zoomed(before, factor, at))

  const latest = useRef(by)
  useEffect(() => {
    latest.current = by
  })
  useEffect(() => {
    const element = stage.current
    // Not React's, which can't keep the page from zooming.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      latest.current(Math.exp(-event.deltaY / (event.ctrlKey ? 100 : 400)), fromMiddle(event, element!))
    }
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [])

  const onPointerDown = (event: PointerEvent) => {
    // A captured pointer doesn't click what it is over.
    if (event.target instanceof Element && event.target.closest('button')) return
    event.currentTarget.setPointerCapture(event.pointerId)
    pointers.current.set(event.pointerId, pointOf(event))
    gesture.current.from = pointers.current.size === 1 ? pointOf(event) : null
  }
  const onPointerMove = (event: PointerEvent) => {
    const before = pointers.current.get(event.pointerId)
    if (!before) return
    const now = pointOf(event)
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
    pointers.current.set(event.pointerId, now)
    if (other) {
      const middle = { clientX: (now.x + other.x) / 2, clientY: (now.y + other.y) / 2 }
      by(distance(now, other) / Math.max(1, distance(before, other)), fromMiddle(middle, stage.current!))
    } else if (current.scale > 1) {
      change(({ scale, x, y }) => ({ scale, x: x + now.x - before.x, y: y + now.y - before.y }))
    }
  }
  const onPointerUp = (event: PointerEvent) => {
    pointers.current.delete(event.pointerId)
    const { from, tapAt } = gesture.current
    gesture.current.from = null
    if (!from) return
    const to = pointOf(event)
    if (distance(from, to) < 10) {
      const isDouble = event.timeStamp - tapAt < DOUBLE_TAP_MS
      gesture.current.tapAt = isDouble ? 0 : event.timeStamp
      if (isDouble) by(current.scale > 1 ? 0 : DOUBLE_TAP, fromMiddle(event, stage.current!))
    } else if (current.scale === 1 && Math.abs(to.x - from.x) > SWIPE) turn(to.x < from.x ? 1 : -1)
  }
  const onPointerCancel = ({ pointerId }: PointerEvent) => {
    pointers.current.delete(pointerId)
    gesture.current.from = null
  }
  const handlers = { onPointerDown, onPointerMove, onPointerUp, onPointerCancel }
  return { zoom: current, by, stage, picture, handlers }
}

const pointOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => ({
  x: clientX,
  y: clientY,
})

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y)

function fromMiddle({ clientX, clientY }: { clientX: number; clientY: number }, element: Element): Point {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { x: clientX - left - width / 2, y: clientY - top - height / 2 }
}

function kept(zoom: Zoom, picture: HTMLElement | null, frame: HTMLElement | null): Zoom {
  if (!picture || !frame) return zoom
  return within(zoom, sizeOf(picture), sizeOf(frame))
}

const sizeOf = ({ offsetWidth: width, offsetHeight: height }: HTMLElement) => ({ width, height })
