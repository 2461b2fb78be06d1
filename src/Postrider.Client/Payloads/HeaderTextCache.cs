// Hot path: NatsHeaders -> this. Allocations: the texts that were not seen lately.
using System.Text;

namespace Postrider.Client.Payloads;

/// <summary>The texts of headers that were received lately: messages of one kind have the same names, and for some the same value.</summary>
/// <remarks>Bounded: 128 names of at most 64 bytes, with one value of at most 64 bytes each. Thread-safe.</remarks>
internal static class HeaderTextCache
{
    private const int MaxBytes = 64;

    // A value that changes with every message, such as an id, is replaced rarely. The first value of a name is not kept.
    private const int DifferencesUntilReplaced = 64;

    private static readonly Entry?[] s_entries = new Entry?[128];

    /// <summary>The texts of a header.</summary>
    /// <param name="name">The name in UTF-8, as it was received.</param>
    /// <param name="value">The value in UTF-8.</param>
    /// <param name="text">The text of the value if it is known; null otherwise.</param>
    internal static KeyValuePair<string, string> Get(ReadOnlySpan<byte> name, ReadOnlySpan<byte> value, string? text = null)
    {
        if (name.Length is 0 or > MaxBytes)
            return new(Encoding.UTF8.GetString(name), text ?? Encoding.UTF8.GetString(value));
        ref var slot = ref s_entries[Slot(name)];
        var entry = Volatile.Read(ref slot);
        if (entry is null || !name.SequenceEqual(entry.Bytes))
            Volatile.Write(ref slot, entry = new Entry(name));
        return new(entry.Text, text ?? entry.TextOf(value));
    }

    // No two of the usual names share a slot; where two do, each replaces the other.
    private static int Slot(ReadOnlySpan<byte> name)
        => (name.Length + (name[^1] * 5) + (name[name.Length / 2] * 11) + name[0]) & (s_entries.Length - 1);

    private sealed class Entry(ReadOnlySpan<byte> name)
    {
        private Value? _value;
        private int _differences;

        public byte[] Bytes { get; } = name.ToArray();

        public string Text { get; } = Encoding.UTF8.GetString(name);

        public string TextOf(ReadOnlySpan<byte> value)
        {
            var known = Volatile.Read(ref _value);
            if (known is not null && value.SequenceEqual(known.Bytes))
                return known.Text;
            var text = Encoding.UTF8.GetString(value);
            // Not atomic: a lost count only delays the replacement.
            var differences = ++_differences;
            if (value.Length <= MaxBytes && (differences % DifferencesUntilReplaced == 0 || (known is null && differences > 1)))
                Volatile.Write(ref _value, new Value(value.ToArray(), text));
            return text;
        }
    }

    private sealed record Value(byte[] Bytes, string Text);
}
