namespace Postrider.MessagePack.Formatters;

/// <summary>Formatters of dates, times and durations.</summary>
public static class Times
{
    // Offsets of DateTimeOffset: whole minutes, at most fourteen hours.
    private const int MaxOffsetMinutes = 14 * 60;

    /// <summary><see cref="System.DateTime"/> as the timestamp extension, so in UTC.</summary>
    public readonly struct DateTime : IMessagePackFormatter<System.DateTime>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, System.DateTime value) => writer.Write(MessagePackTimestamp.FromDateTime(value));

        /// <inheritdoc/>
        public System.DateTime Read(ref MessagePackReader reader)
        {
            reader.PeekCode();
            var start = reader.Consumed;
            var time = reader.ReadTimestamp();
            if (!time.TryToDateTime(out var value))
                ThrowHelper.InvalidValue(start, "a time between the years 1 and 9999", $"{time.Seconds} seconds since 1970");
            return value;
        }
    }

    /// <summary><see cref="System.DateTimeOffset"/> as an array: the local time as a timestamp, the offset in minutes.</summary>
    public readonly struct DateTimeOffset : IMessagePackFormatter<System.DateTimeOffset>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, System.DateTimeOffset value)
        {
            writer.WriteArrayHeader(2);
            default(DateTime).Write(ref writer, new(value.Ticks, DateTimeKind.Utc));
            writer.Write((short)value.TotalOffsetMinutes);
        }

        /// <inheritdoc/>
        public System.DateTimeOffset Read(ref MessagePackReader reader)
        {
            reader.PeekCode();
            var start = reader.Consumed;
            FormatterChecks.ReadArrayHeader(ref reader, 2, "a time with its offset");
            var local = default(DateTime).Read(ref reader);
            var minutes = reader.ReadInt16();
            var utc = local.Ticks - (minutes * TimeSpan.TicksPerMinute);
            if (Math.Abs((int)minutes) > MaxOffsetMinutes || utc < System.DateTime.MinValue.Ticks || utc > System.DateTime.MaxValue.Ticks)
                ThrowHelper.InvalidValue(start, "a time with its offset", $"an offset of {minutes} minutes");
            return new(local.Ticks, TimeSpan.FromMinutes(minutes));
        }
    }

    /// <summary><see cref="System.TimeSpan"/> as an integer: ticks of 100 nanoseconds.</summary>
    public readonly struct Span : IMessagePackFormatter<TimeSpan>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, TimeSpan value) => writer.Write(value.Ticks);

        /// <inheritdoc/>
        public TimeSpan Read(ref MessagePackReader reader) => new(reader.ReadInt64());
    }

    /// <summary><see cref="System.DateOnly"/> as an integer: days since 0001-01-01.</summary>
    public readonly struct DateOnly : IMessagePackFormatter<System.DateOnly>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, System.DateOnly value) => writer.Write(value.DayNumber);

        /// <inheritdoc/>
        public System.DateOnly Read(ref MessagePackReader reader)
        {
            reader.PeekCode();
            var start = reader.Consumed;
            var days = reader.ReadInt32();
            if (days < 0 || days > System.DateOnly.MaxValue.DayNumber)
                ThrowHelper.InvalidValue(start, "a day number", $"{days}");
            return System.DateOnly.FromDayNumber(days);
        }
    }

    /// <summary><see cref="System.TimeOnly"/> as an integer: ticks of 100 nanoseconds since midnight.</summary>
    public readonly struct TimeOnly : IMessagePackFormatter<System.TimeOnly>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, System.TimeOnly value) => writer.Write(value.Ticks);

        /// <inheritdoc/>
        public System.TimeOnly Read(ref MessagePackReader reader)
        {
            reader.PeekCode();
            var start = reader.Consumed;
            var ticks = reader.ReadInt64();
            if (ticks is < 0 or >= TimeSpan.TicksPerDay)
                ThrowHelper.InvalidValue(start, "a time of day", $"{ticks} ticks");
            return new(ticks);
        }
    }

    /// <summary>Writes <see cref="MessagePackTimestamp"/> as the timestamp extension, with full precision.</summary>
    public readonly struct Timestamp : IMessagePackFormatter<MessagePackTimestamp>
    {
        /// <inheritdoc/>
        public void Write(ref MessagePackWriter writer, MessagePackTimestamp value) => writer.Write(value);

        /// <inheritdoc/>
        public MessagePackTimestamp Read(ref MessagePackReader reader) => reader.ReadTimestamp();
    }
}
