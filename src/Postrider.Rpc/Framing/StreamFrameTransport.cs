using System.Net.Security;

namespace Postrider.Rpc.Framing;

/// <summary>A transport over a duplex stream: a TLS session.</summary>
/// <remarks>A TLS session is shut down only while no read or write is pending: the framework's <see cref="SslStream"/> takes no lock when
/// it shuts down, and OpenSSL's memory is corrupted when the session is used by another thread in that moment.</remarks>
#pragma warning disable CA2213 // A thread that still releases a semaphore must not find it disposed; none has a handle.
internal sealed class StreamFrameTransport(Stream stream, string peer) : AsyncFrameTransport
#pragma warning restore CA2213
{
    private readonly CancellationTokenSource _closing = new();
    private readonly SemaphoreSlim _reads = new(1, 1);
    private readonly SemaphoreSlim _writes = new(1, 1);

    public override string Peer => peer;

    protected override async ValueTask<int> ReadAsync(Memory<byte> buffer)
    {
        var closing = _closing.Token;
        await _reads.WaitAsync(closing).ConfigureAwait(false);
        try
        {
            return await stream.ReadAsync(buffer, closing).ConfigureAwait(false);
        }
        finally
        {
            _reads.Release();
        }
    }

    protected override async ValueTask WriteAsync(ReadOnlyMemory<byte> bytes)
    {
        await _writes.WaitAsync(_closing.Token).ConfigureAwait(false);
        try
        {
            await stream.WriteAsync(bytes).ConfigureAwait(false);
        }
        finally
        {
            _writes.Release();
        }
    }

    protected override async Task CloseAsync(CancellationToken ct)
    {
        if (stream is not SslStream tls)
            return;

        // No operation starts after this; pending ones are completed first.
        await _closing.CancelAsync().ConfigureAwait(false);
        await _reads.WaitAsync(ct).ConfigureAwait(false);
        await _writes.WaitAsync(ct).ConfigureAwait(false);
        await tls.ShutdownAsync().WaitAsync(ct).ConfigureAwait(false);
    }

    protected override void Abort()
    {
        stream.Dispose();
        _closing.Dispose();
    }
}
