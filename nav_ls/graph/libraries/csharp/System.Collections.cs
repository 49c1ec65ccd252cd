public interface IEnumerable { IEnumerator GetEnumerator(); }
public interface IEnumerator { object Current { get; } bool MoveNext(); void Reset(); }
public interface ICollection : IEnumerable { int Count { get; } void CopyTo(Array a, int i); object SyncRoot { get; } bool IsSynchronized { get; } }
public interface IList : ICollection { object this[int i] { get; set; } int Add(object o); void Clear(); bool Contains(object o); int IndexOf(object o); void Insert(int i, object o); void Remove(object o); void RemoveAt(int i); bool IsReadOnly { get; } bool IsFixedSize { get; } }
public interface IDictionary : ICollection { object this[object k] { get; set; } ICollection Keys { get; } ICollection Values { get; } void Add(object k, object v); void Clear(); bool Contains(object k); void Remove(object k); IDictionaryEnumerator GetEnumerator(); }
public interface IDictionaryEnumerator : IEnumerator { DictionaryEntry Entry { get; } object Key { get; } object Value { get; } }
public struct DictionaryEntry { public DictionaryEntry(object k, object v); public object Key { get; set; } public object Value { get; set; } }
public interface IComparer { int Compare(object a, object b); }
public interface IEqualityComparer { bool Equals(object a, object b); int GetHashCode(object o); }
public class ArrayList : IList { public ArrayList(); }
public class Hashtable : IDictionary { public Hashtable(); public bool ContainsKey(object k); }
public class BitArray : ICollection { public BitArray(int n); }
public abstract class CollectionBase : IList { protected IList List { get; } }
