public interface IGrouping<TKey, TElement> : System.Collections.Generic.IEnumerable<TElement> { TKey Key { get; } }
public interface ILookup<TKey, TElement> : System.Collections.Generic.IEnumerable<IGrouping<TKey, TElement>> { System.Collections.Generic.IEnumerable<TElement> this[TKey k] { get; } int Count { get; } bool Contains(TKey k); }
public interface IOrderedEnumerable<T> : System.Collections.Generic.IEnumerable<T> { }
public interface IQueryable<T> : System.Collections.Generic.IEnumerable<T> { }
public interface IOrderedQueryable<T> : IQueryable<T> { }
public static class Enumerable {
  public static IEnumerable<T> Where<T>(this IEnumerable<T> s, Func<T, bool> p);
  public static IEnumerable<T> Where<T>(this IEnumerable<T> s, Func<T, int, bool> p);
  public static IEnumerable<R> Select<T, R>(this IEnumerable<T> s, Func<T, R> f);
  public static IEnumerable<R> Select<T, R>(this IEnumerable<T> s, Func<T, int, R> f);
  public static IEnumerable<R> SelectMany<T, R>(this IEnumerable<T> s, Func<T, IEnumerable<R>> f);
  public static IEnumerable<R> SelectMany<T, C, R>(this IEnumerable<T> s, Func<T, IEnumerable<C>> f, Func<T, C, R> g);
  public static IEnumerable<T> Take<T>(this IEnumerable<T> s, int n);
  public static IEnumerable<T> TakeWhile<T>(this IEnumerable<T> s, Func<T, bool> p);
  public static IEnumerable<T> Skip<T>(this IEnumerable<T> s, int n);
  public static IEnumerable<T> SkipWhile<T>(this IEnumerable<T> s, Func<T, bool> p);
  public static IEnumerable<T> Concat<T>(this IEnumerable<T> s, IEnumerable<T> o);
  public static IEnumerable<T> Append<T>(this IEnumerable<T> s, T o);
  public static IEnumerable<T> Prepend<T>(this IEnumerable<T> s, T o);
  public static IEnumerable<T> Union<T>(this IEnumerable<T> s, IEnumerable<T> o);
  public static IEnumerable<T> Except<T>(this IEnumerable<T> s, IEnumerable<T> o);
  public static IEnumerable<T> Intersect<T>(this IEnumerable<T> s, IEnumerable<T> o);
  public static IEnumerable<T> Distinct<T>(this IEnumerable<T> s);
  public static IEnumerable<T> Distinct<T>(this IEnumerable<T> s, IEqualityComparer<T> c);
  public static IEnumerable<T> DistinctBy<T, K>(this IEnumerable<T> s, Func<T, K> f);
  public static IEnumerable<T> Reverse<T>(this IEnumerable<T> s);
  public static IEnumerable<T> DefaultIfEmpty<T>(this IEnumerable<T> s);
  public static IEnumerable<T[]> Chunk<T>(this IEnumerable<T> s, int n);
  public static IOrderedEnumerable<T> OrderBy<T, K>(this IEnumerable<T> s, Func<T, K> f);
  public static IOrderedEnumerable<T> OrderBy<T, K>(this IEnumerable<T> s, Func<T, K> f, IComparer<K> c);
  public static IOrderedEnumerable<T> OrderByDescending<T, K>(this IEnumerable<T> s, Func<T, K> f);
  public static IOrderedEnumerable<T> ThenBy<T, K>(this IOrderedEnumerable<T> s, Func<T, K> f);
  public static IOrderedEnumerable<T> ThenByDescending<T, K>(this IOrderedEnumerable<T> s, Func<T, K> f);
  public static IEnumerable<IGrouping<K, T>> GroupBy<T, K>(this IEnumerable<T> s, Func<T, K> f);
  public static IEnumerable<IGrouping<K, E>> GroupBy<T, K, E>(this IEnumerable<T> s, Func<T, K> f, Func<T, E> g);
  public static IEnumerable<R> Join<T, I, K, R>(this IEnumerable<T> s, IEnumerable<I> o, Func<T, K> a, Func<I, K> b, Func<T, I, R> r);
  public static IEnumerable<R> Zip<A, B, R>(this IEnumerable<A> s, IEnumerable<B> o, Func<A, B, R> f);
  public static IEnumerable<(A First, B Second)> Zip<A, B>(this IEnumerable<A> s, IEnumerable<B> o);
  public static IEnumerable<T> OfType<T>(this System.Collections.IEnumerable s);
  public static IEnumerable<T> Cast<T>(this System.Collections.IEnumerable s);
  public static IEnumerable<T> AsEnumerable<T>(this IEnumerable<T> s);
  public static List<T> ToList<T>(this IEnumerable<T> s);
  public static T[] ToArray<T>(this IEnumerable<T> s);
  public static HashSet<T> ToHashSet<T>(this IEnumerable<T> s);
  public static Dictionary<K, T> ToDictionary<T, K>(this IEnumerable<T> s, Func<T, K> f);
  public static Dictionary<K, T> ToDictionary<T, K>(this IEnumerable<T> s, Func<T, K> f, IEqualityComparer<K> c);
  public static Dictionary<K, V> ToDictionary<T, K, V>(this IEnumerable<T> s, Func<T, K> f, Func<T, V> g);
  public static Dictionary<K, V> ToDictionary<T, K, V>(this IEnumerable<T> s, Func<T, K> f, Func<T, V> g, IEqualityComparer<K> c);
  public static ILookup<K, T> ToLookup<T, K>(this IEnumerable<T> s, Func<T, K> f);
  public static T First<T>(this IEnumerable<T> s);
  public static T First<T>(this IEnumerable<T> s, Func<T, bool> p);
  public static T FirstOrDefault<T>(this IEnumerable<T> s);
  public static T FirstOrDefault<T>(this IEnumerable<T> s, Func<T, bool> p);
  public static T Last<T>(this IEnumerable<T> s);
  public static T Last<T>(this IEnumerable<T> s, Func<T, bool> p);
  public static T LastOrDefault<T>(this IEnumerable<T> s);
  public static T LastOrDefault<T>(this IEnumerable<T> s, Func<T, bool> p);
  public static T Single<T>(this IEnumerable<T> s);
  public static T Single<T>(this IEnumerable<T> s, Func<T, bool> p);
  public static T SingleOrDefault<T>(this IEnumerable<T> s);
  public static T SingleOrDefault<T>(this IEnumerable<T> s, Func<T, bool> p);
  public static T ElementAt<T>(this IEnumerable<T> s, int i);
  public static T ElementAtOrDefault<T>(this IEnumerable<T> s, int i);
  public static bool Any<T>(this IEnumerable<T> s);
  public static bool Any<T>(this IEnumerable<T> s, Func<T, bool> p);
  public static bool All<T>(this IEnumerable<T> s, Func<T, bool> p);
  public static bool Contains<T>(this IEnumerable<T> s, T v);
  public static bool Contains<T>(this IEnumerable<T> s, T v, IEqualityComparer<T> c);
  public static bool SequenceEqual<T>(this IEnumerable<T> s, IEnumerable<T> o);
  public static int Count<T>(this IEnumerable<T> s);
  public static int Count<T>(this IEnumerable<T> s, Func<T, bool> p);
  public static int Sum(this IEnumerable<int> s);
  public static int Sum<T>(this IEnumerable<T> s, Func<T, int> f);
  public static double Average<T>(this IEnumerable<T> s, Func<T, int> f);
  public static T Min<T>(this IEnumerable<T> s);
  public static T Max<T>(this IEnumerable<T> s);
  public static R Min<T, R>(this IEnumerable<T> s, Func<T, R> f);
  public static R Max<T, R>(this IEnumerable<T> s, Func<T, R> f);
  public static T MinBy<T, K>(this IEnumerable<T> s, Func<T, K> f);
  public static T MaxBy<T, K>(this IEnumerable<T> s, Func<T, K> f);
  public static T Aggregate<T>(this IEnumerable<T> s, Func<T, T, T> f);
  public static A Aggregate<T, A>(this IEnumerable<T> s, A a, Func<A, T, A> f);
  public static IEnumerable<int> Range(int a, int n);
  public static IEnumerable<T> Repeat<T>(T v, int n);
  public static IEnumerable<T> Empty<T>();
}
public static class Queryable { public static IQueryable<T> AsQueryable<T>(this IEnumerable<T> s); }
