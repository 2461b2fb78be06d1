using Postrider.Storage.Records;

namespace Postrider.Broker.JetStream.Streams.Publishing;

/// <summary>Messages of a batch that is not committed yet, outside the managed heap: the memory is freed with the batch.</summary>
internal sealed class AtomicBatch : IDisposable
{
    // The approximate overhead of a message besides its bytes.
    private const int EntryBytes = 64;
    private const int FirstBytes = 1024;

    private readonly List<(int Start, int SubjectBytes, int HeaderBytes, int PayloadBytes)> _entries = [];
    private NativeArray<byte>? _bytes;

    /// <summary>The number of messages.</summary>
    public int Count => _entries.Count;

    /// <summary>The memory that it holds, in bytes.</summary>
    public long Bytes { get; private set; }

    /// <summary>When the batch is abandoned, in nanoseconds since 1970.</summary>
    public long Deadline { get; set; }

    /// <summary>How much additional memory another message needs.</summary>
    public long GrowthFor(int messageBytes)
    {
        var used = _bytes?.Count ?? 0;
        var capacity = _bytes?.Capacity ?? 0;
        var needed = (long)used + messageBytes;
        return EntryBytes + (needed <= capacity ? 0 : Math.Max(needed, Math.Max(FirstBytes, Math.Min(2L * capacity, Array.MaxLength))) - capacity);
    }

    /// <summary>Adds a copy of a message.</summary>
    /// <returns>False when the batch would become too large.</returns>
    public bool TryAdd(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload)
    {
        var length = (long)subject.Length + headers.Length + payload.Length;
        var start = _bytes?.Count ?? 0;
        if (start + length > Array.MaxLength) return false;
        Bytes += GrowthFor((int)length);
        _bytes ??= new NativeArray<byte>((int)Math.Max(FirstBytes, length));
        _bytes.Reserve((int)(start + length));
        _bytes.Count = (int)(start + length);
        var target = _bytes.Slice(start, (int)length);
        subject.CopyTo(target);
        headers.CopyTo(target[subject.Length..]);
        payload.CopyTo(target[(subject.Length + headers.Length)..]);
        _entries.Add((start, subject.Length, headers.Length, payload.Length));
        return true;
    }

    /// <summary>One message; valid until another one is added.</summary>
    public void Read(int index, out ReadOnlySpan<byte> subject, out ReadOnlySpan<byte> headers, out ReadOnlySpan<byte> payload)
    {
        var (start, subjectBytes, headerBytes, payloadBytes) = _entries[index];
        subject = _bytes!.Slice(start, subjectBytes);
        headers = _bytes.Slice(start + subjectBytes, headerBytes);
        payload = _bytes.Slice(start + subjectBytes + headerBytes, payloadBytes);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _bytes?.Dispose();
        _bytes = null;
        _entries.Clear();
        Bytes = 0;
    }
}
