package java.util.stream;

import java.util.*;
import java.util.function.*;

interface BaseStream<T, S> extends AutoCloseable { Iterator<T> iterator(); Spliterator<T> spliterator(); boolean isParallel(); S sequential(); S parallel(); S unordered(); S onClose(Runnable handler); void close(); }
interface Stream<T> extends BaseStream<T, Stream<T>> {
    Stream<T> filter(Predicate<? super T> predicate);
    <R> Stream<R> map(Function<? super T, ? extends R> mapper);
    IntStream mapToInt(ToIntFunction<? super T> mapper);
    LongStream mapToLong(ToLongFunction<? super T> mapper);
    DoubleStream mapToDouble(ToDoubleFunction<? super T> mapper);
    <R> Stream<R> flatMap(Function<? super T, ? extends Stream<? extends R>> mapper);
    <R> Stream<R> mapMulti(BiConsumer<? super T, ? super Consumer<R>> mapper);
    Stream<T> distinct();
    Stream<T> sorted();
    Stream<T> sorted(Comparator<? super T> comparator);
    Stream<T> peek(Consumer<? super T> action);
    Stream<T> limit(long max);
    Stream<T> skip(long n);
    Stream<T> takeWhile(Predicate<? super T> predicate);
    Stream<T> dropWhile(Predicate<? super T> predicate);
    void forEach(Consumer<? super T> action);
    void forEachOrdered(Consumer<? super T> action);
    Object[] toArray();
    <A> A[] toArray(IntFunction<A[]> generator);
    T reduce(T identity, BinaryOperator<T> accumulator);
    Optional<T> reduce(BinaryOperator<T> accumulator);
    <U> U reduce(U identity, BiFunction<U, ? super T, U> accumulator, BinaryOperator<U> combiner);
    <R> R collect(Supplier<R> supplier, BiConsumer<R, ? super T> accumulator, BiConsumer<R, R> combiner);
    <R, A> R collect(Collector<? super T, A, R> collector);
    List<T> toList();
    Optional<T> min(Comparator<? super T> comparator);
    Optional<T> max(Comparator<? super T> comparator);
    long count();
    boolean anyMatch(Predicate<? super T> predicate);
    boolean allMatch(Predicate<? super T> predicate);
    boolean noneMatch(Predicate<? super T> predicate);
    Optional<T> findFirst();
    Optional<T> findAny();
    static <T> Stream<T> of(T t) {}
    static <T> Stream<T> of(T... values) {}
    static <T> Stream<T> ofNullable(T t) {}
    static <T> Stream<T> empty() {}
    static <T> Stream<T> iterate(T seed, UnaryOperator<T> f) {}
    static <T> Stream<T> iterate(T seed, Predicate<? super T> more, UnaryOperator<T> f) {}
    static <T> Stream<T> generate(Supplier<? extends T> s) {}
    static <T> Stream<T> concat(Stream<? extends T> a, Stream<? extends T> b) {}
    static <T> Builder<T> builder() {}
    interface Builder<T> extends Consumer<T> { Builder<T> add(T t); Stream<T> build(); }
}
interface IntStream extends BaseStream<Integer, IntStream> {
    IntStream filter(IntPredicate p); IntStream map(IntUnaryOperator f); <U> Stream<U> mapToObj(IntFunction<? extends U> f); LongStream mapToLong(IntToLongFunction f); DoubleStream mapToDouble(IntToDoubleFunction f); IntStream flatMap(IntFunction<? extends IntStream> f);
    IntStream distinct(); IntStream sorted(); IntStream peek(IntConsumer c); IntStream limit(long n); IntStream skip(long n); void forEach(IntConsumer c); void forEachOrdered(IntConsumer c); int[] toArray(); int reduce(int identity, IntBinaryOperator op); OptionalInt reduce(IntBinaryOperator op);
    int sum(); OptionalInt min(); OptionalInt max(); long count(); OptionalDouble average(); boolean anyMatch(IntPredicate p); boolean allMatch(IntPredicate p); boolean noneMatch(IntPredicate p); OptionalInt findFirst(); OptionalInt findAny(); LongStream asLongStream(); DoubleStream asDoubleStream(); Stream<Integer> boxed();
    static IntStream of(int v) {} static IntStream of(int... v) {} static IntStream range(int a, int b) {} static IntStream rangeClosed(int a, int b) {} static IntStream iterate(int seed, IntUnaryOperator f) {} static IntStream generate(IntSupplier s) {} static IntStream empty() {} static IntStream concat(IntStream a, IntStream b) {}
}
interface LongStream extends BaseStream<Long, LongStream> {
    LongStream filter(LongPredicate p); LongStream map(LongUnaryOperator f); <U> Stream<U> mapToObj(LongFunction<? extends U> f); IntStream mapToInt(LongToIntFunction f); LongStream limit(long n); LongStream skip(long n); void forEach(LongConsumer c); long[] toArray(); long reduce(long identity, LongBinaryOperator op);
    long sum(); OptionalLong min(); OptionalLong max(); long count(); boolean anyMatch(LongPredicate p); boolean allMatch(LongPredicate p); Stream<Long> boxed(); static LongStream of(long... v) {} static LongStream range(long a, long b) {} static LongStream rangeClosed(long a, long b) {}
}
interface DoubleStream extends BaseStream<Double, DoubleStream> {
    DoubleStream filter(DoublePredicate p); DoubleStream map(DoubleUnaryOperator f); <U> Stream<U> mapToObj(DoubleFunction<? extends U> f); void forEach(DoubleConsumer c); double[] toArray(); double reduce(double identity, DoubleBinaryOperator op);
    double sum(); OptionalDouble min(); OptionalDouble max(); long count(); OptionalDouble average(); Stream<Double> boxed(); static DoubleStream of(double... v) {}
}
interface Collector<T, A, R> {
    Supplier<A> supplier(); BiConsumer<A, T> accumulator(); BinaryOperator<A> combiner(); Function<A, R> finisher(); Set<Characteristics> characteristics();
    static <T, R> Collector<T, R, R> of(Supplier<R> s, BiConsumer<R, T> a, BinaryOperator<R> c, Characteristics... k) {}
    static <T, A, R> Collector<T, A, R> of(Supplier<A> s, BiConsumer<A, T> a, BinaryOperator<A> c, Function<A, R> f, Characteristics... k) {}
    enum Characteristics { CONCURRENT, UNORDERED, IDENTITY_FINISH }
}
class Collectors {
    static <T> Collector<T, ?, List<T>> toList();
    static <T> Collector<T, ?, List<T>> toUnmodifiableList();
    static <T> Collector<T, ?, Set<T>> toSet();
    static <T> Collector<T, ?, Set<T>> toUnmodifiableSet();
    static <T, C> Collector<T, ?, C> toCollection(Supplier<C> factory);
    static Collector<CharSequence, ?, String> joining();
    static Collector<CharSequence, ?, String> joining(CharSequence separator);
    static Collector<CharSequence, ?, String> joining(CharSequence separator, CharSequence prefix, CharSequence suffix);
    static <T, K, U> Collector<T, ?, Map<K, U>> toMap(Function<? super T, ? extends K> key, Function<? super T, ? extends U> value);
    static <T, K, U> Collector<T, ?, Map<K, U>> toMap(Function<? super T, ? extends K> key, Function<? super T, ? extends U> value, BinaryOperator<U> merge);
    static <T, K, U, M> Collector<T, ?, M> toMap(Function<? super T, ? extends K> key, Function<? super T, ? extends U> value, BinaryOperator<U> merge, Supplier<M> factory);
    static <T, K> Collector<T, ?, Map<K, List<T>>> groupingBy(Function<? super T, ? extends K> key);
    static <T, K, A, D> Collector<T, ?, Map<K, D>> groupingBy(Function<? super T, ? extends K> key, Collector<? super T, A, D> down);
    static <T, K, D, A, M> Collector<T, ?, M> groupingBy(Function<? super T, ? extends K> key, Supplier<M> factory, Collector<? super T, A, D> down);
    static <T> Collector<T, ?, Map<Boolean, List<T>>> partitioningBy(Predicate<? super T> p);
    static <T, D, A> Collector<T, ?, Map<Boolean, D>> partitioningBy(Predicate<? super T> p, Collector<? super T, A, D> down);
    static <T, U, A, R> Collector<T, ?, R> mapping(Function<? super T, ? extends U> f, Collector<? super U, A, R> down);
    static <T, A, R, RR> Collector<T, A, RR> collectingAndThen(Collector<T, A, R> down, Function<R, RR> f);
    static <T> Collector<T, ?, Long> counting();
    static <T> Collector<T, ?, T> reducing(T identity, BinaryOperator<T> op);
    static <T> Collector<T, ?, Integer> summingInt(ToIntFunction<? super T> f);
    static <T> Collector<T, ?, Optional<T>> minBy(Comparator<? super T> c);
    static <T> Collector<T, ?, Optional<T>> maxBy(Comparator<? super T> c);
}
class StreamSupport { static <T> Stream<T> stream(Spliterator<T> s, boolean parallel); }
