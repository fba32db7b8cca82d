import styles from './Skeleton.module.css'

export function Skeleton({ width, height }: { width: string; height: string }) {
  const className = width === '100%' ? styles.block : styles.skeleton
  return <span className={className} style={{ inlineSize: width, blockSize: height }} aria-hidden />
}
