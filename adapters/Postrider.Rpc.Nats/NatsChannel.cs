using Postrider.Client;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Nats;

/// <summary>Calls services over NATS: a request to <c>service.operation</c>, answered by one of the instances.</summary>
/// <remarks>
/// NATS has no word for a caller that gave up: its token ends the waiting, and the operation runs on until it is done or the
/// time is over that the caller stated. Streams are not carried: such a call fails with <see cref="RpcStatus.Unsupported"/>.
/// Thread-safe.
/// </remarks>
public sealed class NatsChannel : RpcChannel
{
    private readonly NatsClient _client;
    private readonly RpcCodec _codec;
    private readonly NatsChannelOptions _options;

    /// <summary>Calls over a client.</summary>
    /// <param name="client">A connected client; not owned.</param>
    /// <param name="codec">The form of the messages; the service has to know it.</param>
    /// <param name="options">How to call; null for the defaults.</param>
    public NatsChannel(NatsClient client, RpcCodec codec, NatsChannelOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(codec);
        (_client, _codec, _options) = (client, codec, options ?? new NatsChannelOptions());
    }

    /// <inheritdoc/>
    public override Caller<TRequest, TItem, TResponse> Bind<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        return new NatsCaller<TRequest, TItem, TResponse>(_client, operation, _codec, _options);
    }

    /// <inheritdoc/>
    public override ValueTask DisposeAsync() => default;
}
