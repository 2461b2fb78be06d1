using System.Buffers;
using Postrider.Client;
using Postrider.Rpc.Framing;
using Postrider.Rpc.Sockets;

namespace Postrider.Rpc.Nats;

/// <summary>Asks one of an operation's instances for a link.</summary>
internal sealed class NatsLinkMaker(NatsClient client, string subject, NatsChannelOptions options) : ILinkMaker
{
    public string Address => subject;

    public async ValueTask<Link> ConnectAsync(CancellationToken ct)
    {
        var link = new NatsLink(client, options.TimeProvider, options.PeerSilence, new SocketLimits().MaxPendingBytes);
        try
        {
            var headers = new NatsHeaders { { NatsNames.Link, link.Inbox } };
            var reply = await client.RequestAsync<ReadOnlyMemory<byte>, IMemoryOwner<byte>>(subject, default, CallTime.Of(options.Timeout), headers, null, null, ct).ConfigureAwait(false);
            reply.Data.Dispose();
            if (reply.Headers?[NatsNames.Link] is not { } target)
                throw Refusal(reply.Headers);
            link.Aim(target);
            return link;
        }
        catch (NatsNoRespondersException nobody)
        {
            link.Dispose();
            throw new RpcException(RpcStatus.Unavailable, $"Nobody serves {subject}.", nobody) { IsUnsent = true };
        }
        catch
        {
            link.Dispose();
            throw;
        }
    }

    private RpcException Refusal(NatsHeaders? headers)
        => Enum.TryParse<RpcStatus>(headers?[NatsNames.Status], out var status) && status is not (RpcStatus.Ok or RpcStatus.Fault)
            ? new(status, headers?[Client.Services.ServiceErrors.Header] ?? "")
            : new(RpcStatus.Unsupported, $"{subject} does not stream.");
}
