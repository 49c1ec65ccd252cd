package kotlin.text
import kotlin.*
import kotlin.collections.*
class Regex(p: String) { fun find(s: CharSequence): MatchResult?
  fun findAll(s: CharSequence): Sequence<MatchResult>
  fun matches(s: CharSequence): Boolean
  fun replace(s: CharSequence, r: String): String
  fun matchEntire(s: CharSequence): MatchResult? }
interface MatchResult { val value: String
  val groupValues: List<String> }
class StringBuilder(n: Any? = null) : CharSequence { fun append(v: Any?): StringBuilder
  fun append(v: Any?, a: Int, b: Int): StringBuilder
  fun insert(i: Int, v: Any?): StringBuilder
  fun setLength(n: Int)
  fun reverse(): StringBuilder }
fun buildString(b: StringBuilder.() -> Unit): String
fun String.toRegex(): Regex
fun CharSequence.isEmpty(): Boolean
fun CharSequence.isNotEmpty(): Boolean
fun CharSequence.isBlank(): Boolean
fun CharSequence.isNotBlank(): Boolean
fun CharSequence?.isNullOrEmpty(): Boolean
fun CharSequence?.isNullOrBlank(): Boolean
fun String.substring(a: Int): String
fun String.substring(a: Int, b: Int): String
fun String.substringBefore(s: String): String
fun String.substringAfter(s: String): String
fun String.substringAfterLast(s: String): String
fun String.trim(): String
fun String.trimIndent(): String
fun String.trimMargin(): String
fun String.lowercase(): String
fun String.uppercase(): String
fun String.startsWith(s: String, i: Boolean = false): Boolean
fun String.endsWith(s: String, i: Boolean = false): Boolean
fun CharSequence.contains(s: CharSequence, i: Boolean = false): Boolean
fun String.indexOf(s: Any, a: Int = 0, i: Boolean = false): Int
fun String.lastIndexOf(s: Any, a: Int = 0): Int
fun String.replace(a: Any, b: Any): String
fun CharSequence.split(vararg s: String): List<String>
fun CharSequence.lines(): List<String>
fun CharSequence.repeat(n: Int): String
fun String.toInt(): Int
fun String.toIntOrNull(): Int?
fun String.toLong(): Long
fun String.toDouble(): Double
fun String.toByteArray(): ByteArray
fun String.encodeToByteArray(): ByteArray
fun String.format(vararg a: Any?): String
fun String.removePrefix(s: CharSequence): String
fun String.removeSuffix(s: CharSequence): String
fun String.padStart(n: Int, c: Char = ' '): String
fun String.padEnd(n: Int, c: Char = ' '): String
fun String.equals(o: String?, i: Boolean): Boolean
fun Char.isDigit(): Boolean
fun Char.isLetter(): Boolean
