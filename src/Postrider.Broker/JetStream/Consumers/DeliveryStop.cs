namespace Postrider.Broker.JetStream.Consumers;

/// <summary>Why a delivery pass of a <see cref="Consumer"/> ended.</summary>
internal enum DeliveryStop
{
    /// <summary>All messages were delivered.</summary>
    EndOfStream,

    /// <summary>No client takes messages now.</summary>
    NoInterest,

    /// <summary>The next message waits for the rate limit, or for its time.</summary>
    Delayed,

    /// <summary>Too many deliveries are open.</summary>
    Full,

    /// <summary>The limit of one pass was reached.</summary>
    Unfinished,
}
