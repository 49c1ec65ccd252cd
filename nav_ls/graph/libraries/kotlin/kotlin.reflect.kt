package kotlin.reflect
interface KClass<T> { val java: Class<T>
  val javaObjectType: Class<T>
  val simpleName: String?
  val qualifiedName: String?
  fun isInstance(value: Any?): Boolean }
interface KCallable<R> { val name: String
  val returnType: KType }
interface KFunction<R> : KCallable<R>
interface KProperty<R> : KCallable<R>
interface KType { val isMarkedNullable: Boolean }
interface KParameter { val name: String?
  val type: KType }
