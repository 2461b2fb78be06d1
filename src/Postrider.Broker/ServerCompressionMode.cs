namespace Postrider.Broker;

/// <summary>How the broker compresses what it sends to another server. Each side chooses for itself; if one does not compress, neither does.</summary>
/// <remarks>Source: nats-server, <c>compression</c> of clusters and leaf nodes.</remarks>
public enum ServerCompressionMode
{
    /// <summary>Nothing is compressed.</summary>
    Off,

    /// <summary>Compresses in the other server's mode, if that one asks for compression.</summary>
    Accept,

    /// <summary>Compresses more the longer the round trip to the other server: see <see cref="ServerCompressionOptions.RoundTripThresholds"/>.</summary>
    S2Auto,

    /// <summary>Compresses with little effort.</summary>
    S2Fast,

    /// <summary>Compresses more, with more effort.</summary>
    S2Better,

    /// <summary>Compresses as much as possible.</summary>
    S2Best,
}
