package java.time.chrono;

import java.time.*;
import java.time.temporal.*;

interface ChronoLocalDate extends Temporal, Comparable<ChronoLocalDate> { boolean isAfter(ChronoLocalDate o); boolean isBefore(ChronoLocalDate o); boolean isEqual(ChronoLocalDate o); long toEpochDay(); boolean isLeapYear(); ChronoLocalDateTime<?> atTime(LocalTime t); }
interface ChronoLocalDateTime<D> extends Temporal, Comparable<ChronoLocalDateTime<?>> { boolean isAfter(ChronoLocalDateTime<?> o); boolean isBefore(ChronoLocalDateTime<?> o); boolean isEqual(ChronoLocalDateTime<?> o); ChronoZonedDateTime<D> atZone(ZoneId z); Instant toInstant(ZoneOffset o); long toEpochSecond(ZoneOffset o); D toLocalDate(); LocalTime toLocalTime(); }
interface ChronoZonedDateTime<D> extends Temporal, Comparable<ChronoZonedDateTime<?>> { boolean isAfter(ChronoZonedDateTime<?> o); boolean isBefore(ChronoZonedDateTime<?> o); boolean isEqual(ChronoZonedDateTime<?> o); Instant toInstant(); long toEpochSecond(); D toLocalDate(); LocalTime toLocalTime(); ChronoLocalDateTime<D> toLocalDateTime(); ZoneId getZone(); }
