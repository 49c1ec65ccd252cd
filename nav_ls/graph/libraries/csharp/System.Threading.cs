public struct CancellationToken { public static CancellationToken None { get; } public bool IsCancellationRequested { get; } public bool CanBeCanceled { get; } public void ThrowIfCancellationRequested(); public CancellationTokenRegistration Register(Action a); }
public struct CancellationTokenRegistration : IDisposable { public void Dispose(); }
public class CancellationTokenSource : IDisposable { public CancellationTokenSource(); public CancellationTokenSource(int n); public CancellationToken Token { get; } public void Cancel(); public void CancelAfter(int n); public bool IsCancellationRequested { get; } public void Dispose(); }
public static class Interlocked { public static int Increment(ref int a); public static int Decrement(ref int a); public static T CompareExchange<T>(ref T a, T b, T c); public static T Exchange<T>(ref T a, T b); public static int Add(ref int a, int b); }
public static class Monitor { public static void Enter(object o); public static void Exit(object o); public static bool TryEnter(object o); public static void Wait(object o); public static void Pulse(object o); public static void PulseAll(object o); }
public static class Volatile { public static T Read<T>(ref T a); public static void Write<T>(ref T a, T v); }
public class Thread { public Thread(ThreadStart s); public static Thread CurrentThread { get; } public static void Sleep(int n); public void Start(); public void Join(); public bool IsBackground { get; set; } public string Name { get; set; } public int ManagedThreadId { get; } public System.Globalization.CultureInfo CurrentCulture { get; set; } public System.Globalization.CultureInfo CurrentUICulture { get; set; } }
public delegate void ThreadStart();
public class SemaphoreSlim : IDisposable { public SemaphoreSlim(int n); public SemaphoreSlim(int n, int m); public void Wait(); public System.Threading.Tasks.Task WaitAsync(); public int Release(); }
public class ManualResetEvent : IDisposable { public ManualResetEvent(bool b); public bool Set(); public bool Reset(); public bool WaitOne(); public bool WaitOne(int n); }
public class AutoResetEvent : IDisposable { public AutoResetEvent(bool b); public bool Set(); public bool WaitOne(); }
public class Timer : IDisposable { }
public class ThreadLocal<T> : IDisposable { public ThreadLocal(); public ThreadLocal(Func<T> f); public T Value { get; set; } }
public class AsyncLocal<T> { public T Value { get; set; } }
public class ReaderWriterLockSlim : IDisposable { public void EnterReadLock(); public void ExitReadLock(); public void EnterWriteLock(); public void ExitWriteLock(); }
public enum LazyThreadSafetyMode { None, PublicationOnly, ExecutionAndPublication }
