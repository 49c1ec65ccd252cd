package java.util.function;
interface Function<T, R> { R apply(T t); default <V> Function<V, R> compose(Function<? super V, ? extends T> before) {} default <V> Function<T, V> andThen(Function<? super R, ? extends V> after) {} static <T> Function<T, T> identity() {} }
interface BiFunction<T, U, R> { R apply(T t, U u); default <V> BiFunction<T, U, V> andThen(Function<? super R, ? extends V> after) {} }
interface UnaryOperator<T> extends Function<T, T> { static <T> UnaryOperator<T> identity() {} }
interface BinaryOperator<T> extends BiFunction<T, T, T> { static <T> BinaryOperator<T> minBy(java.util.Comparator<? super T> c) {} static <T> BinaryOperator<T> maxBy(java.util.Comparator<? super T> c) {} }
interface Supplier<T> { T get(); }
interface Consumer<T> { void accept(T t); default Consumer<T> andThen(Consumer<? super T> after) {} }
interface BiConsumer<T, U> { void accept(T t, U u); default BiConsumer<T, U> andThen(BiConsumer<? super T, ? super U> after) {} }
interface Predicate<T> { boolean test(T t); default Predicate<T> and(Predicate<? super T> other) {} default Predicate<T> or(Predicate<? super T> other) {} default Predicate<T> negate() {} static <T> Predicate<T> isEqual(Object target) {} static <T> Predicate<T> not(Predicate<? super T> target) {} }
interface BiPredicate<T, U> { boolean test(T t, U u); default BiPredicate<T, U> and(BiPredicate<? super T, ? super U> other) {} default BiPredicate<T, U> or(BiPredicate<? super T, ? super U> other) {} default BiPredicate<T, U> negate() {} }
interface BooleanSupplier { boolean getAsBoolean(); }
interface IntSupplier { int getAsInt(); }
interface LongSupplier { long getAsLong(); }
interface DoubleSupplier { double getAsDouble(); }
interface IntConsumer { void accept(int v); default IntConsumer andThen(IntConsumer after) {} }
interface LongConsumer { void accept(long v); default LongConsumer andThen(LongConsumer after) {} }
interface DoubleConsumer { void accept(double v); default DoubleConsumer andThen(DoubleConsumer after) {} }
interface ObjIntConsumer<T> { void accept(T t, int v); }
interface ObjLongConsumer<T> { void accept(T t, long v); }
interface ObjDoubleConsumer<T> { void accept(T t, double v); }
interface IntPredicate { boolean test(int v); default IntPredicate and(IntPredicate other) {} default IntPredicate or(IntPredicate other) {} default IntPredicate negate() {} }
interface LongPredicate { boolean test(long v); default LongPredicate and(LongPredicate other) {} default LongPredicate or(LongPredicate other) {} default LongPredicate negate() {} }
interface DoublePredicate { boolean test(double v); default DoublePredicate and(DoublePredicate other) {} default DoublePredicate or(DoublePredicate other) {} default DoublePredicate negate() {} }
interface IntFunction<R> { R apply(int v); }
interface LongFunction<R> { R apply(long v); }
interface DoubleFunction<R> { R apply(double v); }
interface ToIntFunction<T> { int applyAsInt(T t); }
interface ToLongFunction<T> { long applyAsLong(T t); }
interface ToDoubleFunction<T> { double applyAsDouble(T t); }
interface ToIntBiFunction<T, U> { int applyAsInt(T t, U u); }
interface ToLongBiFunction<T, U> { long applyAsLong(T t, U u); }
interface ToDoubleBiFunction<T, U> { double applyAsDouble(T t, U u); }
interface IntUnaryOperator { int applyAsInt(int v); default IntUnaryOperator compose(IntUnaryOperator before) {} default IntUnaryOperator andThen(IntUnaryOperator after) {} static IntUnaryOperator identity() {} }
interface LongUnaryOperator { long applyAsLong(long v); default LongUnaryOperator compose(LongUnaryOperator before) {} default LongUnaryOperator andThen(LongUnaryOperator after) {} static LongUnaryOperator identity() {} }
interface DoubleUnaryOperator { double applyAsDouble(double v); default DoubleUnaryOperator compose(DoubleUnaryOperator before) {} default DoubleUnaryOperator andThen(DoubleUnaryOperator after) {} static DoubleUnaryOperator identity() {} }
interface IntBinaryOperator { int applyAsInt(int a, int b); }
interface LongBinaryOperator { long applyAsLong(long a, long b); }
interface DoubleBinaryOperator { double applyAsDouble(double a, double b); }
interface IntToLongFunction { long applyAsLong(int v); }
interface IntToDoubleFunction { double applyAsDouble(int v); }
interface LongToIntFunction { int applyAsInt(long v); }
interface LongToDoubleFunction { double applyAsDouble(long v); }
interface DoubleToIntFunction { int applyAsInt(double v); }
interface DoubleToLongFunction { long applyAsLong(double v); }
