namespace Postrider.Client.JetStream.Models;

/// <summary>A server that holds a replica.</summary>
public sealed record PeerInfo
{
    /// <summary>Its name.</summary>
    public string Name { get; init; } = "";

    /// <summary>Whether it has everything.</summary>
    public bool Current { get; init; }

    /// <summary>Whether it cannot be reached.</summary>
    public bool Offline { get; init; }

    /// <summary>How long ago it was heard of.</summary>
    public TimeSpan Active { get; init; }

    /// <summary>Operations it is behind.</summary>
    public ulong Lag { get; init; }
}
