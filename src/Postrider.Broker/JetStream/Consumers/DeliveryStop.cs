namespace Postrider.Broker.JetStream.Consumers;

/// <summary>Why a delivery pass of a <see cref="Consumer"/> ended.</summary>
internal enum DeliveryStop
{
    /// <summary>Everything was given.</summary>
    NothingLeft,

    /// <summary>Nobody takes anything now.</summary>
    NobodyThere,

    /// <summary>Too much is not acknowledged.</summary>
    Full,

    /// <summary>Enough for one pass.</summary>
    Unfinished,
}
