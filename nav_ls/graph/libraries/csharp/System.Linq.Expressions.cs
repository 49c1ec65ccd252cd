public abstract class Expression { public Type Type { get; } public ExpressionType NodeType { get; } }
public class Expression<TDelegate> : LambdaExpression { public TDelegate Compile(); }
public class LambdaExpression : Expression { public Expression Body { get; } }
public class MemberExpression : Expression { public System.Reflection.MemberInfo Member { get; } public Expression Expression { get; } }
public enum ExpressionType { Lambda, Call, Convert, MemberAccess }
