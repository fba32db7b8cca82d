import styles from './Skeleton.module.css'

/** The place of something that is still being read, in its later size. */
export function Skeleton({ width, height }: { width: string; height: string }) {
  return <span className={styles.skeleton} style={{ inlineSize: width, blockSize: height }} aria-hidden />
}
