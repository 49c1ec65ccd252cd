package kotlin.io
fun println(m: Any?)
fun println()
fun print(m: Any?)
fun readLine(): String?
