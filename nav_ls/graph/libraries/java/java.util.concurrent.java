package java.util.concurrent;
import java.util.*;
import java.util.function.*;
interface Callable<V> { V call(); }
interface Executor { void execute(Runnable r); }
interface Future<V> { boolean cancel(boolean b); boolean isCancelled(); boolean isDone(); V get(); V get(long t, TimeUnit u); }
interface RunnableFuture<V> extends Runnable, Future<V> {}
interface Delayed extends Comparable<Delayed> { long getDelay(TimeUnit u); }
interface ScheduledFuture<V> extends Delayed, Future<V> {}
class FutureTask<V> implements RunnableFuture<V> { FutureTask(Callable<V> c) {} FutureTask(Runnable r, V v) {} void run(); V get(); V get(long t, TimeUnit u); boolean isDone(); boolean isCancelled(); boolean cancel(boolean b); }
interface ExecutorService extends Executor, AutoCloseable { void shutdown(); List<Runnable> shutdownNow(); boolean isShutdown(); boolean isTerminated(); boolean awaitTermination(long t, TimeUnit u); <T> Future<T> submit(Callable<T> c); <T> Future<T> submit(Runnable r, T v); Future<?> submit(Runnable r); <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> c); <T> T invokeAny(Collection<? extends Callable<T>> c); }
interface ScheduledExecutorService extends ExecutorService { ScheduledFuture<?> schedule(Runnable r, long t, TimeUnit u); <V> ScheduledFuture<V> schedule(Callable<V> c, long t, TimeUnit u); ScheduledFuture<?> scheduleAtFixedRate(Runnable r, long i, long p, TimeUnit u); ScheduledFuture<?> scheduleWithFixedDelay(Runnable r, long i, long p, TimeUnit u); }
abstract class AbstractExecutorService implements ExecutorService {}
class ThreadPoolExecutor extends AbstractExecutorService { ThreadPoolExecutor(int a, int b, long t, TimeUnit u, BlockingQueue<Runnable> q) {} ThreadPoolExecutor(int a, int b, long t, TimeUnit u, BlockingQueue<Runnable> q, ThreadFactory f) {} void beforeExecute(Thread t, Runnable r); void afterExecute(Runnable r, Throwable t); int getPoolSize(); int getActiveCount(); int getCorePoolSize(); void setCorePoolSize(int n); int getMaximumPoolSize(); void setMaximumPoolSize(int n); BlockingQueue<Runnable> getQueue(); ThreadFactory getThreadFactory(); void setThreadFactory(ThreadFactory f); void execute(Runnable r); }
class ScheduledThreadPoolExecutor extends ThreadPoolExecutor implements ScheduledExecutorService { ScheduledThreadPoolExecutor(int n) {} ScheduledThreadPoolExecutor(int n, ThreadFactory f) {} void setContinueExistingPeriodicTasksAfterShutdownPolicy(boolean b); void setExecuteExistingDelayedTasksAfterShutdownPolicy(boolean b); }
class Executors { static ExecutorService newFixedThreadPool(int n); static ExecutorService newFixedThreadPool(int n, ThreadFactory f); static ExecutorService newCachedThreadPool(); static ExecutorService newCachedThreadPool(ThreadFactory f); static ExecutorService newSingleThreadExecutor(); static ExecutorService newSingleThreadExecutor(ThreadFactory f); static ScheduledExecutorService newScheduledThreadPool(int n); static ScheduledExecutorService newScheduledThreadPool(int n, ThreadFactory f); static ScheduledExecutorService newSingleThreadScheduledExecutor(); static ScheduledExecutorService newSingleThreadScheduledExecutor(ThreadFactory f); static ExecutorService newWorkStealingPool(); static ThreadFactory defaultThreadFactory(); static <T> Callable<T> callable(Runnable r, T v); static Callable<Object> callable(Runnable r); }
interface ThreadFactory { Thread newThread(Runnable r); }
interface RejectedExecutionHandler { void rejectedExecution(Runnable r, ThreadPoolExecutor e); }
enum TimeUnit { NANOSECONDS, MICROSECONDS, MILLISECONDS, SECONDS, MINUTES, HOURS, DAYS; long convert(long d, TimeUnit u); long convert(java.time.Duration d); long toNanos(long d); long toMicros(long d); long toMillis(long d); long toSeconds(long d); long toMinutes(long d); long toHours(long d); long toDays(long d); void sleep(long t); java.time.temporal.ChronoUnit toChronoUnit(); }
interface ConcurrentMap<K, V> extends Map<K, V> {}
interface ConcurrentNavigableMap<K, V> extends ConcurrentMap<K, V>, NavigableMap<K, V> {}
class ConcurrentHashMap<K, V> extends AbstractMap<K, V> implements ConcurrentMap<K, V>, java.io.Serializable { ConcurrentHashMap() {} ConcurrentHashMap(int n) {} ConcurrentHashMap(int n, float f) {} ConcurrentHashMap(int n, float f, int c) {} ConcurrentHashMap(Map<? extends K, ? extends V> m) {} static <T> Set<T> newKeySet(); }
class ConcurrentSkipListMap<K, V> extends AbstractMap<K, V> implements ConcurrentNavigableMap<K, V> { ConcurrentSkipListMap() {} ConcurrentSkipListMap(Comparator<? super K> c) {} }
class ConcurrentSkipListSet<E> extends AbstractSet<E> implements NavigableSet<E> { ConcurrentSkipListSet() {} }
class ConcurrentLinkedQueue<E> extends AbstractQueue<E> { ConcurrentLinkedQueue() {} ConcurrentLinkedQueue(Collection<? extends E> c) {} }
class ConcurrentLinkedDeque<E> extends AbstractCollection<E> implements Deque<E> { ConcurrentLinkedDeque() {} }
class CopyOnWriteArrayList<E> implements List<E>, RandomAccess { CopyOnWriteArrayList() {} CopyOnWriteArrayList(Collection<? extends E> c) {} CopyOnWriteArrayList(E[] a) {} boolean addIfAbsent(E e); }
class CopyOnWriteArraySet<E> extends AbstractSet<E> { CopyOnWriteArraySet() {} CopyOnWriteArraySet(Collection<? extends E> c) {} }
interface BlockingQueue<E> extends Queue<E> { void put(E e); E take(); boolean offer(E e); boolean offer(E e, long t, TimeUnit u); E poll(); E poll(long t, TimeUnit u); int remainingCapacity(); int drainTo(Collection<? super E> c); int drainTo(Collection<? super E> c, int n); }
interface BlockingDeque<E> extends BlockingQueue<E>, Deque<E> {}
class LinkedBlockingQueue<E> extends AbstractQueue<E> implements BlockingQueue<E> { LinkedBlockingQueue() {} LinkedBlockingQueue(int n) {} }
class ArrayBlockingQueue<E> extends AbstractQueue<E> implements BlockingQueue<E> { ArrayBlockingQueue(int n) {} }
class PriorityBlockingQueue<E> extends AbstractQueue<E> implements BlockingQueue<E> { PriorityBlockingQueue() {} }
class SynchronousQueue<E> extends AbstractQueue<E> implements BlockingQueue<E> { SynchronousQueue() {} }
class LinkedBlockingDeque<E> extends AbstractQueue<E> implements BlockingDeque<E> { LinkedBlockingDeque() {} LinkedBlockingDeque(int n) {} }
class CountDownLatch { CountDownLatch(int n) {} void countDown(); void await(); boolean await(long t, TimeUnit u); long getCount(); }
class CyclicBarrier { CyclicBarrier(int n) {} CyclicBarrier(int n, Runnable r) {} int await(); }
class Semaphore { Semaphore(int n) {} Semaphore(int n, boolean f) {} void acquire(); boolean tryAcquire(); boolean tryAcquire(long t, TimeUnit u); void release(); int availablePermits(); }
class ThreadLocalRandom extends Random { static ThreadLocalRandom current(); }
class ForkJoinPool extends AbstractExecutorService { ForkJoinPool() {} ForkJoinPool(int n) {} static ForkJoinPool commonPool(); }
interface CompletionStage<T> { <U> CompletionStage<U> thenApply(Function<? super T, ? extends U> f); CompletionStage<Void> thenAccept(Consumer<? super T> c); CompletionStage<T> whenComplete(BiConsumer<? super T, ? super Throwable> c); <U> CompletionStage<U> thenCompose(Function<? super T, ? extends CompletionStage<U>> f); CompletableFuture<T> toCompletableFuture(); <U> CompletionStage<U> handle(BiFunction<? super T, Throwable, ? extends U> f); }
class CompletableFuture<T> implements Future<T>, CompletionStage<T> { CompletableFuture() {} static <U> CompletableFuture<U> supplyAsync(Supplier<U> s); static <U> CompletableFuture<U> supplyAsync(Supplier<U> s, Executor e); static CompletableFuture<Void> runAsync(Runnable r); static CompletableFuture<Void> runAsync(Runnable r, Executor e); static <U> CompletableFuture<U> completedFuture(U v); static <U> CompletableFuture<U> failedFuture(Throwable t); static CompletableFuture<Void> allOf(CompletableFuture<?>... f); static CompletableFuture<Object> anyOf(CompletableFuture<?>... f); T join(); T getNow(T v); boolean complete(T v); boolean completeExceptionally(Throwable t); <U> CompletableFuture<U> thenApply(Function<? super T, ? extends U> f); <U> CompletableFuture<U> thenApplyAsync(Function<? super T, ? extends U> f); CompletableFuture<Void> thenAccept(Consumer<? super T> c); CompletableFuture<Void> thenRun(Runnable r); <U> CompletableFuture<U> thenCompose(Function<? super T, ? extends CompletionStage<U>> f); <U, V> CompletableFuture<V> thenCombine(CompletionStage<? extends U> o, BiFunction<? super T, ? super U, ? extends V> f); CompletableFuture<T> exceptionally(Function<Throwable, ? extends T> f); CompletableFuture<T> whenComplete(BiConsumer<? super T, ? super Throwable> c); <U> CompletableFuture<U> handle(BiFunction<? super T, Throwable, ? extends U> f); boolean isCompletedExceptionally(); }
class ExecutionException extends Exception { ExecutionException(String m) {} ExecutionException(Throwable t) {} ExecutionException(String m, Throwable t) {} }
class TimeoutException extends Exception { TimeoutException() {} TimeoutException(String m) {} }
class CancellationException extends IllegalStateException { CancellationException() {} CancellationException(String m) {} }
class CompletionException extends RuntimeException { CompletionException(Throwable t) {} CompletionException(String m, Throwable t) {} }
class RejectedExecutionException extends RuntimeException { RejectedExecutionException() {} RejectedExecutionException(String m) {} }
class BrokenBarrierException extends Exception {}
