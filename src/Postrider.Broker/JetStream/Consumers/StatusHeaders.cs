using System.Buffers.Text;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>Header blocks of the status messages that are sent to pull and push clients.</summary>
/// <remarks>Source: nats-server's status messages, word for word.</remarks>
internal static class StatusHeaders
{
    /// <summary>Maximum length of those that do not contain names.</summary>
    public const int MaxBytes = 256;

    /// <summary>A pull request has expired.</summary>
    public static ReadOnlySpan<byte> RequestTimeout => "408 Request Timeout"u8;

    /// <summary>The next message is larger than the remaining bytes of the pull request.</summary>
    public static ReadOnlySpan<byte> MessageTooLarge => "409 Message Size Exceeds MaxBytes"u8;

    /// <summary>A pull request received all its messages, but not all its bytes.</summary>
    public static ReadOnlySpan<byte> BatchCompleted => "409 Batch Completed"u8;

    /// <summary>Another client holds the pin.</summary>
    public static ReadOnlySpan<byte> WrongPin => "423 Nats-Wrong-Pin-Id"u8;

    /// <summary>No message is available.</summary>
    public static ReadOnlySpan<byte> NoMessages => "404 No Messages"u8;

    /// <summary>Other requests are waiting already.</summary>
    public static ReadOnlySpan<byte> RequestsPending => "408 Requests Pending"u8;

    /// <summary>Too many pull requests are waiting.</summary>
    public static ReadOnlySpan<byte> MaxWaiting => "409 Exceeded MaxWaiting"u8;

    /// <summary>The pull request is for a push consumer.</summary>
    public static ReadOnlySpan<byte> PushBased => "409 Consumer is push based"u8;

    /// <summary>The consumer was deleted.</summary>
    public static ReadOnlySpan<byte> ConsumerDeleted => "409 Consumer Deleted"u8;

    /// <summary>The broker stops.</summary>
    public static ReadOnlySpan<byte> ServerShutdown => "409 Server Shutdown"u8;

    /// <summary>The requested API level is not supported.</summary>
    public static ReadOnlySpan<byte> ApiLevel => "412 Required Api Level"u8;

    /// <summary>A flow control request, which the client has to answer.</summary>
    public static ReadOnlySpan<byte> FlowControl => "100 FlowControl Request"u8;

    /// <summary>Writes only a status.</summary>
    public static int Write(Span<byte> target, ReadOnlySpan<byte> status)
    {
        var length = Begin(target, status);
        return length + Put(target[length..], "\r\n"u8);
    }

    /// <summary>Writes a status with the remaining messages and bytes of a pull request.</summary>
    public static int Write(Span<byte> target, ReadOnlySpan<byte> status, long messages, long bytes)
    {
        var length = Begin(target, status);
        length += Line(target[length..], "Nats-Pending-Messages: "u8, messages);
        length += Line(target[length..], "Nats-Pending-Bytes: "u8, bytes);
        return length + Put(target[length..], "\r\n"u8);
    }

    /// <summary>Writes a heartbeat.</summary>
    /// <param name="target">The buffer to write to.</param>
    /// <param name="consumerSequence">The number of the newest delivery.</param>
    /// <param name="streamSequence">The last stream sequence that was considered.</param>
    /// <param name="stalledAt">The reply subject of the flow control message without response, or empty.</param>
    public static int WriteHeartbeat(Span<byte> target, ulong consumerSequence, ulong streamSequence, ReadOnlySpan<byte> stalledAt)
    {
        var length = Begin(target, "100 Idle Heartbeat"u8);
        length += Line(target[length..], "Nats-Last-Consumer: "u8, consumerSequence);
        length += Line(target[length..], "Nats-Last-Stream: "u8, streamSequence);
        if (!stalledAt.IsEmpty)
        {
            length += Put(target[length..], "Nats-Consumer-Stalled: "u8);
            length += Put(target[length..], stalledAt);
            length += Put(target[length..], "\r\n"u8);
        }
        return length + Put(target[length..], "\r\n"u8);
    }

    private static int Begin(Span<byte> target, ReadOnlySpan<byte> status)
    {
        var length = Put(target, "NATS/1.0 "u8);
        length += Put(target[length..], status);
        return length + Put(target[length..], "\r\n"u8);
    }

    private static int Line(Span<byte> target, ReadOnlySpan<byte> name, long value)
    {
        var length = Put(target, name);
        _ = Utf8Formatter.TryFormat(value, target[length..], out var digits);
        length += digits;
        return length + Put(target[length..], "\r\n"u8);
    }

    private static int Line(Span<byte> target, ReadOnlySpan<byte> name, ulong value)
    {
        var length = Put(target, name);
        _ = Utf8Formatter.TryFormat(value, target[length..], out var digits);
        length += digits;
        return length + Put(target[length..], "\r\n"u8);
    }

    private static int Put(Span<byte> target, ReadOnlySpan<byte> text)
    {
        text.CopyTo(target);
        return text.Length;
    }
}
