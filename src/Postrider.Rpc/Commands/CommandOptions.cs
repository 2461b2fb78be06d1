namespace Postrider.Rpc;

/// <summary>To whom a command goes, and how long it is of use.</summary>
public sealed class CommandOptions
{
    /// <summary>The names of the clients; null for those that are connected when it is sent. One that is named waits for its client to connect.</summary>
    public IReadOnlyCollection<string>? Clients { get; init; }

    /// <summary>How long it is of use; what has not been carried out by then expires, and is cancelled at its client.</summary>
    public TimeSpan TimeToLive { get; init; } = TimeSpan.FromSeconds(30);
}
