namespace Postrider.Rpc.Framing;

/// <summary>A stream that reads and writes at once: a TLS session.</summary>
internal sealed class StreamLink(Stream stream, string peer) : AsyncLink
{
    public override string Peer => peer;

    protected override async ValueTask<int> ReadAsync(Memory<byte> buffer) => await stream.ReadAsync(buffer).ConfigureAwait(false);

    protected override async ValueTask WriteAsync(ReadOnlyMemory<byte> bytes) => await stream.WriteAsync(bytes).ConfigureAwait(false);

    protected override Task CloseAsync(CancellationToken ct) => stream is System.Net.Security.SslStream tls ? tls.ShutdownAsync().WaitAsync(ct) : Task.CompletedTask;

    protected override void Abort() => stream.Dispose();
}
