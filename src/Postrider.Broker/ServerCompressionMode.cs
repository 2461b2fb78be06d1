namespace Postrider.Broker;

/// <summary>How the broker compresses what it sends to another server. Each side chooses for what it sends; if one of them does not compress, neither does.</summary>
/// <remarks>Source: nats-server, <c>compression</c> of clusters and leaf nodes.</remarks>
public enum ServerCompressionMode
{
    /// <summary>Nothing is compressed.</summary>
    Off,

    /// <summary>Compresses as the other server does, if that one asks for it.</summary>
    Accept,

    /// <summary>Compresses more the longer the round trip to the other server takes: see <see cref="ServerCompressionOptions.RoundTripThresholds"/>.</summary>
    S2Auto,

    /// <summary>Compresses with little work.</summary>
    S2Fast,

    /// <summary>Compresses more, with more work.</summary>
    S2Better,

    /// <summary>Compresses as much as possible.</summary>
    S2Best,
}
