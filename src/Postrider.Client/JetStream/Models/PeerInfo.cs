namespace Postrider.Client.JetStream.Models;

/// <summary>A server that holds a replica.</summary>
public sealed record PeerInfo
{
    /// <summary>The name.</summary>
    public string Name { get; init; } = "";

    /// <summary>Whether it is up to date.</summary>
    public bool Current { get; init; }

    /// <summary>Whether it is offline.</summary>
    public bool Offline { get; init; }

    /// <summary>Time since it was last active.</summary>
    public TimeSpan Active { get; init; }

    /// <summary>Number of operations that it lags behind.</summary>
    public ulong Lag { get; init; }
}
