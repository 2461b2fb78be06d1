using System.IO.Compression;

namespace Postrider.Sockets.WebSockets;

/// <summary>Compresses messages, each separately. Source: RFC 7692, 7.2.1.</summary>
#pragma warning disable CA1001 // The stream holds memory of the collector alone.
internal sealed class MessageDeflater
#pragma warning restore CA1001
{
    /// <summary>Shorter messages would become longer.</summary>
    public const int MinBytes = 64;

    // The bytes at the end of a flush, which the other side adds again.
    private const int TailBytes = 4;

    private readonly MemoryStream _target = new();
    private readonly UnmanagedMemory _source = new();

    /// <summary>Compresses one message.</summary>
    /// <param name="segments">The message.</param>
    /// <returns>Valid until the next call.</returns>
    public ReadOnlySpan<byte> Deflate(ReadOnlySpan<Segment> segments)
    {
        _target.SetLength(0);
        // The protocol omits the end of the stream: the flushed bytes are taken before it is written.
        using var deflate = new DeflateStream(_target, CompressionLevel.Fastest, leaveOpen: true);
        foreach (var segment in segments)
        {
            _source.Point(segment);
            deflate.Write(_source.GetSpan());
        }
        deflate.Flush();
        return _target.GetBuffer().AsSpan(0, (int)_target.Length - TailBytes);
    }
}
