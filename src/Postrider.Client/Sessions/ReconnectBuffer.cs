using Postrider.Client.Payloads;
using Postrider.Memory;

namespace Postrider.Client.Sessions;

/// <summary>Frames published while there was no connection, up to a limit.</summary>
/// <remarks>Guarded by the session.</remarks>
internal sealed class ReconnectBuffer(int maxBytes)
{
    private byte[] _frames = [];
    private int _length;

    public ReadOnlySpan<byte> Frames => _frames.AsSpan(0, _length);

    /// <summary>Adds a publish.</summary>
    /// <exception cref="NatsClientException">There is no room: <see cref="NatsErrorCode.ReconnectBufferFull"/>.</exception>
    public void Add(string subject, ReadOnlySpan<byte> replyTo, NatsHeaders? headers, ReadOnlySpan<byte> payload)
    {
        var buffer = PayloadBuffer.Take();
        try
        {
            PublishFrameWriter.Publish(buffer, subject, replyTo, headers, payload);
            Append(buffer.Written);
        }
        finally
        {
            buffer.Release();
        }
    }

    public void Clear()
    {
        _frames = [];
        _length = 0;
    }

    private void Append(ReadOnlySpan<byte> frame)
    {
        if (_length + (long)frame.Length > maxBytes)
            throw new NatsClientException(NatsErrorCode.ReconnectBufferFull, $"The client is not connected, and {frame.Length} more bytes would exceed the reconnect buffer of {maxBytes} bytes.");
        if (_frames.Length - _length < frame.Length) Array.Resize(ref _frames, (int)Math.Min(maxBytes, Math.Max(_frames.Length * 2L, _length + frame.Length)));
        BulkCopy.Copy(frame, _frames.AsSpan(_length));
        _length += frame.Length;
    }
}
