using System.Buffers;
using Postrider.Client;
using Postrider.Rpc.Framing;
using Postrider.Rpc.Sockets;

namespace Postrider.Rpc.Nats;

/// <summary>Requests a transport from one instance of an operation.</summary>
internal sealed class NatsFrameTransportFactory(NatsClient client, string subject, NatsChannelOptions options) : IFrameTransportFactory
{
    public string Address => subject;

    public async ValueTask<FrameTransport> ConnectAsync(CancellationToken ct)
    {
        var transport = new NatsFrameTransport(client, options.TimeProvider, options.PeerSilence, new SocketLimits().MaxPendingBytes);
        try
        {
            var headers = new NatsHeaders { { NatsNames.Link, transport.Inbox } };
            var reply = await client.RequestAsync<ReadOnlyMemory<byte>, IMemoryOwner<byte>>(subject, default, CallTimeout.Clamp(options.Timeout), headers, null, null, ct).ConfigureAwait(false);
            reply.Data.Dispose();
            if (reply.Headers?[NatsNames.Link] is not { } target)
                throw Refusal(reply.Headers);
            transport.Aim(target);
            return transport;
        }
        catch (NatsNoRespondersException error)
        {
            transport.Dispose();
            throw new RpcException(RpcStatus.Unavailable, $"No responders for {subject}.", error) { IsUnsent = true };
        }
        catch
        {
            transport.Dispose();
            throw;
        }
    }

    private RpcException Refusal(NatsHeaders? headers)
        => Enum.TryParse<RpcStatus>(headers?[NatsNames.Status], out var status) && status is not (RpcStatus.Ok or RpcStatus.Fault)
            ? new(status, headers?[Client.Services.ServiceErrors.Header] ?? "")
            : new(RpcStatus.Unsupported, $"{subject} is not a streaming operation.");
}
