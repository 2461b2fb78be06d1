namespace Postrider.Rpc;

/// <summary>The target clients and the time to live of a command.</summary>
public sealed record CommandOptions
{
    /// <summary>The names of the target clients; null for all clients connected at the time of sending. A command to a named client waits
    /// until it connects.</summary>
    public IReadOnlyCollection<string>? Clients { get; init; }

    /// <summary>The time to live. Executions that have not completed by then expire and are cancelled at the client.</summary>
    public TimeSpan TimeToLive { get; init; } = TimeSpan.FromSeconds(30);
}
