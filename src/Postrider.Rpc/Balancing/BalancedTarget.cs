using Postrider.Resilience;

namespace Postrider.Rpc.Balancing;

/// <summary>One of the channels, with its health and its running calls.</summary>
internal sealed class BalancedTarget(RpcChannel channel, BalancedChannelOptions options)
{
    private int _underWay;

    public RpcChannel Channel => channel;

    public CircuitBreaker Health { get; } = new(options.Health with { Handle = options.Health.Handle ?? IsIllness, TimeProvider = options.TimeProvider });

    public int UnderWay => Volatile.Read(ref _underWay);

    /// <summary>Whether a failure may not occur on another channel, or at another time.</summary>
    public static bool IsIllness(Exception failure) => failure is RpcException { Status: RpcStatus.Unavailable or RpcStatus.Busy };

    public void Begin() => Interlocked.Increment(ref _underWay);

    public void End() => Interlocked.Decrement(ref _underWay);

    /// <summary>Records the end of a call.</summary>
    public void Note(CircuitBreakerTicket ticket, Exception? failure)
    {
        if (failure is null)
            Health.OnSuccess(ticket);
        else if (failure is OperationCanceledException)
            Health.OnAbandoned(ticket);
        else
            Health.OnFailure(ticket, failure);
    }
}
