namespace Postrider.Rpc.Framing;

/// <summary>The body of an error: a status, a text (two-byte length), a fault's name (one-byte length), and its detail.</summary>
internal static class ErrorFrame
{
    private const int MaxTextBytes = 8 * 1024;

    public static void Write(FrameBuffer frame, CallFailure failure)
    {
        frame.WriteByte((byte)failure.Status);
        frame.WriteText(failure.Message, MaxTextBytes);
        frame.WriteText(failure.Fault ?? "", byte.MaxValue);
        var detail = failure.Detail.Span;
        detail.CopyTo(frame.GetSpan(detail.Length));
        frame.Advance(detail.Length);
    }

    public static bool TryRead(ReadOnlySpan<byte> body, out CallFailure failure)
    {
        var reader = new RpcFrameReader(body);
        if (!reader.TryReadByte(out var status) || !reader.TryReadLongText(out var message) || !reader.TryReadShortText(out var fault))
        {
            failure = new(RpcStatus.ProtocolError, "The error frame is malformed.");
            return false;
        }

        failure = new((RpcStatus)status, message, fault.Length == 0 ? null : fault, body[reader.Consumed..].ToArray());
        return true;
    }
}
