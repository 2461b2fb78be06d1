using Postrider.Rpc.Balancing;

namespace Postrider.Rpc;

/// <summary>Spreads calls over several channels, to several addresses or over several transports, and repeats those that may be repeated.</summary>
/// <remarks>
/// A call goes to the less busy of two channels drawn by chance, among those that are healthy; streams count until they end. What was
/// surely not sent goes to another channel at once, whatever the operation. Only what the contract calls <see cref="IdempotentAttribute"/>
/// is sent again or hedged. Thread-safe.
/// </remarks>
public sealed class BalancedChannel : RpcChannel
{
    private readonly BalancedTarget[] _targets;
    private readonly BalancedChannelOptions _options;

    /// <summary>Spreads calls.</summary>
    /// <param name="channels">At least one; owned from here on.</param>
    /// <param name="options">How; null for the defaults.</param>
    /// <exception cref="ArgumentException">An option is out of range; the message names it.</exception>
    public BalancedChannel(IReadOnlyList<RpcChannel> channels, BalancedChannelOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(channels);
        ArgumentOutOfRangeException.ThrowIfZero(channels.Count, nameof(channels));
        _options = options ?? new BalancedChannelOptions();
        _options.Validate();
        _targets = [.. channels.Select(channel => new BalancedTarget(channel, _options))];
    }

    /// <summary>How many of the channels calls go to: the others failed too often and are tried now and then.</summary>
    public int Healthy => _targets.Count(t => t.Health.IsClosed);

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
