using Postrider.Rpc.Balancing;

namespace Postrider.Rpc;

/// <summary>Distributes calls over several channels, to several addresses or over several transports, and retries calls that may be
/// retried.</summary>
/// <remarks>A call goes to the less busy of two randomly chosen healthy channels; streams count until they end. A call that was certainly
/// not sent goes to another channel immediately, whatever the operation. Only operations marked with <see cref="IdempotentAttribute"/>
/// are retried or hedged. Thread-safe.</remarks>
public sealed class BalancedChannel : RpcChannel
{
    private readonly BalancedTarget[] _targets;
    private readonly BalancedChannelOptions _options;

    /// <summary>Creates a channel over other channels.</summary>
    /// <param name="channels">The channels, at least one. The new channel owns them.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <exception cref="ArgumentException">An option is out of range; the message names it.</exception>
    public BalancedChannel(IReadOnlyList<RpcChannel> channels, BalancedChannelOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(channels);
        ArgumentOutOfRangeException.ThrowIfZero(channels.Count, nameof(channels));
        _options = options ?? new BalancedChannelOptions();
        _options.Validate();
        _targets = [.. channels.Select(channel => new BalancedTarget(channel, _options))];
    }

    /// <summary>The number of healthy channels. The others failed too often and are only probed from time to time.</summary>
    public int HealthyCount => _targets.Count(t => t.Health.IsClosed);

    /// <inheritdoc/>
    public override OperationInvoker<TRequest, TItem, TResponse> Bind<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        return new BalancedInvoker<TRequest, TItem, TResponse>(
            [.. _targets.Select(target => (target, target.Channel.Bind(operation)))], operation, _options);
    }

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        foreach (var target in _targets)
            await target.Channel.DisposeAsync().ConfigureAwait(false);
    }
}
