using System.Buffers;
using System.Globalization;
using Postrider.Client;
using Postrider.Client.Services;
using Postrider.Client.Sessions;
using Postrider.Rpc.Sockets;

namespace Postrider.Rpc.Nats;

/// <summary>Accepts the transports of streaming calls to this instance.</summary>
internal sealed class NatsStreams(NatsClient client, IReadOnlyList<RpcCodec> codecs, RpcService service, NatsServiceOptions options) : IAsyncDisposable
{
    private readonly ConnectionServer _host = new(
        codecs, [service], new SocketServerOptions { EnableDetailedErrors = options.EnableDetailedErrors, Logger = options.Logger, DrainTimeout = options.DrainTimeout, TimeProvider = options.TimeProvider });

    /// <summary>Replies with an inbox and serves the calls received there.</summary>
    /// <returns>The error for the service's statistics; null for none.</returns>
    public async ValueTask<string?> HandleAsync(NatsMessage<IMemoryOwner<byte>> message)
    {
        message.Data.Dispose();
        if (message.Headers?[NatsNames.Link] is not { Length: > 0 } inbox || !message.ExpectsReply)
            return await RejectAsync(message, RpcStatus.Unsupported, "A streaming operation requires the request header Rpc-Link.").ConfigureAwait(false);
        if (!_host.HasRoom(inbox))
            return await RejectAsync(message, RpcStatus.Busy, "Too many concurrent streams.").ConfigureAwait(false);
        var transport = new NatsFrameTransport(client, options.TimeProvider, options.PeerSilence, _host.Options.Limits.MaxPendingBytes);
        transport.Aim(inbox);
        _host.Accept(transport);
        await message.ReplyAsync(new NatsHeaders { { NatsNames.Link, transport.Inbox } }, CancellationToken.None).ConfigureAwait(false);
        return null;
    }

    /// <summary>Waits for running streams and ends those that exceed the timeout.</summary>
    public ValueTask DisposeAsync() => _host.DisposeAsync();

    private static async ValueTask<string> RejectAsync(NatsMessage<IMemoryOwner<byte>> message, RpcStatus status, string text)
    {
        var code = NatsNames.CodeOf(status).ToString(CultureInfo.InvariantCulture);
        if (message.ExpectsReply)
        {
            var headers = new NatsHeaders { { NatsNames.Status, status.ToString() }, { ServiceErrors.CodeHeader, code }, { ServiceErrors.Header, text } };
            await message.ReplyAsync(headers, CancellationToken.None).ConfigureAwait(false);
        }

        return $"{code}:{text}";
    }
}
