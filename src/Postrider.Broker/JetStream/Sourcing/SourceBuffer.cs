using System.Runtime.InteropServices;
using Postrider.Broker.JetStream.Streams;
using Postrider.Memory;
using Postrider.Storage.Records;

namespace Postrider.Broker.JetStream.Sourcing;

/// <summary>Copies of messages on their way from one stream to another.</summary>
internal sealed class SourceBuffer
{
    private const int KeptBytes = 2 * 1024 * 1024;

    private readonly List<Entry> _entries = [];
    private byte[] _bytes = [];

    /// <summary>The number of messages.</summary>
    public int Count => _entries.Count;

    /// <summary>Whether the buffer is empty.</summary>
    public bool IsEmpty => _entries.Count == 0;

    /// <summary>The total size of the messages in bytes.</summary>
    public int Bytes { get; private set; }

    /// <summary>Sequence of the first message.</summary>
    public ulong FirstSequence => _entries[0].Sequence;

    /// <summary>Adds a copy.</summary>
    public void Add(in StoredMessage message)
    {
        var needed = message.Subject.Length + message.Headers.Length + message.Payload.Length;
        if (_bytes.Length - Bytes < needed) Array.Resize(ref _bytes, Math.Max(Bytes + needed, Math.Max(16 * 1024, _bytes.Length * 2)));
        var target = _bytes.AsSpan(Bytes);
        message.Subject.CopyTo(target);
        message.Headers.CopyTo(target[message.Subject.Length..]);
        BulkCopy.Copy(message.Payload, target[(message.Subject.Length + message.Headers.Length)..]);
        _entries.Add(new Entry(
            message.Sequence, message.Timestamp, message.TimeToLiveSeconds, Bytes, message.Subject.Length, message.Headers.Length, message.Payload.Length));
        Bytes += needed;
    }

    /// <summary>Removes all messages.</summary>
    public void Clear()
    {
        _entries.Clear();
        Bytes = 0;
        if (_bytes.Length > KeptBytes) _bytes = [];
    }

    /// <summary>Enumerates the messages.</summary>
    public Enumerator GetEnumerator() => new(_entries, _bytes);

    /// <summary>Enumerates the messages; they are valid until the buffer changes.</summary>
    internal ref struct Enumerator(List<Entry> entries, byte[] bytes)
    {
        private int _at = -1;

        /// <summary>The message.</summary>
        public readonly StoredMessage Current
        {
            get
            {
                ref readonly var entry = ref CollectionsMarshal.AsSpan(entries)[_at];
                var rest = bytes.AsSpan(entry.Start);
                return new StoredMessage(
                    entry.Sequence,
                    entry.Timestamp,
                    entry.TimeToLiveSeconds,
                    rest[..entry.SubjectBytes],
                    rest.Slice(entry.SubjectBytes, entry.HeaderBytes),
                    rest.Slice(entry.SubjectBytes + entry.HeaderBytes, entry.PayloadBytes));
            }
        }

        /// <summary>Moves to the next message.</summary>
        public bool MoveNext() => ++_at < entries.Count;
    }

    internal readonly record struct Entry(
        ulong Sequence, long Timestamp, uint TimeToLiveSeconds, int Start, int SubjectBytes, int HeaderBytes, int PayloadBytes);
}
