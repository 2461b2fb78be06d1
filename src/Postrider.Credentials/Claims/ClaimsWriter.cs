using System.Text.Json;

namespace Postrider.Credentials.Claims;

/// <summary>Writes members as Go does with <c>omitempty</c>: not at all when they are empty, 0 or false.</summary>
internal static class ClaimsWriter
{
    private const long NoLimit = -1;
    private const long NanosecondsPerTick = 100;

    public static void Text(this Utf8JsonWriter writer, string name, string? value)
    {
        if (!string.IsNullOrEmpty(value)) writer.WriteString(name, value);
    }

    public static void Number(this Utf8JsonWriter writer, string name, long value)
    {
        if (value != 0) writer.WriteNumber(name, value);
    }

    /// <summary>A limit; null means no limit and is written as -1.</summary>
    public static void Limit(this Utf8JsonWriter writer, string name, long? value) => writer.Number(name, value ?? NoLimit);

    public static void Flag(this Utf8JsonWriter writer, string name, bool value)
    {
        if (value) writer.WriteBoolean(name, value);
    }

    public static void Time(this Utf8JsonWriter writer, string name, DateTimeOffset? value) => writer.Number(name, value?.ToUnixTimeSeconds() ?? 0);

    public static void Nanoseconds(this Utf8JsonWriter writer, string name, TimeSpan value) => writer.Number(name, ToNanoseconds(value));

    public static void Texts(this Utf8JsonWriter writer, string name, IReadOnlyList<string> values)
    {
        if (values.Count == 0) return;
        writer.WriteStartArray(name);
        foreach (var value in values) writer.WriteStringValue(value);
        writer.WriteEndArray();
    }

    public static void Objects<T>(this Utf8JsonWriter writer, string name, IEnumerable<T> values, Action<Utf8JsonWriter, T> write)
    {
        var begun = false;
        foreach (var value in values)
        {
            if (!begun) writer.WriteStartArray(name);
            begun = true;
            writer.WriteStartObject();
            write(writer, value);
            writer.WriteEndObject();
        }
        if (begun) writer.WriteEndArray();
    }

    public static void Times(this Utf8JsonWriter writer, string name, IReadOnlyDictionary<string, DateTimeOffset> values)
    {
        if (values.Count == 0) return;
        writer.WriteStartObject(name);
        foreach (var (key, value) in values.OrderBy(static pair => pair.Key, StringComparer.Ordinal)) writer.WriteNumber(key, value.ToUnixTimeSeconds());
        writer.WriteEndObject();
    }

    public static long ToNanoseconds(TimeSpan value) => value.Ticks * NanosecondsPerTick;
}
