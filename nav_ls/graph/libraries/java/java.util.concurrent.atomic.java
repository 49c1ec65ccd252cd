package java.util.concurrent.atomic;
import java.util.function.*;
class AtomicInteger extends Number { AtomicInteger() {} AtomicInteger(int v) {} int get(); void set(int v); int getAndSet(int v); int incrementAndGet(); int decrementAndGet(); int getAndIncrement(); int getAndDecrement(); int addAndGet(int d); int getAndAdd(int d); boolean compareAndSet(int a, int b); int updateAndGet(IntUnaryOperator f); int getAndUpdate(IntUnaryOperator f); int accumulateAndGet(int v, IntBinaryOperator f); }
class AtomicLong extends Number { AtomicLong() {} AtomicLong(long v) {} long get(); void set(long v); long getAndSet(long v); long incrementAndGet(); long decrementAndGet(); long getAndIncrement(); long getAndDecrement(); long addAndGet(long d); long getAndAdd(long d); boolean compareAndSet(long a, long b); long updateAndGet(LongUnaryOperator f); }
class AtomicBoolean { AtomicBoolean() {} AtomicBoolean(boolean v) {} boolean get(); void set(boolean v); boolean getAndSet(boolean v); boolean compareAndSet(boolean a, boolean b); }
class AtomicReference<V> { AtomicReference() {} AtomicReference(V v) {} V get(); void set(V v); V getAndSet(V v); boolean compareAndSet(V a, V b); V updateAndGet(UnaryOperator<V> f); V getAndUpdate(UnaryOperator<V> f); V accumulateAndGet(V x, BinaryOperator<V> f); }
class AtomicIntegerArray { AtomicIntegerArray(int n) {} AtomicIntegerArray(int[] a) {} int get(int i); void set(int i, int v); int length(); }
class AtomicLongArray { AtomicLongArray(int n) {} AtomicLongArray(long[] a) {} long get(int i); void set(int i, long v); int length(); }
class AtomicReferenceArray<E> { AtomicReferenceArray(int n) {} AtomicReferenceArray(E[] a) {} E get(int i); void set(int i, E v); int length(); }
class LongAdder extends Number { void add(long x); void increment(); void decrement(); long sum(); }
