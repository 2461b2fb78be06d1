using System.Diagnostics.CodeAnalysis;
using Postrider.Rpc.Framing;

namespace Postrider.Rpc.Http;

/// <summary>A connection of HttpClient, closed when it is no longer referenced: HttpClient leaves those that are made after it was
/// disposed to the garbage collector.</summary>
/// <remarks>The reactor references the transport and its continuations, but not this object.</remarks>
[SuppressMessage("Design", "MA0055", Justification = "There is no handle whose own end could close it: the reactor holds it.")]
internal sealed class OwnedConnectionStream(FrameTransportStream stream) : Stream
{
    ~OwnedConnectionStream() => stream.Dispose();

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => stream.ReadAsync(buffer, cancellationToken);

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) => stream.WriteAsync(buffer, cancellationToken);

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) => stream.ReadAsync(buffer, offset, count, cancellationToken);

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) => stream.WriteAsync(buffer, offset, count, cancellationToken);

    public override int Read(byte[] buffer, int offset, int count) => stream.Read(buffer, offset, count);

    public override void Write(byte[] buffer, int offset, int count) => stream.Write(buffer, offset, count);

    public override void Flush()
    {
    }

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
            stream.Dispose();
        base.Dispose(disposing);
    }
}
