using System.IO.Pipelines;
using Postrider.Rpc.Framing;
using Postrider.Rpc.Sockets;

namespace Postrider.UnitTests.Rpc.Sockets;

/// <summary>Connects to a host in the same process over bytes in memory.</summary>
internal sealed class MemoryFrameTransports(ConnectionServer host) : IFrameTransportFactory
{
    public string Address => "memory";

    public ValueTask<FrameTransport> ConnectAsync(CancellationToken ct) => new(new StreamFrameTransport(Open(), "memory"));

    /// <summary>A connection as its bytes.</summary>
    public Stream Open()
    {
        var (there, back) = (new Pipe(), new Pipe());
        host.Accept(new StreamFrameTransport(new Both(there.Reader.AsStream(), back.Writer.AsStream()), "memory"));
        return new Both(back.Reader.AsStream(), there.Writer.AsStream());
    }

    private sealed class Both(Stream input, Stream output) : Stream
    {
        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => input.ReadAsync(buffer, cancellationToken);

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) => output.WriteAsync(buffer, cancellationToken);

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override void Flush() => output.Flush();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        protected override void Dispose(bool disposing)
        {
            if (disposing)
            {
                input.Dispose();
                output.Dispose();
            }

            base.Dispose(disposing);
        }
    }
}
