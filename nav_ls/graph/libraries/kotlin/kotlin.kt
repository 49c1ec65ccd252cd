package kotlin
import kotlin.collections.*
open class Any { open fun equals(other: Any?): Boolean
  open fun hashCode(): Int
  open fun toString(): String }
class Unit
class Nothing
interface Comparable<T> { fun compareTo(other: T): Int }
interface CharSequence { val length: Int
  fun get(i: Int): Char
  fun subSequence(a: Int, b: Int): CharSequence }
class String : Comparable<String>, CharSequence { val length: Int
  fun get(i: Int): Char
  fun plus(o: Any?): String
  fun compareTo(other: String): Int }
open class Number { fun toInt(): Int
  fun toLong(): Long
  fun toDouble(): Double
  fun toFloat(): Float
  fun toByte(): Byte
  fun toShort(): Short
  fun toChar(): Char }
class Int : Number(), Comparable<Int> { fun plus(o: Int): Int
  fun minus(o: Int): Int
  fun times(o: Int): Int
  fun div(o: Int): Int
  fun rem(o: Int): Int
  fun and(o: Int): Int
  fun or(o: Int): Int
  fun xor(o: Int): Int
  fun shl(o: Int): Int
  fun shr(o: Int): Int
  fun ushr(o: Int): Int
  fun inv(): Int }
class Long : Number(), Comparable<Long> { fun plus(o: Long): Long
  fun minus(o: Long): Long
  fun times(o: Long): Long
  fun div(o: Long): Long
  fun and(o: Long): Long
  fun or(o: Long): Long
  fun xor(o: Long): Long
  fun shl(o: Int): Long
  fun shr(o: Int): Long
  fun ushr(o: Int): Long }
class Short : Number(), Comparable<Short>
class Byte : Number(), Comparable<Byte> { fun and(o: Byte): Byte }
class Float : Number(), Comparable<Float> { fun plus(o: Float): Float }
class Double : Number(), Comparable<Double> { fun plus(o: Double): Double }
class Char : Comparable<Char> { val code: Int
  fun toInt(): Int }
class Boolean : Comparable<Boolean> { fun not(): Boolean
  fun and(o: Boolean): Boolean
  fun or(o: Boolean): Boolean }
abstract class Enum<E> : Comparable<E> { val name: String
  val ordinal: Int }
class Array<T> : Iterable<T> { val size: Int
  fun get(i: Int): T
  fun set(i: Int, v: T)
  fun iterator(): Iterator<T> }
class ByteArray { val size: Int
  fun get(i: Int): Byte }
class IntArray { val size: Int
  fun get(i: Int): Int }
class LongArray { val size: Int }
class CharArray { val size: Int
  fun get(i: Int): Char }
open class Throwable(val message: String? = null, val cause: Throwable? = null) { fun printStackTrace()
  fun addSuppressed(t: Throwable) }
open class Exception(m: String? = null, c: Throwable? = null) : Throwable()
open class RuntimeException(m: String? = null, c: Throwable? = null) : Exception()
class IllegalArgumentException(m: String? = null, c: Throwable? = null) : RuntimeException()
class IllegalStateException(m: String? = null, c: Throwable? = null) : RuntimeException()
class NullPointerException(m: String? = null) : RuntimeException()
class IndexOutOfBoundsException(m: String? = null) : RuntimeException()
class UnsupportedOperationException(m: String? = null) : RuntimeException()
class NumberFormatException(m: String? = null) : RuntimeException()
class NoSuchElementException(m: String? = null) : RuntimeException()
class AssertionError(m: Any? = null) : Throwable()
data class Pair<A, B>(val first: A, val second: B)
data class Triple<A, B, C>(val first: A, val second: B, val third: C)
interface Lazy<T> { val value: T
  fun isInitialized(): Boolean }
class Result<T> { fun getOrNull(): T?
  fun getOrThrow(): T }
fun <T> lazy(init: () -> T): Lazy<T>
fun <T> lazy(mode: Any, init: () -> T): Lazy<T>
fun <T, R> T.let(block: (T) -> R): R
fun <T> T.also(block: (T) -> Unit): T
fun <T> T.apply(block: T.() -> Unit): T
fun <T, R> T.run(block: T.() -> R): R
fun <R> run(block: () -> R): R
fun <T, R> with(receiver: T, block: T.() -> R): R
fun <T> T.takeIf(p: (T) -> Boolean): T?
fun <T> T.takeUnless(p: (T) -> Boolean): T?
fun <T, R> T.use(block: (T) -> R): R
fun <T> synchronized(lock: Any, block: () -> T): T
fun <R> runCatching(block: () -> R): Result<R>
fun repeat(n: Int, block: (Int) -> Unit)
fun require(b: Boolean)
fun require(b: Boolean, m: () -> Any)
fun check(b: Boolean)
fun check(b: Boolean, m: () -> Any)
fun <T> requireNotNull(v: T?): T
fun <T> checkNotNull(v: T?): T
fun error(m: Any): Nothing
fun TODO(m: String): Nothing
fun <T> arrayOf(vararg e: T): Array<T>
fun <T> arrayOfNulls(n: Int): Array<T?>
fun byteArrayOf(vararg e: Byte): ByteArray
fun intArrayOf(vararg e: Int): IntArray
fun <A, B> A.to(that: B): Pair<A, B>
