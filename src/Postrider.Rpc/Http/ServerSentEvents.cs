using System.Buffers;

namespace Postrider.Rpc.Http;

/// <summary>An event for each item, as a browser's <c>EventSource</c> reads them; one named <c>end</c> or <c>failure</c> is the
/// last.</summary>
/// <remarks>Responses only. Source: HTML Living Standard, section 9.2, "Server-sent events".</remarks>
internal sealed class ServerSentEvents : StreamWriteFormat
{
    public static readonly ServerSentEvents Instance = new();

    public override string ContentType => "text/event-stream";

    public override void WriteFailure(IBufferWriter<byte> output, CallFailure failure)
    {
        var problem = new ArrayBufferWriter<byte>();
        ProblemDetailsMapping.WriteProblem(problem, failure);
        Write(output, StreamRecordKind.Failure, problem.WrittenSpan);
    }

    /// <inheritdoc/>
    /// <remarks>Without it, an <c>EventSource</c> treats the end of the body as a lost connection and reconnects.</remarks>
    public override void WriteEnd(IBufferWriter<byte> output) => output.Write("event: end\ndata:\n\n"u8);

    private protected override int Write(IBufferWriter<byte> output, StreamRecordKind kind, ReadOnlySpan<byte> record)
    {
        var length = 0;
        if (kind == StreamRecordKind.Failure)
            length += Add(output, "event: failure\n"u8);
        // Indented JSON consists of several lines.
        while (true)
        {
            var end = record.IndexOfAny((byte)'\n', (byte)'\r');
            length += Add(output, "data: "u8) + Add(output, end < 0 ? record : record[..end]) + Add(output, "\n"u8);
            if (end < 0)
                break;
            record = record[(end + (record[end] == '\r' && end + 1 < record.Length && record[end + 1] == '\n' ? 2 : 1))..];
        }

        return length + Add(output, "\n"u8);
    }

    private static int Add(IBufferWriter<byte> output, ReadOnlySpan<byte> bytes)
    {
        output.Write(bytes);
        return bytes.Length;
    }
}
