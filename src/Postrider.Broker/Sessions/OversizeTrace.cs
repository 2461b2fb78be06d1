using System.Buffers.Text;
using System.Text;
using Postrider.Broker.Tracing;
using Postrider.Sockets;

namespace Postrider.Broker.Sessions;

/// <summary>Publishes the trace of a message that is larger than the client may send, using the headers received so far.</summary>
/// <remarks>Source: nats-server, message tracing.</remarks>
internal static class OversizeTrace
{
    private static ReadOnlySpan<byte> Operation => "HPUB "u8;

    /// <summary>Publishes the trace if the message requests one.</summary>
    /// <param name="session">The client.</param>
    /// <param name="bytes">The rejected frame, as much of it as has been received.</param>
    /// <param name="batch">The client's batch.</param>
    public static void Publish(ClientSession session, ReadOnlySpan<byte> bytes, SendBatch batch)
    {
        var lineEnd = bytes.IndexOf((byte)'\n');
        if (lineEnd < Operation.Length || !Ascii.EqualsIgnoreCase(bytes[..Operation.Length], Operation)) return;
        var line = bytes[Operation.Length..lineEnd].Trim(" \t\r"u8);
        var subject = line[..Math.Max(0, line.IndexOfAny((byte)' ', (byte)'\t'))];
        var size = TakeLast(ref line);
        var headers = bytes[(lineEnd + 1)..];
        headers = headers[..Math.Min(headers.Length, TakeLast(ref line))];
        if (subject.IsEmpty || headers.IsEmpty || TraceRequest.Read(headers) is not { } request) return;
        var (context, account) = (session.Context, session.State.Account);
        var source = new TraceConnection(TraceConnection.Client, session.Id, session.State.Connect?.Name);
        MessageTracing.Begin(context, account, source, request, subject, size, batch.Random, out var trace);
        if (trace is null || !PublishAuthorization.AllowTraces(session, trace.Destination, batch)) return;
        trace.Refuse("maximum payload exceeded");
        MessageTracing.Send(context, account, trace, batch);
    }

    // Removes the number at the end and returns it; 0 if there is none.
    private static int TakeLast(ref ReadOnlySpan<byte> line)
    {
        var start = line.LastIndexOfAny((byte)' ', (byte)'\t') + 1;
        var isNumber = Utf8Parser.TryParse(line[start..], out int number, out _) && number >= 0;
        line = line[..start].TrimEnd(" \t"u8);
        return isNumber ? number : 0;
    }
}
