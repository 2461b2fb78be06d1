namespace Postrider.Broker.Accounts;

/// <summary>Messages and bytes of some of an account's connections.</summary>
/// <param name="InMessages">Messages received.</param>
/// <param name="InBytes">Header and payload bytes received.</param>
/// <param name="OutMessages">Messages sent.</param>
/// <param name="OutBytes">Header and payload bytes sent.</param>
/// <param name="SlowConsumers">Connections that were closed because they read too slowly.</param>
internal readonly record struct AccountCounters(long InMessages, long InBytes, long OutMessages, long OutBytes, long SlowConsumers)
{
    /// <summary>Adds two sums.</summary>
    public static AccountCounters operator +(AccountCounters one, AccountCounters other) => new(
        one.InMessages + other.InMessages,
        one.InBytes + other.InBytes,
        one.OutMessages + other.OutMessages,
        one.OutBytes + other.OutBytes,
        one.SlowConsumers + other.SlowConsumers);
}
