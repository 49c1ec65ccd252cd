package kotlin.collections
import kotlin.*
interface Iterator<T> { fun next(): T
  fun hasNext(): Boolean }
interface MutableIterator<T> : Iterator<T> { fun remove() }
interface ListIterator<T> : Iterator<T>
interface Iterable<T> { fun iterator(): Iterator<T> }
interface Sequence<T> { fun iterator(): Iterator<T> }
interface Collection<E> : Iterable<E> { val size: Int
  fun isEmpty(): Boolean
  fun contains(e: E): Boolean
  fun containsAll(e: Collection<E>): Boolean }
interface MutableCollection<E> : Collection<E> { fun add(e: E): Boolean
  fun remove(e: E): Boolean
  fun addAll(e: Collection<E>): Boolean
  fun removeAll(e: Collection<E>): Boolean
  fun clear() }
interface List<E> : Collection<E> { fun get(i: Int): E
  fun indexOf(e: E): Int
  fun lastIndexOf(e: E): Int
  fun subList(a: Int, b: Int): List<E> }
interface MutableList<E> : List<E>, MutableCollection<E> { fun set(i: Int, e: E): E
  fun add(e: E): Boolean
  fun add(i: Int, e: E)
  fun removeAt(i: Int): E
  fun sort() }
interface Set<E> : Collection<E>
interface MutableSet<E> : Set<E>, MutableCollection<E>
interface Map<K, V> {
  interface Entry<K, V> {
    val key: K
    val value: V
  }
  val size: Int
  val keys: Set<K>
  val values: Collection<V>
  val entries: Set<Map.Entry<K, V>>
  fun get(k: K): V?
  fun isEmpty(): Boolean
  fun containsKey(k: K): Boolean
  fun containsValue(v: V): Boolean
  fun getOrDefault(k: K, v: V): V
}
interface MutableMap<K, V> : Map<K, V> { fun put(k: K, v: V): V?
  fun set(k: K, v: V)
  fun remove(k: K): V?
  fun putAll(m: Map<K, V>)
  fun clear() }
class ArrayList<E>(n: Int = 0) : MutableList<E>
class ArrayDeque<E>(n: Int = 0) : MutableList<E> { fun addFirst(e: E)
  fun addLast(e: E)
  fun removeFirst(): E
  fun removeLast(): E
  fun first(): E }
class HashSet<E>(n: Int = 0) : MutableSet<E>
class LinkedHashSet<E>(n: Int = 0) : MutableSet<E>
class HashMap<K, V>(n: Int = 0) : MutableMap<K, V>
class LinkedHashMap<K, V>(n: Int = 0) : MutableMap<K, V>
fun <T> listOf(vararg e: T): List<T>
fun <T> mutableListOf(vararg e: T): MutableList<T>
fun <T> arrayListOf(vararg e: T): ArrayList<T>
fun <T> listOfNotNull(vararg e: T?): List<T>
fun <T> emptyList(): List<T>
fun <T> setOf(vararg e: T): Set<T>
fun <T> mutableSetOf(vararg e: T): MutableSet<T>
fun <T> emptySet(): Set<T>
fun <K, V> mapOf(vararg e: Pair<K, V>): Map<K, V>
fun <K, V> mutableMapOf(vararg e: Pair<K, V>): MutableMap<K, V>
fun <K, V> emptyMap(): Map<K, V>
fun <T> buildList(b: MutableList<T>.() -> Unit): List<T>
fun <T> List(n: Int, f: (Int) -> T): List<T>
fun <T> sequenceOf(vararg e: T): Sequence<T>
fun <T> Iterable<T>.forEach(f: (T) -> Unit)
fun <T> Array<T>.forEach(f: (T) -> Unit)
fun <K, V> Map<K, V>.forEach(f: (Map.Entry<K, V>) -> Unit)
fun <T> Iterable<T>.forEachIndexed(f: (Int, T) -> Unit)
fun <T> Iterable<T>.onEach(f: (T) -> Unit): Iterable<T>
fun <T, R> Iterable<T>.map(f: (T) -> R): List<R>
fun <T, R> Array<T>.map(f: (T) -> R): List<R>
fun <T, R> Sequence<T>.map(f: (T) -> R): Sequence<R>
fun <K, V, R> Map<K, V>.map(f: (Map.Entry<K, V>) -> R): List<R>
fun <T, R> Iterable<T>.mapIndexed(f: (Int, T) -> R): List<R>
fun <T, R> Iterable<T>.mapNotNull(f: (T) -> R?): List<R>
fun <T, R> Iterable<T>.flatMap(f: (T) -> Iterable<R>): List<R>
fun <T> Iterable<T>.filter(f: (T) -> Boolean): List<T>
fun <T> Array<T>.filter(f: (T) -> Boolean): List<T>
fun <T> Sequence<T>.filter(f: (T) -> Boolean): Sequence<T>
fun <T> Iterable<T>.filterNot(f: (T) -> Boolean): List<T>
fun <T> Iterable<T?>.filterNotNull(): List<T>
fun <R> Iterable<Any?>.filterIsInstance(): List<R>
fun <T> Iterable<T>.first(): T
fun <T> Iterable<T>.first(f: (T) -> Boolean): T
fun <T> Iterable<T>.firstOrNull(): T?
fun <T> Iterable<T>.firstOrNull(f: (T) -> Boolean): T?
fun <T> Iterable<T>.last(): T
fun <T> Iterable<T>.last(f: (T) -> Boolean): T
fun <T> Iterable<T>.lastOrNull(): T?
fun <T> Iterable<T>.single(): T
fun <T> Iterable<T>.single(f: (T) -> Boolean): T
fun <T> Iterable<T>.singleOrNull(): T?
fun <T> Iterable<T>.find(f: (T) -> Boolean): T?
fun <T> Iterable<T>.any(f: (T) -> Boolean): Boolean
fun <T> Iterable<T>.any(): Boolean
fun <T> Iterable<T>.all(f: (T) -> Boolean): Boolean
fun <T> Iterable<T>.none(f: (T) -> Boolean): Boolean
fun <T> Iterable<T>.count(): Int
fun <T> Iterable<T>.count(f: (T) -> Boolean): Int
fun <T> Iterable<T>.toList(): List<T>
fun <T> Array<T>.toList(): List<T>
fun <T> Iterable<T>.toMutableList(): MutableList<T>
fun <T> Iterable<T>.toSet(): Set<T>
fun <T> Iterable<T>.toMutableSet(): MutableSet<T>
fun <T> Iterable<T>.sorted(): List<T>
fun <T, R> Iterable<T>.sortedBy(f: (T) -> R): List<T>
fun <T, R> Iterable<T>.sortedByDescending(f: (T) -> R): List<T>
fun <T> Iterable<T>.reversed(): List<T>
fun <T> Iterable<T>.distinct(): List<T>
fun <T> Iterable<T>.take(n: Int): List<T>
fun <T> Iterable<T>.drop(n: Int): List<T>
fun <T> Iterable<T>.plus(o: Iterable<T>): List<T>
fun <T> Iterable<T>.joinToString(a: String = "", b: String = "", c: String = ""): String
fun <T, K> Iterable<T>.groupBy(f: (T) -> K): Map<K, List<T>>
fun <T, K> Iterable<T>.associateBy(f: (T) -> K): Map<K, T>
fun <T, K, V> Iterable<T>.associate(f: (T) -> Pair<K, V>): Map<K, V>
fun <T, V> Iterable<T>.associateWith(f: (T) -> V): Map<T, V>
fun <T> Iterable<T>.partition(f: (T) -> Boolean): Pair<List<T>, List<T>>
fun <T, R> Iterable<T>.zip(o: Iterable<R>): List<Pair<T, R>>
fun <T, R> Iterable<T>.fold(a: R, f: (R, T) -> R): R
fun <T> Iterable<T>.reduce(f: (T, T) -> T): T
fun <T> Iterable<T>.sumOf(f: (T) -> Int): Int
fun <T, R> Iterable<T>.maxByOrNull(f: (T) -> R): T?
fun <T, R> Iterable<T>.minByOrNull(f: (T) -> R): T?
fun <T> Iterable<T>.asSequence(): Sequence<T>
fun <T> Sequence<T>.toList(): List<T>
fun <T> Sequence<T>.first(): T
fun <T> Sequence<T>.firstOrNull(): T?
fun <T> List<T>.getOrNull(i: Int): T?
fun <T> List<T>.asReversed(): List<T>
fun <T> Collection<T>.isNotEmpty(): Boolean
fun <T> Collection<T>.toTypedArray(): Array<T>
fun <T> MutableCollection<T>.addAll(e: Iterable<T>): Boolean
fun <T> MutableList<T>.removeAll(f: (T) -> Boolean): Boolean
fun <K, V> MutableMap<K, V>.getOrPut(k: K, f: () -> V): V
fun <K, V> Map<K, V>.getValue(k: K): V
fun <K, V> Map<K, V>.getOrElse(k: K, f: () -> V): V
fun <K, V> Map<K, V>.isNotEmpty(): Boolean
fun <K, V> Map<K, V>.filter(f: (Map.Entry<K, V>) -> Boolean): Map<K, V>
fun <K, V, R> Map<K, V>.mapValues(f: (Map.Entry<K, V>) -> R): Map<K, R>
fun <K, V> Map<K, V>.toMutableMap(): MutableMap<K, V>
