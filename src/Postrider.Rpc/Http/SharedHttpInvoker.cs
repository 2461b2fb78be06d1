namespace Postrider.Rpc.Http;

/// <summary>The way over HTTP that the callers of one channel share, until the channel is disposed: then nothing begins, and what is under way ends.</summary>
internal sealed class SharedHttpInvoker(HttpMessageInvoker http, bool isOwned) : IDisposable
{
    private readonly CancellationTokenSource _closing = new();

    /// <summary>Cancelled when the channel is disposed.</summary>
    public CancellationToken Closing => _closing.Token;

    /// <summary>Sends a request.</summary>
    /// <exception cref="RpcException">The channel is closed.</exception>
    public Task<HttpResponseMessage> SendAsync(HttpRequestMessage message, CancellationToken ct)
        => _closing.IsCancellationRequested ? throw ChannelClosed.Failure() : http.SendAsync(message, ct);

    public void Dispose()
    {
        _closing.Cancel();
        if (isOwned)
            http.Dispose();
    }
}
