public class CultureInfo : IFormatProvider { public CultureInfo(string s); public static CultureInfo InvariantCulture { get; } public static CultureInfo CurrentCulture { get; set; } public static CultureInfo CurrentUICulture { get; set; } public static CultureInfo GetCultureInfo(string s); public string Name { get; } public TextInfo TextInfo { get; } public NumberFormatInfo NumberFormat { get; } public DateTimeFormatInfo DateTimeFormat { get; } }
public class TextInfo { public string ToTitleCase(string s); public string ToLower(string s); public string ToUpper(string s); }
public class NumberFormatInfo : IFormatProvider { public static NumberFormatInfo InvariantInfo { get; } public string NumberDecimalSeparator { get; set; } }
public class DateTimeFormatInfo : IFormatProvider { public static DateTimeFormatInfo InvariantInfo { get; } }
public enum NumberStyles { None, Integer, Float, Number, HexNumber, Any, AllowLeadingSign, AllowDecimalPoint }
public enum DateTimeStyles { None, RoundtripKind, AssumeUniversal, AdjustToUniversal }
