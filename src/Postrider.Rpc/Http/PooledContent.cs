using System.Buffers;
using System.Net;
using System.Net.Http.Headers;

namespace Postrider.Rpc.Http;

/// <summary>A body in pooled bytes.</summary>
internal sealed class PooledContent : HttpContent
{
    private readonly byte[] _bytes;
    private readonly int _length;
    private int _isSent;

    public PooledContent(byte[] bytes, int length, MediaTypeHeaderValue type)
    {
        (_bytes, _length) = (bytes, length);
        Headers.ContentType = type;
    }

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) => SerializeToStreamAsync(stream, context, CancellationToken.None);

    protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        await stream.WriteAsync(_bytes.AsMemory(0, _length), cancellationToken).ConfigureAwait(false);
        Volatile.Write(ref _isSent, 1);
    }

    protected override bool TryComputeLength(out long length)
    {
        length = _length;
        return true;
    }

    protected override void Dispose(bool disposing)
    {
        // A body whose sending was interrupted may still be read by the connection: it is not returned to the pool.
        if (disposing && Interlocked.Exchange(ref _isSent, 0) != 0)
            ArrayPool<byte>.Shared.Return(_bytes);
        base.Dispose(disposing);
    }
}
