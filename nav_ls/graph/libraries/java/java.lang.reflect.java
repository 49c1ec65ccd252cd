package java.lang.reflect;

import java.lang.annotation.Annotation;

interface Type { default String getTypeName() {} }
interface ParameterizedType extends Type { Type[] getActualTypeArguments(); Type getRawType(); Type getOwnerType(); }
interface GenericArrayType extends Type { Type getGenericComponentType(); }
interface WildcardType extends Type { Type[] getUpperBounds(); Type[] getLowerBounds(); }
interface GenericDeclaration extends AnnotatedElement { TypeVariable<?>[] getTypeParameters(); }
interface TypeVariable<D> extends Type, AnnotatedElement { Type[] getBounds(); D getGenericDeclaration(); String getName(); }
interface AnnotatedElement {
    default boolean isAnnotationPresent(Class<? extends Annotation> type) {}
    <T extends Annotation> T getAnnotation(Class<T> type);
    Annotation[] getAnnotations();
    default <T extends Annotation> T[] getAnnotationsByType(Class<T> type) {}
    Annotation[] getDeclaredAnnotations();
}
interface AnnotatedType extends AnnotatedElement { Type getType(); }
interface Member { Class<?> getDeclaringClass(); String getName(); int getModifiers(); boolean isSynthetic(); }
class AccessibleObject implements AnnotatedElement {
    void setAccessible(boolean flag);
    static void setAccessible(AccessibleObject[] objects, boolean flag);
    boolean isAccessible();
    boolean trySetAccessible();
    boolean canAccess(Object target);
    <T extends Annotation> T getAnnotation(Class<T> type);
    boolean isAnnotationPresent(Class<? extends Annotation> type);
    Annotation[] getAnnotations();
    Annotation[] getDeclaredAnnotations();
}
class Executable extends AccessibleObject implements Member, GenericDeclaration {
    Class<?>[] getParameterTypes();
    Type[] getGenericParameterTypes();
    Class<?>[] getExceptionTypes();
    Type[] getGenericExceptionTypes();
    Annotation[][] getParameterAnnotations();
    Parameter[] getParameters();
    int getParameterCount();
    boolean isVarArgs();
    boolean isSynthetic();
    String toGenericString();
    Class<?> getDeclaringClass();
    String getName();
    int getModifiers();
    TypeVariable<?>[] getTypeParameters();
}
class Method extends Executable {
    Class<?> getReturnType();
    Type getGenericReturnType();
    Object invoke(Object target, Object... args);
    boolean isBridge();
    boolean isDefault();
    Object getDefaultValue();
}
class Constructor<T> extends Executable {
    T newInstance(Object... args);
    Class<T> getDeclaringClass();
}
class Parameter implements AnnotatedElement {
    String getName();
    Class<?> getType();
    Type getParameterizedType();
    boolean isNamePresent();
    boolean isVarArgs();
}
class Field extends AccessibleObject implements Member {
    Class<?> getType();
    Type getGenericType();
    Object get(Object target);
    void set(Object target, Object value);
    int getInt(Object target);
    long getLong(Object target);
    boolean getBoolean(Object target);
    void setInt(Object target, int value);
    void setBoolean(Object target, boolean value);
    boolean isEnumConstant();
    boolean isSynthetic();
    Class<?> getDeclaringClass();
    String getName();
    int getModifiers();
}
class RecordComponent implements AnnotatedElement { String getName(); Class<?> getType(); Type getGenericType(); Method getAccessor(); }
class Modifier {
    static int PUBLIC; static int PRIVATE; static int PROTECTED; static int STATIC; static int FINAL; static int TRANSIENT; static int VOLATILE; static int ABSTRACT; static int SYNCHRONIZED; static int NATIVE; static int INTERFACE;
    static boolean isPublic(int m); static boolean isPrivate(int m); static boolean isProtected(int m); static boolean isStatic(int m); static boolean isFinal(int m);
    static boolean isAbstract(int m); static boolean isInterface(int m); static boolean isTransient(int m); static boolean isVolatile(int m); static boolean isSynchronized(int m); static boolean isNative(int m);
    static String toString(int m);
}
class Array {
    static Object newInstance(Class<?> type, int length);
    static Object newInstance(Class<?> type, int... dimensions);
    static int getLength(Object array);
    static Object get(Object array, int index);
    static void set(Object array, int index, Object value);
    static int getInt(Object array, int index);
}
interface InvocationHandler { Object invoke(Object proxy, Method method, Object[] args); }
class Proxy {
    static Object newProxyInstance(ClassLoader loader, Class<?>[] interfaces, InvocationHandler handler);
    static boolean isProxyClass(Class<?> type);
    static InvocationHandler getInvocationHandler(Object proxy);
}
class InvocationTargetException extends ReflectiveOperationException { InvocationTargetException(Throwable t) {} InvocationTargetException(Throwable t, String m) {} Throwable getTargetException(); Throwable getCause(); }
class UndeclaredThrowableException extends RuntimeException { UndeclaredThrowableException(Throwable t) {} UndeclaredThrowableException(Throwable t, String m) {} Throwable getUndeclaredThrowable(); }
class MalformedParameterizedTypeException extends RuntimeException {}
class InaccessibleObjectException extends RuntimeException { InaccessibleObjectException(String m) {} }
