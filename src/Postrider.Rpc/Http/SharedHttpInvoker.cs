namespace Postrider.Rpc.Http;

/// <summary>The HTTP invoker that the clients of a channel share, until the channel is disposed: then no call starts, and running calls end.</summary>
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
