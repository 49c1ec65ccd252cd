package java.time.temporal;
import java.time.Duration;
interface TemporalAccessor { boolean isSupported(TemporalField f); long getLong(TemporalField f); default int get(TemporalField f) {} }
interface Temporal extends TemporalAccessor { long until(Temporal t, TemporalUnit u); Temporal plus(long n, TemporalUnit u); }
interface TemporalAmount {}
interface TemporalUnit { Duration getDuration(); long between(Temporal a, Temporal b); }
interface TemporalField {}
enum ChronoUnit implements TemporalUnit { NANOS, MICROS, MILLIS, SECONDS, MINUTES, HOURS, HALF_DAYS, DAYS, WEEKS, MONTHS, YEARS, DECADES, CENTURIES, MILLENNIA, ERAS, FOREVER; Duration getDuration(); long between(Temporal a, Temporal b); }
enum ChronoField implements TemporalField { YEAR, MONTH_OF_YEAR, DAY_OF_MONTH, HOUR_OF_DAY, MINUTE_OF_HOUR, SECOND_OF_MINUTE, NANO_OF_SECOND, MILLI_OF_SECOND, INSTANT_SECONDS }
