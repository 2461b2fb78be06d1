using System.Net;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Postrider.Broker.Routing;
using Postrider.Broker.Sessions;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Peers;

/// <summary>The common parts of leaf node connections and routes.</summary>
internal static class PeerSessions
{
    /// <summary>The version of the protocol between servers since which messages are traced: nats-server's <c>MsgTraceProto</c>.</summary>
    public const int TracingProtocol = 3;

    /// <summary>The version of the protocol between servers that the broker implements.</summary>
    public const int Protocol = TracingProtocol;

    // The status line of an HTTP server or the banner of another one.
    private const int MaxShownBytes = 64;

    // Interest that waits for the end of a batch.
    private const int MaxUnsentBytes = 256 * 1024;

    /// <summary>The address and port of the other server; null and 0 where the connection has none.</summary>
    public static (string? Address, int Port) AddressOf(EndPoint? remote)
    {
        if (remote is not IPEndPoint { Address: var address, Port: var port }) return (null, 0);
        return ((address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address).ToString(), port);
    }

    /// <summary>Sets the limits of pending bytes.</summary>
    /// <param name="outbox">The connection's.</param>
    /// <param name="options">The broker's.</param>
    /// <param name="writeDeadline">The write deadline for this kind of connection; null for the broker's.</param>
    /// <param name="writeTimeout">What happens when the deadline passes.</param>
    public static void Limit(Outbox outbox, BrokerOptions options, TimeSpan? writeDeadline, WriteTimeoutPolicy writeTimeout)
    {
        outbox.ClosesPartialWrites = writeTimeout == WriteTimeoutPolicy.Close;
        outbox.MaxPendingBytes = options.MaxPendingBytes;
        outbox.WriteDeadline = writeDeadline ?? options.WriteDeadline;
        outbox.StallsProducers = !options.NoFastProducerStall;
    }

    /// <summary>Sets the limits of received frames.</summary>
    /// <param name="parser">The connection's.</param>
    /// <param name="options">The broker's.</param>
    /// <param name="isTrusted">Whether the broker has chosen the other server; one that connects has to authenticate first.</param>
    public static void Limit(ref PeerFrameParser parser, BrokerOptions options, bool isTrusted)
    {
        parser.IsTrusted = isTrusted;
        parser.MaxLineBytes = (int)Math.Min(int.MaxValue / 2, 16L * options.MaxControlLineBytes);
        parser.MaxPayloadBytes = options.MaxPayloadBytes;
    }

    /// <summary>Sends frames, and logs them if frames are traced.</summary>
    /// <param name="context">The broker's context.</param>
    /// <param name="session">The connection.</param>
    /// <param name="outbox">Its pending bytes.</param>
    /// <param name="frames">Whole frames without payloads.</param>
    public static void Send(SessionContext context, IPeerSession session, Outbox outbox, ReadOnlySpan<byte> frames)
    {
        if (context.Trace is { } trace)
            foreach (var line in frames.TrimEnd("\r\n"u8).Split((byte)'\n')) trace.Out(session.Name, frames[line]);
        if (InterestBatch.Current is not { } batch)
        {
            outbox.Send(frames);
            return;
        }
        var lane = outbox.LaneOf(batch);
        lane.Write(frames);
        lane.Submit();
        if (outbox.PendingBytes > MaxUnsentBytes) outbox.Send();
    }

    /// <summary>Logs a received frame, with the payload of a message, if frames are traced.</summary>
    /// <param name="context">The broker's context.</param>
    /// <param name="session">The connection.</param>
    /// <param name="frame">The frame.</param>
    public static void Trace(SessionContext context, IPeerSession session, scoped in PeerFrame frame)
    {
        if (context.Trace is not { } trace) return;
        if (frame.Kind is PeerFrameKind.Message or PeerFrameKind.MessageWithHeaders) trace.InMessage(session.Name, frame.Bytes);
        else trace.In(session.Name, frame.Bytes);
    }

    /// <summary>Parses JSON from the other server.</summary>
    /// <returns>Null for anything but a valid JSON object.</returns>
    public static T? Parse<T>(ReadOnlySpan<byte> text, JsonTypeInfo<T> type)
        where T : class
    {
        try
        {
            return JsonSerializer.Deserialize(text, type);
        }
        catch (JsonException)
        {
            return null;
        }
    }

    /// <summary>Ends a session that received an invalid frame.</summary>
    /// <param name="session">The session.</param>
    /// <param name="error">The kind of the error.</param>
    /// <param name="problem">What is wrong.</param>
    /// <param name="batch">The batch of the read.</param>
    /// <param name="firstBytes">What was received instead of the first INFO of a solicited connection; empty for other frames.</param>
    public static void Reject(IPeerSession session, FrameError error, string problem, SendBatch batch, ReadOnlySpan<byte> firstBytes = default)
    {
        if (!firstBytes.IsEmpty) problem = $"the address leads to another service: it answers {ShowStart(firstBytes)} instead of INFO";
        var (end, text) = error switch
        {
            FrameError.LineTooLong => (ClosedState.MaxControlLineExceeded, $"maximum control line exceeded: {problem}"),
            FrameError.PayloadTooLarge => (ClosedState.MaxPayloadExceeded, $"Maximum Payload Violation: {problem}"),
            FrameError.UnknownOperation => (ClosedState.ProtocolViolation, $"Unknown Protocol Operation: {problem}"),
            _ => (ClosedState.ProtocolViolation, $"Protocol Violation: {problem}"),
        };
        session.End(end, text, batch);
    }

    // The first line as quoted text.
    private static string ShowStart(ReadOnlySpan<byte> bytes)
    {
        var end = bytes.IndexOfAny((byte)'\r', (byte)'\n');
        if (end >= 0) bytes = bytes[..end];
        return GoQuote.Quote(Encoding.Latin1.GetString(bytes[..Math.Min(bytes.Length, MaxShownBytes)]));
    }
}
