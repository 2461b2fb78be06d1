using System.Net;

namespace Postrider.Broker;

/// <summary>How the broker slows down addresses whose attempts to authenticate keep failing.</summary>
/// <remarks>
/// Each failed attempt of an address adds one to its count, and each second subtracts one. While the count is above <see cref="FreeFailures"/>,
/// every attempt from the address waits before its credentials are checked, right or wrong: 100 ms for each failure above it, at most
/// <see cref="MaxDelay"/>. Other addresses are not delayed. IPv6 addresses count by their /64 network. nats-server has no such limit.
/// </remarks>
public sealed record AuthThrottleOptions
{
    /// <summary>Whether attempts are slowed down. Default true.</summary>
    public bool Enabled { get; set; } = true;

    /// <summary>Number of failed attempts of an address, 0 or more, that have no consequence. Default 10.</summary>
    public int FreeFailures { get; set; } = 10;

    /// <summary>The longest time that an attempt waits, from 0 to 1 minute. Default 1 s: clients give up after two.</summary>
    public TimeSpan MaxDelay { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>Number of attempts of one address, 1 or more, that may wait at the same time; more are refused unchecked with
    /// <c>Authorization Violation</c>. Default 16.</summary>
    public int MaxWaiting { get; set; } = 16;

    /// <summary>Networks that are never slowed down. Default the loopback networks: behind a proxy on the same machine all clients share
    /// its address.</summary>
    public IReadOnlyList<IPNetwork> Exempt { get; set; } = [IPNetwork.Parse("127.0.0.0/8"), IPNetwork.Parse("::1/128")];

    /// <inheritdoc/>
    public bool Equals(AuthThrottleOptions? other) => other is not null
        && Enabled == other.Enabled
        && FreeFailures == other.FreeFailures
        && MaxDelay == other.MaxDelay
        && MaxWaiting == other.MaxWaiting
        && Exempt.SequenceEqual(other.Exempt);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Enabled, FreeFailures, MaxDelay, MaxWaiting, Exempt.Count);
}
