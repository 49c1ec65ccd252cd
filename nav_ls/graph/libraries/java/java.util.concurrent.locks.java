package java.util.concurrent.locks;
import java.util.concurrent.TimeUnit;
interface Lock { void lock(); void unlock(); boolean tryLock(); boolean tryLock(long t, TimeUnit u); void lockInterruptibly(); Condition newCondition(); }
interface Condition { void await(); boolean await(long t, TimeUnit u); void signal(); void signalAll(); }
interface ReadWriteLock { Lock readLock(); Lock writeLock(); }
class ReentrantLock implements Lock { ReentrantLock() {} ReentrantLock(boolean f) {} boolean isHeldByCurrentThread(); boolean isLocked(); }
class ReentrantReadWriteLock implements ReadWriteLock { ReentrantReadWriteLock() {} ReentrantReadWriteLock(boolean f) {} }
class StampedLock { StampedLock() {} Lock asReadLock(); Lock asWriteLock(); ReadWriteLock asReadWriteLock(); long readLock(); long writeLock(); void unlockRead(long s); void unlockWrite(long s); }
