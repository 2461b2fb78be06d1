// Hot path: StreamPublishHandler -> this. Allocations: none.
using System.Buffers.Text;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Postrider.Broker.JetStream.Streams.Publishing;

/// <summary>The headers of a publish that concern the stream: views of the header block, empty where a header is absent.</summary>
/// <remarks>One pass over the block; the first line with a name counts, even if its value is empty. As in nats-server, names are compared
/// byte by byte, a line is between two CRLF, and blanks after a value belong to it.</remarks>
internal ref struct PublishHeaders
{
    public ReadOnlySpan<byte> MessageId;
    public ReadOnlySpan<byte> ExpectedStream;
    public ReadOnlySpan<byte> ExpectedLastSequence;
    public ReadOnlySpan<byte> ExpectedLastSubjectSequence;
    public ReadOnlySpan<byte> ExpectedLastSubjectSequenceSubject;
    public ReadOnlySpan<byte> ExpectedLastMessageId;
    public ReadOnlySpan<byte> Rollup;
    public ReadOnlySpan<byte> TimeToLive;
    public ReadOnlySpan<byte> Increment;
    public ReadOnlySpan<byte> BatchId;
    public ReadOnlySpan<byte> BatchSequence;
    public ReadOnlySpan<byte> BatchCommit;
    public ReadOnlySpan<byte> StreamSource;

    /// <summary>Whether there is any header about schedules.</summary>
    public bool HasSchedule;

    /// <summary>Whether the block has the header about a requester in another account, which is not stored.</summary>
    public bool HasRequestInfo;

    /// <summary>Whether the block has the header about the commit of a batch, with or without a value.</summary>
    public readonly bool HasBatchCommit => IsPresent(BatchCommit);

    /// <summary>Whether the block contains any header that concerns the stream.</summary>
    public bool Any;

    /// <summary>Reads a header block.</summary>
    public static PublishHeaders Read(ReadOnlySpan<byte> headers)
    {
        var found = default(PublishHeaders);
        for (var end = headers.IndexOf("\r\n"u8); end >= 0;)
        {
            // The first line is the version.
            headers = headers[(end + 2)..];
            end = headers.IndexOf("\r\n"u8);
            var line = end < 0 ? headers : headers[..end];
            if (line.Length < 9 || !line.StartsWith("Nats-"u8)) continue;
            var colon = line.IndexOf((byte)':');
            if (colon > 0) found.Assign(line[5..colon], line[(colon + 1)..].TrimStart((byte)' '));
        }
        return found;
    }

    /// <summary>Parses a number as nats-server does: digits, or the highest number for anything else.</summary>
    public static ulong Number(ReadOnlySpan<byte> value)
        => Utf8Parser.TryParse(value, out long number, out var used) && used == value.Length && number >= 0 && value[0] is not ((byte)'+' or (byte)'-')
            ? (ulong)number
            : ulong.MaxValue;

    private void Assign(ReadOnlySpan<byte> name, ReadOnlySpan<byte> value)
    {
        switch (name[0])
        {
            case (byte)'M' when name.SequenceEqual("Msg-Id"u8):
                Set(ref MessageId, value);
                break;
            case (byte)'E':
                TakeExpected(name, value);
                break;
            case (byte)'R' when name.SequenceEqual("Rollup"u8):
                Set(ref Rollup, value);
                break;
            case (byte)'R' when name.SequenceEqual("Request-Info"u8):
                HasRequestInfo = true;
                break;
            case (byte)'T' when name.SequenceEqual("TTL"u8):
                Set(ref TimeToLive, value);
                break;
            case (byte)'I' when name.SequenceEqual("Incr"u8):
                Set(ref Increment, value);
                break;
            case (byte)'B':
                if (name.SequenceEqual("Batch-Id"u8)) Set(ref BatchId, value);
                else if (name.SequenceEqual("Batch-Sequence"u8)) Set(ref BatchSequence, value);
                else if (name.SequenceEqual("Batch-Commit"u8)) Set(ref BatchCommit, value);
                break;
            case (byte)'S':
                if (name.SequenceEqual("Stream-Source"u8)) Set(ref StreamSource, value);
                else if (name.StartsWith("Schedule"u8)) Any = HasSchedule = true;
                break;
            default:
                break;
        }
    }

    private void TakeExpected(ReadOnlySpan<byte> name, ReadOnlySpan<byte> value)
    {
        if (name.SequenceEqual("Expected-Stream"u8)) Set(ref ExpectedStream, value);
        else if (name.SequenceEqual("Expected-Last-Sequence"u8)) Set(ref ExpectedLastSequence, value);
        else if (name.SequenceEqual("Expected-Last-Subject-Sequence"u8)) Set(ref ExpectedLastSubjectSequence, value);
        else if (name.SequenceEqual("Expected-Last-Subject-Sequence-Subject"u8)) Set(ref ExpectedLastSubjectSequenceSubject, value);
        else if (name.SequenceEqual("Expected-Last-Msg-Id"u8)) Set(ref ExpectedLastMessageId, value);
    }

    private void Set(ref ReadOnlySpan<byte> member, ReadOnlySpan<byte> value)
    {
        if (!IsPresent(member)) member = value;
        Any = true;
    }

    // An empty value counts: it refers to its place in the block.
    private static bool IsPresent(ReadOnlySpan<byte> member) => !Unsafe.IsNullRef(ref MemoryMarshal.GetReference(member));
}
