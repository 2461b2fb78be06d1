// Hot path: NatsHeaders -> this. Allocations: the text of a name that was not seen lately.
using System.Text;

namespace Postrider.Client.Payloads;

/// <summary>The texts of header names that were received lately: messages of one kind have the same names.</summary>
/// <remarks>Bounded: 128 names of at most 64 bytes. Thread-safe.</remarks>
internal static class HeaderNameCache
{
    private const int MaxBytes = 64;
    private static readonly Entry?[] s_entries = new Entry?[128];

    /// <summary>The text of a name.</summary>
    /// <param name="name">The name in UTF-8, as it was received.</param>
    internal static string Get(ReadOnlySpan<byte> name)
    {
        if (name.Length is 0 or > MaxBytes)
            return Encoding.UTF8.GetString(name);
        ref var slot = ref s_entries[Slot(name)];
        if (Volatile.Read(ref slot) is { } known && name.SequenceEqual(known.Bytes))
            return known.Text;
        var entry = new Entry(name.ToArray(), Encoding.UTF8.GetString(name));
        Volatile.Write(ref slot, entry);
        return entry.Text;
    }

    // No two of the usual names share a slot; where two do, each replaces the other.
    private static int Slot(ReadOnlySpan<byte> name)
        => (name.Length + (name[^1] * 5) + (name[name.Length / 2] * 11) + name[0]) & (s_entries.Length - 1);

    private sealed record Entry(byte[] Bytes, string Text);
}
