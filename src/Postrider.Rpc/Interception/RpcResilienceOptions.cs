using System.Diagnostics.CodeAnalysis;
using Postrider.Resilience;

namespace Postrider.Rpc;

/// <summary>Options of an <see cref="RpcResilienceInterceptor"/>. Each part is off while it is null. Immutable.</summary>
public sealed record RpcResilienceOptions
{
    /// <summary>Limits how many calls run at once, from before the first attempt to the response or the end of the stream; further ones
    /// wait, in their order. May be shared.</summary>
    public Bulkhead? Bulkhead { get; init; }

    /// <summary>Rejects calls while the service fails. Failures are calls that ended with <see cref="RpcStatus.Unavailable"/>,
    /// <see cref="RpcStatus.Busy"/>, <see cref="RpcStatus.DeadlineExceeded"/>, <see cref="RpcStatus.Internal"/>,
    /// <see cref="RpcStatus.Unknown"/>, <see cref="RpcStatus.DataLoss"/> or <see cref="RpcStatus.ProtocolError"/>; with the other statuses
    /// and with faults the service has answered. <see cref="CircuitBreakerOptions.Handle"/> can exclude some. May be shared.</summary>
    public CircuitBreaker? CircuitBreaker { get; init; }

    /// <summary>Makes calls wait for permits. A call that would wait longer than its time is rejected at once. May be shared.</summary>
    public RateLimiter? RateLimit { get; init; }

    /// <summary>The time of calls without a <see cref="CallContext.Timeout"/>, waits included: that of the channel. Default 30 s; infinite
    /// for no limit.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The clock of waits.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Validates the values.</summary>
    /// <exception cref="ArgumentException">A value is out of range; the message names it.</exception>
    [SuppressMessage("Design", "MA0015", Justification = "Options are validated together; the exception names the option, which is no parameter.")]
    public void Validate()
    {
        if (Timeout < TimeSpan.Zero && Timeout != System.Threading.Timeout.InfiniteTimeSpan)
            throw new ArgumentException($"RpcResilienceOptions.Timeout is {Timeout}; it must not be negative, unless it is infinite.");
        if (TimeProvider is null)
            throw new ArgumentException("RpcResilienceOptions.TimeProvider is null; it needs a value.");
    }
}
