namespace Postrider.Broker.JetStream.Consumers;

/// <summary>Why a delivery pass of a <see cref="Consumer"/> ended.</summary>
internal enum DeliveryStop
{
    /// <summary>Everything was given.</summary>
    EndOfStream,

    /// <summary>Nobody takes anything now.</summary>
    NoInterest,

    /// <summary>Too much is not acknowledged.</summary>
    Full,

    /// <summary>Enough for one pass.</summary>
    Unfinished,
}
