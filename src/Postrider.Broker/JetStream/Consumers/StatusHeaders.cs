using System.Buffers.Text;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>Header blocks that say something about a delivery without being one.</summary>
/// <remarks>Source: nats-server's status messages, word by word.</remarks>
internal static class StatusHeaders
{
    /// <summary>Room for any of them but those with names in them.</summary>
    public const int MaxBytes = 256;

    /// <summary>A pull's time is over.</summary>
    public static ReadOnlySpan<byte> RequestTimeout => "408 Request Timeout"u8;

    /// <summary>The next message is larger than what the pull has left.</summary>
    public static ReadOnlySpan<byte> MessageTooLarge => "409 Message Size Exceeds MaxBytes"u8;

    /// <summary>A pull got its messages, but not its bytes.</summary>
    public static ReadOnlySpan<byte> BatchCompleted => "409 Batch Completed"u8;

    /// <summary>The pull's pin is another one's.</summary>
    public static ReadOnlySpan<byte> WrongPin => "423 Nats-Wrong-Pin-Id"u8;

    /// <summary>There is nothing to give.</summary>
    public static ReadOnlySpan<byte> NoMessages => "404 No Messages"u8;

    /// <summary>Others wait already.</summary>
    public static ReadOnlySpan<byte> RequestsPending => "408 Requests Pending"u8;

    /// <summary>Too many pulls wait.</summary>
    public static ReadOnlySpan<byte> MaxWaiting => "409 Exceeded MaxWaiting"u8;

    /// <summary>A push consumer was pulled.</summary>
    public static ReadOnlySpan<byte> PushBased => "409 Consumer is push based"u8;

    /// <summary>The consumer is gone.</summary>
    public static ReadOnlySpan<byte> ConsumerDeleted => "409 Consumer Deleted"u8;

    /// <summary>The broker stops.</summary>
    public static ReadOnlySpan<byte> ServerShutdown => "409 Server Shutdown"u8;

    /// <summary>A level of the API was asked for that is not served.</summary>
    public static ReadOnlySpan<byte> ApiLevel => "412 Required Api Level"u8;

    /// <summary>The client is to say that it came so far.</summary>
    public static ReadOnlySpan<byte> FlowControl => "100 FlowControl Request"u8;

    /// <summary>Writes a status alone.</summary>
    public static int Write(Span<byte> target, ReadOnlySpan<byte> status)
    {
        var length = Begin(target, status);
        return length + Put(target[length..], "\r\n"u8);
    }

    /// <summary>Writes a status with what a pull has left.</summary>
    public static int Write(Span<byte> target, ReadOnlySpan<byte> status, long messages, long bytes)
    {
        var length = Begin(target, status);
        length += Line(target[length..], "Nats-Pending-Messages: "u8, messages);
        length += Line(target[length..], "Nats-Pending-Bytes: "u8, bytes);
        return length + Put(target[length..], "\r\n"u8);
    }

    /// <summary>Writes a heartbeat.</summary>
    /// <param name="target">Gets it.</param>
    /// <param name="consumerSequence">The newest delivery.</param>
    /// <param name="streamSequence">How far the stream was looked through.</param>
    /// <param name="stalledAt">The flow control that is not answered, or nothing.</param>
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
