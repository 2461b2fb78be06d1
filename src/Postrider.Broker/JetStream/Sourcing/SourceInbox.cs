using System.Runtime.InteropServices;
using Postrider.Broker.JetStream.Streams;
using Postrider.Memory;

namespace Postrider.Broker.JetStream.Sourcing;

/// <summary>Copies of messages that a follower was sent and has not looked at yet.</summary>
/// <remarks>Not thread-safe.</remarks>
internal sealed class SourceInbox
{
    private const int KeptBytes = 1024 * 1024;
    private const int FirstBytes = 16 * 1024;

    private readonly List<Entry> _entries = [];
    private byte[] _bytes = [];

    /// <summary>Messages in it.</summary>
    public int Count => _entries.Count;

    /// <summary>Their bytes.</summary>
    public int Bytes { get; private set; }

    /// <summary>Adds a copy.</summary>
    public void Add(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload)
    {
        var needed = subject.Length + replyTo.Length + headers.Length + payload.Length;
        if (_bytes.Length - Bytes < needed) Array.Resize(ref _bytes, Math.Max(Bytes + needed, Math.Max(FirstBytes, _bytes.Length * 2)));
        var target = _bytes.AsSpan(Bytes);
        subject.CopyTo(target);
        replyTo.CopyTo(target[subject.Length..]);
        headers.CopyTo(target[(subject.Length + replyTo.Length)..]);
        BulkCopy.Copy(payload, target[(subject.Length + replyTo.Length + headers.Length)..]);
        _entries.Add(new Entry(Bytes, subject.Length, replyTo.Length, headers.Length, payload.Length));
        Bytes += needed;
    }

    /// <summary>Forgets all.</summary>
    public void Clear()
    {
        _entries.Clear();
        Bytes = 0;
        if (_bytes.Length > KeptBytes) _bytes = [];
    }

    /// <summary>A message, by the order of arrival; valid until the inbox changes.</summary>
    public Message this[int place]
    {
        get
        {
            ref readonly var entry = ref CollectionsMarshal.AsSpan(_entries)[place];
            var rest = _bytes.AsSpan(entry.Start);
            var (reply, headers) = (entry.SubjectBytes, entry.SubjectBytes + entry.ReplyBytes);
            return new Message(rest[..reply], rest[reply..headers], rest.Slice(headers, entry.HeaderBytes), rest.Slice(headers + entry.HeaderBytes, entry.PayloadBytes));
        }
    }

    /// <summary>A message of the inbox.</summary>
    internal readonly ref struct Message(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload)
    {
        /// <summary>The subject that it shows.</summary>
        public ReadOnlySpan<byte> Subject { get; } = subject;

        /// <summary>Its reply subject or nothing.</summary>
        public ReadOnlySpan<byte> ReplyTo { get; } = replyTo;

        /// <summary>Its header block or nothing.</summary>
        public ReadOnlySpan<byte> Headers { get; } = headers;

        /// <summary>Its payload.</summary>
        public ReadOnlySpan<byte> Payload { get; } = payload;
    }

    private readonly record struct Entry(int Start, int SubjectBytes, int ReplyBytes, int HeaderBytes, int PayloadBytes);
}
